"""A run that learns a correction of chess as text: what learns, and its loss beside that of `classic`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gameplay.learning.correction.run import CorrectionPoint, CorrectionRun


def head(run: "CorrectionRun") -> list[str]:
    """Method, measure, and the head of the table."""
    settings = run.settings
    games = f"{settings.games:,} games with {settings.evaluation}"
    return [
        f"{run.game.name}: a network of 2 x {run.units} hidden units corrects the evaluation classic; "
        f"{games}, {settings.nodes:,} nodes a move, seed {settings.seed}",
        "Loss on the values and results of games held out, in thousandths of a nat.",
        "",
        f"{'games':>11}{'positions':>13}{'classic':>11}{'corrected':>11}{'difference':>12}",
    ]


def row(run: "CorrectionRun", point: "CorrectionPoint") -> str:
    """A generation."""
    counts = f"{point.games:>11,}{point.positions:>13,}"
    if not point.held:
        return f"{counts}{'-':>11}{'-':>11}{'-':>12}"
    classic, corrected = 1000 * point.classic, 1000 * point.corrected
    return f"{counts}{classic:>11.2f}{corrected:>11.2f}{corrected - classic:>+12.2f}"


def foot(run: "CorrectionRun") -> list[str]:
    """The number of positions, the duration and the path of the weights."""
    lines = [""]
    if run.seconds and run.curve:
        positions = run.curve[-1].positions + run.curve[-1].held
        lines.append(f"{positions:,} positions in {run.seconds:.1f} s with fitting")
    return [*lines, f"weights: {run.weights}"] if run.curve else lines
