"""The mean of independent results with its 95 % confidence interval, and the confidence that it exceeds a
value.

Every interval and likelihood of superiority (LOS) of a match is computed here, except for ratings of many
players (`joint`), which use quantiles of the same distribution (`student`).

    mean m, sample deviation s (of n - 1), skewness g of n results; standard error e = s / sqrt(n)
    interval   m - (t + u) e  to  m + (t + v) e
    t          97.5 % quantile of Student's t distribution with n - 1 degrees of freedom
    u, v       |g| (1 + 2 z^2) / (6 sqrt(n)) on the side of the longer tail, z = 1.96; 0 on the other: the
               first term of Johnson's expansion, without which intervals of very unequal players are too
               narrow (N. Johnson, Modified t tests and confidence intervals for asymmetrical populations,
               1978)
    LOS        the confidence of the one-sided interval that ends at the value: T((m - value) / e - u), T the
               distribution function; at least 1/2 if m is above the value

If all n results equal x, the sample deviation is 0 and no spread can be estimated. A result of probability q
occurs n times with probability q^n, so q >= 0.025^(1/n) with 97.5 % confidence; the other results may lie at
either end of the range. If x is the upper end, this gives the lower bound of n wins, and no upper bound.

Coverage is 93 to 97 % for 10 results or more. For fewer, or if nearly all are equal, it is higher: with so
few possible samples no interval is closer.
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
    """No interval and no rating can be computed from these results; the message is the reason."""


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
    """The mean of the results `values`, of which the i-th occurred `counts[i]` times (once by default).

    span: the smallest and the largest possible result. against: the value that the LOS refers to.
    Raises NoRating if there are no results; with an unbounded span also if all are equal, or only one.
    """
    counts = [1] * len(values) if counts is None else counts
    sample = [(value, count) for value, count in zip(values, counts, strict=True) if count]
    total = sum(count for _, count in sample)
    if not total:
        raise NoRating("there are no results")
    mean = math.fsum(value * count for value, count in sample) / total
    squares = math.fsum(count * (value - mean) ** 2 for value, count in sample)
    if squares <= 1e-18 * (1 + mean * mean):
        return _estimate_without_spread(mean, total, span, against)
    error = math.sqrt(squares / (total - 1) / total)
    cubes = math.fsum(count * (value - mean) ** 3 for value, count in sample)
    skew = cubes / total / (squares / total) ** 1.5 * _SKEW / math.sqrt(total)
    below, above = max(0.0, -skew), max(0.0, skew)
    t = student.quantile(1 - TAIL, total - 1)
    distance = (mean - against) / error
    corrected = max(0.0, distance - below) if distance > 0 else min(0.0, distance + above)
    return Estimate(
        mean=mean,
        low=max(span[0], mean - (t + below) * error),
        high=min(span[1], mean + (t + above) * error),
        los=student.cdf(corrected, total - 1),
    )


def _estimate_without_spread(value: float, total: int, span: tuple[float, float], against: float) -> Estimate:
    """The estimate from `total` results that all equal `value`."""
    low, high = span
    if math.isinf(low) or math.isinf(high):
        raise NoRating(
            "an interval needs two results or more"
            if total == 1
            else f"all {total} results are equal, so there is no spread to compute an interval from"
        )
    rest = 1 - TAIL ** (1 / total)  # upper bound of the probability of any other result
    if value == against:
        los = 0.5
    else:
        end = low if value > against else high
        error = ((against - end) / (value - end)) ** total
        los = max(0.5, 1 - error) if value > against else min(0.5, error)
    return Estimate(value, value - (value - low) * rest, value + (high - value) * rest, los)
