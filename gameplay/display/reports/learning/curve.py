"""A run of TD(lambda) as text: what learns, and the curve beside the ground truth."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gameplay.plural import plural
from gameplay.statistics.interval import estimate

if TYPE_CHECKING:
    from gameplay.learning.games_run import GamesRun
    from gameplay.learning.generations import GenerationRun
    from gameplay.learning.td_generations import CurvePoint, TdGenerations


def head(run: "TdGenerations[Any]") -> list[str]:
    """Method, test positions, and the head of the table."""
    settings = run.settings
    updates = "TD, expected updates" if run.facts.get("expected") else f"TD({settings.decay:g})"
    return [
        f"{run.game.name}: {updates}, explore {settings.explore:g}, {format_games(run)}, "
        f"seed {settings.seed}",
        f"{run.approximator}, {run.size:,} weights; {format_symmetries(run.symmetries)}",
        truth_line(run),
        "",
        f"{'games':>11}{'wrong moves':>14}{'against random moves':>25}",
    ]


def format_symmetries(names: Sequence[str]) -> str:
    """The symmetries of the board that are used, but for the identity, which comes first."""
    return f"symmetries: {', '.join(names[1:]) or 'none'}"


def format_games(run: "GamesRun[Any, Any]") -> str:
    """The number of games, and the batch size if games share weights."""
    batches = f" in batches of {run.settings.batch:,}" if run.settings.batch > 1 else ""
    return f"{plural(run.settings.games, 'game')}{batches}"


def truth_line(run: "GenerationRun[Any, Any]") -> str:
    """The ground truth that a curve is measured on."""
    if run.truth is None:
        if run.game.new().chance:
            return "Ground truth: none for this game: it has chance."
        if run.has_ground_truth:
            return "Ground truth: none for this game: no solver values its positions."
        return "Ground truth: not computed yet."
    positions = len(run.truth.positions)
    if run.truth.whole:
        return f"Ground truth: all {positions:,} positions in which a move can be wrong."
    return f"Ground truth: {plural(positions, 'position')} of random games, each move valued by exact search."


def row(run: "TdGenerations[Any]", point: "CurvePoint") -> str:
    """A generation."""
    wrong = "-"
    if run.truth is not None and point.wrong is not None:
        wrong = f"{100 * point.wrong / len(run.truth.positions):.1f} %"
    return f"{point.games:>11,}{wrong:>14}{format_score(point.wins, point.draws, point.losses):>25}"


def format_score(wins: int, draws: int, losses: int) -> str:
    """The share of the points of a match, with its 95 % interval."""
    share = estimate((1.0, 0.5, 0.0), (wins, draws, losses), (0.0, 1.0))
    return f"{100 * share.mean:.1f} % [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def foot(run: "GamesRun[Any, Any]") -> list[str]:
    """The result of the run."""
    lines = [""]
    if run.seconds and run.curve:
        rate = run.played / run.seconds
        lines.append(
            f"{plural(run.played, 'game')} in {run.seconds:.1f} s, {rate:,.0f} a second with measuring"
        )
    if run.curve:
        lines.append(f"weights: {run.weights}")
    return lines
