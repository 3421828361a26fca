"""Student's t distribution: its distribution function and its quantiles.

P(|T| > t) = I(x; df/2, 1/2), x = df / (df + t^2), I the regularized incomplete beta function, computed by its
continued fraction (NIST Digital Library of Mathematical Functions, 8.17.22) with Lentz's algorithm. Quantiles
are found by bisection.
"""

import math
from functools import lru_cache


def cdf(t: float, df: float) -> float:
    """P(T <= t) with `df` > 0 degrees of freedom."""
    total = df + t * t
    tail = _beta(df / total, t * t / total, df / 2, 0.5) / 2
    return 1 - tail if t > 0 else tail


@lru_cache(maxsize=1024)
def quantile(p: float, df: float) -> float:
    """The t with P(T <= t) = `p`, 0 < p < 1."""
    if p == 0.5:
        return 0.0
    if p > 0.5:
        return -quantile(1 - p, df)
    low, high = -1.0, 0.0
    while cdf(low, df) > p:
        low, high = 2 * low, low
    while high - low > 1e-14 * -low:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if cdf(middle, df) > p:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def _beta(x: float, y: float, a: float, b: float) -> float:
    """The regularized incomplete beta function I(x; a, b); y is 1 - x, precise where x is near 1."""
    if not x or not y:
        return 1.0 if x else 0.0
    if x > (a + 1) / (a + b + 2):  # the fraction of the other side converges faster
        return 1 - _beta(y, x, b, a)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(y)
    upper, lower = 1.0, 0.0
    fraction = 1.0
    for i in range(10_000):
        m = i // 2
        if i == 0:
            term = 1.0
        elif i % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        lower = 1 / _nonzero(1 + term * lower)
        upper = _nonzero(1 + term / upper)
        fraction *= lower * upper
        if abs(lower * upper - 1) < 1e-15:
            break
    return math.exp(scale) / a * (fraction - 1)


def _nonzero(x: float) -> float:
    return x if abs(x) > 1e-300 else 1e-300
