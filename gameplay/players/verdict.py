"""The cost of a move compared with the best one, and its classification.

A cost is the loss of expected score (`value.expected_score`), or of equity in stakes in games of chance. An
inaccuracy costs 0.05 expected points, a mistake 0.10, a blunder 0.15: the thresholds of lichess, whose scale
is from -1 to 1. The thresholds of equity are 0.04, 0.08 and 0.16. Games with points may set
`Position.mistake_thresholds`.
"""

from collections.abc import Sequence
from math import hypot
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.search.report import Candidate

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

VERDICTS = ("inaccuracy", "mistake", "blunder")
SCORE_THRESHOLDS = (0.05, 0.10, 0.15)  # minimum cost of each verdict, in expected points
EQUITY_THRESHOLDS = (0.04, 0.08, 0.16)  # ... in stakes, in games of chance
MIN_STANDARD_ERRORS = 2.0  # a smaller difference of two means costs nothing


def cost(position: "AbstractPosition", best: Candidate, chosen: Candidate) -> float:
    """The cost of the move `chosen`; 0 if it is as good, or the means differ insignificantly."""
    if best.move == chosen.move or best.value <= chosen.value or "unknown" in (best.bound, chosen.bound):
        return 0.0
    if best.bound == "expectation" and best.value - chosen.value <= MIN_STANDARD_ERRORS * hypot(
        best.error, chosen.error
    ):
        return 0.0
    if position.chance:
        stake: int = position.stake if position.scored else 1
        return round((best.value - chosen.value) / int(position.unit) / max(1, stake), 6)
    exact = best.proven and chosen.proven
    before, after = (
        scale.expected_score(candidate.value, position, candidate.bound, exact)
        for candidate in (best, chosen)
    )
    return round(max(0.0, before - after), 6)


def verdict(cost: float, equity: bool = False, thresholds: Sequence[float] = ()) -> str:
    """The verdict on a move of that cost; an empty string for a good one."""
    thresholds = thresholds or (EQUITY_THRESHOLDS if equity else SCORE_THRESHOLDS)
    grade = ""
    for name, threshold in zip(VERDICTS, thresholds, strict=True):
        if cost >= threshold:
            grade = name
    return grade
