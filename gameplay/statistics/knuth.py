"""The estimated size of a tree that is too large to count, from random paths.

D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975: on a path
from the root that chooses uniformly among b(0), b(1), ... branches, the product b(0) b(1) ... b(d - 1) has
the number of nodes at depth d as its mean (0 if the path ends before). The mean over many paths is an
unbiased estimate of it, and the sum over all depths one of the size of the whole tree. A few paths contribute
most of the mean, so that the estimate is too small more often than too large.

With transpositions there are fewer positions than nodes. Dividing at every step by the number p(i) of
predecessors of the position reached counts each position of depth d once: b(0)/p(1) b(1)/p(2) ...
If only some predecessors are known, p is too small and the estimate too large.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Size:
    """An estimate: powers of ten, since that is all that matters, and the standard error of the mean."""

    log10: float
    error: float  # relative to the estimate: 0.1 is a tenth

    def as_dict(self) -> dict[str, float]:
        """Plain data."""
        return {"log10": round(self.log10, 4), "error": round(self.error, 4)}


def nodes(lines: Sequence[Sequence[int]]) -> Size:
    """The nodes of a tree, including the root. Each path is given by the branches at each of its nodes."""
    return mean([sum(products(line)) for line in lines])


def leaves(lines: Sequence[Sequence[int]]) -> Size:
    """The leaves: lines of play to the end. Each path ends at one."""
    return mean([products(line)[-1] for line in lines])


def positions(lines: Sequence[Sequence[tuple[int, int]]]) -> Size:
    """The positions of a game, by depth, from paths of (branches, positions that lead to the next)."""
    sums = []
    for line in lines:
        weight = total = Fraction(1)
        for branches, parents in line:
            weight *= Fraction(branches, parents)
            total += weight
        sums.append(total)
    return mean(sums)


def products(line: Sequence[int]) -> list[int]:
    """1, b(0), b(0) b(1), ..."""
    products = [1]
    for branches in line:
        products.append(products[-1] * branches)
    return products


def mean(weights: Sequence[int | Fraction]) -> Size:
    """The mean of figures too large for floats, and its relative standard error (infinite for one alone)."""
    total = Fraction(0)
    for weight in weights:
        total += weight
    average = total / len(weights)
    if len(weights) < 2:
        return Size(log10(average), math.inf)
    spread = sum(float(weight / average - 1) ** 2 for weight in weights) / (len(weights) - 1)
    return Size(log10(average), math.sqrt(spread / len(weights)))


def log10(figure: Fraction) -> float:
    """Of a fraction of any size above 0."""
    return math.log10(figure.numerator) - math.log10(figure.denominator)
