"""A run of signature tables as text: what learns, and how it ranks recorded moves beside Samuel's figures."""

from typing import TYPE_CHECKING

from gameplay.learning.signature.run import PUBLISHED
from gameplay.plural import plural

if TYPE_CHECKING:
    from gameplay.learning.signature.run import SignaturePoint, SignatureRun


def head(run: "SignatureRun") -> list[str]:
    """Method, test positions, and the head of the table."""
    settings = run.settings
    origin = (
        f"of {settings.source}"
        if settings.source
        else f"of an engine against itself at depth {settings.depth}, seed {settings.seed}"
    )
    return [
        f"{run.game.name}: signature tables over the terms of {settings.evaluation}, "
        f"{plural(settings.games, 'game')} {origin}",
        "Every fifth game is held out: how often its moves are ranked first, and among the first two; "
        "correlation (L - H) / (L + H) of L moves ranked lower and H higher. Beside it a polynomial of the "
        "same terms.",
        "",
        f"{'':>29}{'tables':<30}polynomial",
        f"{'games':>7}{'moves':>9}{'held out':>10}{'first':>8}{'first two':>11}{'correlation':>13}"
        f"{'first':>8}{'correlation':>13}",
    ]


def row(run: "SignatureRun", point: "SignaturePoint") -> str:
    """A generation."""
    line = f"{point.games:>7,}{point.moves:>9,}{point.held_out:>10,}"
    if not point.held_out:
        return f"{line}{'-':>8}{'-':>11}{'-':>13}{'-':>8}{'-':>13}"
    return (
        f"{line}{_share(point.first):>8}{_share(point.second):>11}{point.correlation:>13.2f}"
        f"{_share(point.polynomial_first):>8}{point.polynomial_correlation:>13.2f}"
    )


def _share(share: float) -> str:
    return f"{100 * share:.0f} %"


def foot(run: "SignatureRun") -> list[str]:
    """The results of the run, beside the published figures."""
    published = (
        f"Samuel 1967: {_share(PUBLISHED['first'])} first, {_share(PUBLISHED['second'])} among the first "
        f"two, correlation {PUBLISHED['correlation']} after {PUBLISHED['moves']:,} book moves of checkers; "
        f"polynomial {PUBLISHED['polynomial']}"
    )
    lines = ["", published] if run.game.name == "checkers" else []
    if run.curve:
        lines += ["", *_tables(run), "", f"weights: {run.weights}"]
    return lines


def _tables(run: "SignatureRun") -> list[str]:
    """The terms of each table of the first level, with the number of their ranges."""
    lines = ["first tables, with the ranges of each term:"]
    slots = run.learned.layout.slots
    for begin in range(0, len(slots), 3):
        terms = ", ".join(f"{name} {2 * len(cuts) + 1}" for name, cuts in slots[begin : begin + 3])
        lines.append(f"  {terms}")
    return lines
