"""What a player gets of a game on average, where payoffs are points: the mean, its 95 % interval, and LOS.

The games of a group, one with each seating, share their opening and their dice: luck that is the same for all
cancels out in the mean of the group, and taken singly the games would give a wrong interval. So a group is
one observation.

    mean m and deviation s of the groups' means, n groups, standard error e = s / sqrt(n - 1)
    interval = m - 1.96 e to m + 1.96 e    (normal approximation, as that of Elo in `rating`)
    LOS      = Phi(m / e)                  how sure it is that the mean is above 0
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, pstdev

from gameplay.statistics.rating import CONFIDENCE, NoRating

_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


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

    Raises NoRating if there are fewer than two groups, or if all are alike: then nothing shows the spread.
    """
    if len(groups) < 2:
        raise NoRating("an interval needs two groups of games, one game with each seating")
    spread = pstdev(groups)
    if spread == 0:
        raise NoRating("every group ended alike, so there is no spread to compute an interval from")
    middle, error = fmean(groups), spread / math.sqrt(len(groups) - 1)
    los = NormalDist().cdf(middle / error)
    return Mean(middle, middle - _Z * error, middle + _Z * error, los, len(groups))
