"""The cost of a move for the mover, compared with the best one, and its classification.

A cost is the fall of the mover's expected points (`value.expected`), from 1 for a win to 0 for a loss; in
games of chance the fall of their equity, in stakes. An inaccuracy costs 0.05
expected points, a mistake 0.10, a blunder 0.15: half of what lichess calls so on its scale from -1 to 1. The
thresholds of equity are 0.04, 0.08 and 0.16. Games with points may set `Position.mistake_thresholds`.
"""

from collections.abc import Sequence
from math import hypot
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.search.report import Candidate

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

VERDICTS = ("inaccuracy", "mistake", "blunder")
COSTS = (0.05, 0.10, 0.15)  # expected points from which a move is called so
EQUITY = (0.04, 0.08, 0.16)  # ... and stakes, in games of chance
DOUBT = 2.0  # standard errors that a difference of two means must exceed


def cost(position: "AbstractPosition", best: Candidate, chosen: Candidate) -> float:
    """The cost of the move `chosen`; 0 if it is as good, or means differ by less than their errors."""
    if best.move == chosen.move or best.value <= chosen.value or "unknown" in (best.bound, chosen.bound):
        return 0.0
    if best.bound == "expectation" and best.value - chosen.value <= DOUBT * hypot(best.error, chosen.error):
        return 0.0
    if position.chance:
        stake: int = position.stake if position.scored else 1
        return round((best.value - chosen.value) / int(position.unit) / max(1, stake), 6)
    exact = best.proven and chosen.proven
    before, after = (scale.expected_score(one.value, position, one.bound, exact) for one in (best, chosen))
    return round(max(0.0, before - after), 6)


def verdict(cost: float, equity: bool = False, thresholds: Sequence[float] = ()) -> str:
    """The name of a move of that cost; an empty string for a good one."""
    word = ""
    for name, least in zip(VERDICTS, thresholds or (EQUITY if equity else COSTS), strict=True):
        if cost >= least:
            word = name
    return word
