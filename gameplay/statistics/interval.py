"""The mean of independent results with its 95 % confidence interval, and the confidence that it exceeds a
value.

Every interval and every likelihood of superiority (LOS) of a match comes from here; `joint` fits many players
at once and takes its quantiles from the same distribution (`student`).

    mean m, sample deviation s (of n - 1), skewness g of n results; standard error e = s / sqrt(n)
    interval   m - (t + u) e  to  m + (t + v) e
    t          97.5 % quantile of Student's t distribution with n - 1 degrees of freedom
    u, v       |g| (1 + 2 z^2) / (6 sqrt(n)) on the side of the longer tail, z = 1.96; 0 on the other. Without
               that, matches of very unequal players have intervals that are too narrow: the first term of
               Johnson's expansion (N. Johnson, Modified t tests and confidence intervals for asymmetrical
               populations, 1978)
    LOS        the confidence of the one-sided interval that ends at the value: T((m - value) / e - u), T the
               distribution function; at least 1/2 where m is above the value

Where all n results are x the sample deviation is 0 and shows nothing. A result of probability q occurs n
times with probability q^n, so q >= 0.025^(1/n) with 97.5 % confidence; the other results may lie at either
end of the range. With x at the upper end that is the lower bound of n wins, and no upper bound.

Coverage is 93 to 97 % from 10 results on. Below, and where nearly all results are equal, the intervals cover
more: so few different results are possible that no interval comes closer.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from gameplay.statistics import student

CONFIDENCE = 0.95
TAIL = (1 - CONFIDENCE) / 2
_SKEW = (1 + 2 * NormalDist().inv_cdf(1 - TAIL) ** 2) / 6


class NoRating(ValueError):
    """No interval, and no rating, can be computed from these results; the message says why."""


@dataclass(frozen=True)
class Estimate:
    """The mean of results, its 95 % interval, and the likelihood that the true mean exceeds a value."""

    mean: float
    low: float
    high: float
    los: float  # 0 to 1


def estimate(
    values: Sequence[float],
    counts: Sequence[int] | None = None,
    span: tuple[float, float] = (-math.inf, math.inf),
    against: float = 0.0,
) -> Estimate:
    """The mean of the results `values`, each of which occurred as often as `counts` says (once by default).

    span: the least and the greatest possible result. against: the value that the LOS refers to.
    Raises NoRating if there are no results; with an unbounded span also if they are all equal, or only one.
    """
    counts = [1] * len(values) if counts is None else counts
    kept = [(value, count) for value, count in zip(values, counts, strict=True) if count]
    total = sum(count for _, count in kept)
    if not total:
        raise NoRating("there are no results")
    mean = math.fsum(value * count for value, count in kept) / total
    squares = math.fsum(count * (value - mean) ** 2 for value, count in kept)
    if squares <= 1e-18 * (1 + mean * mean):
        return _equal(mean, total, span, against)
    error = math.sqrt(squares / (total - 1) / total)
    cubes = math.fsum(count * (value - mean) ** 3 for value, count in kept)
    skew = cubes / total / (squares / total) ** 1.5 * _SKEW / math.sqrt(total)
    below, above = max(0.0, -skew), max(0.0, skew)
    t = student.quantile(1 - TAIL, total - 1)
    distance = (mean - against) / error
    sure = max(0.0, distance - below) if distance > 0 else min(0.0, distance + above)
    return Estimate(
        mean=mean,
        low=max(span[0], mean - (t + below) * error),
        high=min(span[1], mean + (t + above) * error),
        los=student.cdf(sure, total - 1),
    )


def _equal(value: float, total: int, span: tuple[float, float], against: float) -> Estimate:
    """The estimate where all results have the same value."""
    low, high = span
    if math.isinf(low) or math.isinf(high):
        raise NoRating(
            "an interval needs two results or more"
            if total == 1
            else f"all {total} results are equal, so there is no spread to compute an interval from"
        )
    rest = 1 - TAIL ** (1 / total)  # the greatest probability of another result
    if value == against:
        los = 0.5
    else:
        end = low if value > against else high
        error = ((against - end) / (value - end)) ** total
        los = max(0.5, 1 - error) if value > against else min(0.5, error)
    return Estimate(value, value - (value - low) * rest, value + (high - value) * rest, los)
