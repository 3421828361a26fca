"""A run of AlphaZero as text: what learns, and the curve beside exact values."""

from typing import TYPE_CHECKING

from gameplay.display.reports.learning import curve
from gameplay.display.reports.learning.curve import format_score, truth_line

if TYPE_CHECKING:
    from gameplay.learning.alphazero.run import AlphaZeroPoint, AlphaZeroRun


def head(run: "AlphaZeroRun") -> list[str]:
    """Method, test positions, and the head of the table."""
    settings, layout = run.settings, run.layout
    return [
        f"{run.game.name}: AlphaZero, {settings.simulations:,} simulations a move, up to {settings.opening} "
        f"random plies first, {curve.format_games(run)}, seed {settings.seed}",
        f"Policy and value: {layout.description}, {layout.size:,} weights each; "
        f"{curve.format_symmetries(layout.symmetries)}",
        truth_line(run),
        "",
        f"{'wrong moves of':>31}{'error of':>18}{'policy against':>23}",
        f"{'games':>11}{'policy':>9}{'value':>9}{'search':>9}{'the value':>12}{'random moves':>22}",
    ]


def row(run: "AlphaZeroRun", point: "AlphaZeroPoint") -> str:
    """A generation."""
    shares = ["-", "-", "-"]
    if run.truth is not None:
        positions = len(run.truth.positions)
        wrong = point.policy, point.value, point.search
        shares = [f"{100 * (error or 0) / positions:.1f} %" for error in wrong]
    error = "-" if point.error is None else f"{point.error:.3f}"
    matched = format_score(point.wins, point.draws, point.losses)
    cells = "".join(f"{share:>9}" for share in shares)
    return f"{point.games:>11,}{cells}{error:>12}{matched:>23}"


def foot(run: "AlphaZeroRun") -> list[str]:
    """The result of the run."""
    return curve.foot(run)
