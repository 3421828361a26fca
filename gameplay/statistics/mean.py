"""A player's mean payoff, its 95 % interval and LOS, for games whose payoffs count as points.

The games of a group, one for each seating, share their opening and dice. A group is one observation: its luck
cancels out in its mean, and single games would give a wrong interval. The interval is that of `interval`; LOS
is the likelihood that the true mean is above 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gameplay.statistics.interval import NoRating, estimate


@dataclass(frozen=True)
class Mean:
    """The mean payoff per game, in points of the game."""

    mean: float
    low: float  # the ends of the 95 % interval
    high: float
    los: float  # 0 to 1
    groups: int  # number of observations

    def __str__(self) -> str:
        return f"{self.mean:+.2f} a game [{self.low:+.2f}, {self.high:+.2f}]"

    def as_dict(self) -> dict[str, float]:
        """The fields as plain data for JSON, rounded to 6 decimals."""
        return {key: round(value, 6) for key, value in vars(self).items()}


def mean(groups: Sequence[float]) -> Mean:
    """The mean of the groups' means.

    Raises NoRating for fewer than two groups, or if all are equal: payoffs have no common bound, so an
    interval requires a spread.
    """
    if len(groups) < 2:
        raise NoRating("an interval needs two groups of games, one game with each seating")
    result = estimate(groups)
    return Mean(result.mean, result.low, result.high, result.los, len(groups))
