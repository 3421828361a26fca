"""A run that learns the weights of named terms as text: its curve, and the weights."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gameplay.display.reports.learning.curve import truth_line
from gameplay.learning.terms.contest import ELO0, ELO1, LADDER, PAIRS
from gameplay.plural import plural
from gameplay.statistics.rating import rate

if TYPE_CHECKING:
    from gameplay.learning.terms.run import TermsPoint, TermsRun

FULL_WIDTH = 80  # columns of the whole table
METHODS = {
    "logistic": "logistic regression on results",
    "tdleaf": "TD-leaf({decay:g})",
    "spsa": "SPSA",
}


def head(run: "TermsRun", width: int) -> list[str]:
    """Method, test positions, and the head of the table."""
    settings, evaluation = run.settings, run.evaluation
    method = METHODS[settings.method].format(decay=settings.decay)
    fixed = f"; fixed: {', '.join(evaluation.fixed)}" if evaluation.fixed else ""
    given = "given " if settings.given else ""
    return [
        f"{settings.game}: {method}, {settings.games:,} {given}games at depth {settings.depth}, "
        f"seed {settings.seed}",
        f"Evaluation {evaluation.name}, {plural(len(evaluation.weights), 'term')}{fixed}.",
        f"New weights are kept if an SPRT accepts that they are stronger: H0 {ELO0:g}, H1 {ELO1:g} "
        f"normalized Elo, {PAIRS} pairs of games at most.",
        truth_line(run),
        "",
        *_columns(width),
    ]


def _columns(width: int) -> list[str]:
    """The head of the table."""
    names = f"{'games':>7}{'loss':>7}{'LLR of new':>12}{'Elo against start':>20}"
    if width < FULL_WIDTH:
        return [f"{names}{'wrong':>7}"]
    rungs = "".join(f"{rung.depth:>6}" for rung in LADDER[1:])
    above = [
        f"{'':>48}{words}" for words in ("points against random moves,", "the game's evaluation at depth")
    ]
    return [*above, f"{names}{'random':>8}{rungs}{'wrong':>7}"]


def row(run: "TermsRun", point: "TermsPoint", width: int) -> str:
    """A generation; without the ladder where the screen is narrow."""
    loss = "-" if point.loss is None else f"{point.loss:.3f}"
    test = f"{'kept ' if point.kept else ''}{point.llr:+.2f}" if any(point.tested) else "-"
    elo = str(rate(point.start)) if any(point.start) else "-"
    wrong = "-"
    if run.truth is not None and point.wrong is not None:
        wrong = f"{100 * point.wrong / len(run.truth.positions):.1f} %"
    ladder = "".join(f"{_share(pairs):>{6 if i else 8}}" for i, pairs in enumerate(point.ladder))
    ladder = ladder if width >= FULL_WIDTH else ""
    return f"{point.games:>7,}{loss:>7}{test:>12}{elo:>20}{ladder}{wrong:>7}"


def foot(run: "TermsRun") -> list[str]:
    """The result of the run."""
    if not run.curve:
        return []
    last, kept = run.curve[-1], sum(point.kept for point in run.curve)
    lines = ["", f"New weights were kept in {kept} of {plural(run.generation, 'generation')}."]
    for rung, pairs in zip(LADDER, last.ladder, strict=True):
        whom = f"the game's evaluation at depth {rung.depth}" if rung.depth else "random moves"
        rating = rate(pairs)
        lines.append(
            f"against {whom}: {100 * rating.score:.1f} % of the points, {rating.in_elo}, "
            f"{plural(sum(pairs), 'pair')}"
        )
    if run.seconds:
        lines.append(f"{plural(run.played, 'game')} in {run.seconds:.1f} s with tests and measuring")
    return [*lines, f"weights: {run.weights}"]


def weights(run: "TermsRun") -> list[str]:
    """The final weights beside the initial ones, in the evaluation's unit."""
    if not any(point.kept for point in run.curve):
        return []
    start, kept = run.evaluation, run.learned
    wide = max(map(len, start.weights))
    lines = ["", f"{'term':<{wide}}{'start':>10}{'kept':>10}"]
    for name, weight in start.weights.items():
        lines.append(f"{name:<{wide}}{weight / start.scale:>10.2f}{kept.weights[name] / kept.scale:>10.2f}")
    return lines


def _share(pairs: Sequence[int]) -> str:
    """The share of the points."""
    return f"{100 * rate(pairs).score:.0f} %" if any(pairs) else "-"
