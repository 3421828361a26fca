"""A player's payoff of a game on average, where payoffs count as points: the mean, its 95 % interval, and
LOS.

The games of a group, one with each seating, share their opening and their dice. Luck that is the same for all
cancels out in the mean of the group, and the games counted singly would give a wrong interval: a group is one
observation. The interval is that of `interval`; LOS is the likelihood that the true mean is above 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gameplay.statistics.interval import NoRating, estimate


@dataclass(frozen=True)
class Mean:
    """The mean payoff of a game, in the game's own points."""

    mean: float
    low: float  # the ends of the 95 % interval
    high: float
    los: float  # 0 to 1
    groups: int  # it was computed from

    def __str__(self) -> str:
        return f"{self.mean:+.2f} a game [{self.low:+.2f}, {self.high:+.2f}]"

    def as_dict(self) -> dict[str, float]:
        """The fields as plain data for JSON, rounded to 6 decimals."""
        return {key: round(value, 6) for key, value in vars(self).items()}


def mean(groups: Sequence[float]) -> Mean:
    """The mean of the groups' means.

    Raises NoRating if there are fewer than two groups, or if all are equal: the payoffs of a game have no
    common bound, so that no interval can be given without a spread.
    """
    if len(groups) < 2:
        raise NoRating("an interval needs two groups of games, one game with each seating")
    result = estimate(groups)
    return Mean(result.mean, result.low, result.high, result.los, len(groups))
