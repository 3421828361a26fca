"""Estimates the size of a tree that is too large to count, from random paths.

D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975: on a path
from the root that chooses uniformly among b(0), b(1), ... branches, the expectation of the product
b(0) b(1) ... b(d - 1), 0 if the path ends earlier, is the number of nodes at depth d. The mean over many
paths is an unbiased estimate of that number; the sum over all depths estimates the size of the whole tree. A
few paths contribute most of the mean, so the estimate is too small more often than too large.

With transpositions there are fewer positions than nodes. Dividing at every step by the number p(i) of
predecessors of the position reached counts each position of depth d once: b(0)/p(1) b(1)/p(2) ...
If only some predecessors are known, p is too small and the estimate too large.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class TreeSize:
    """An estimated size and its standard error."""

    log10: float  # of the estimate, which may exceed the range of floats
    error: float  # relative to the estimate: 0.1 is a tenth

    def as_dict(self) -> dict[str, float]:
        """Plain data."""
        return {"log10": round(self.log10, 4), "error": round(self.error, 4)}


def nodes(lines: Sequence[Sequence[int]]) -> TreeSize:
    """The number of nodes of a tree, with the root. A path is the list of branches at each of its nodes."""
    return mean([sum(products(line)) for line in lines])


def leaves(lines: Sequence[Sequence[int]]) -> TreeSize:
    """The number of leaves: complete games. Each path must end at a leaf."""
    return mean([products(line)[-1] for line in lines])


def positions(lines: Sequence[Sequence[tuple[int, int]]]) -> TreeSize:
    """The number of positions of a game, counted separately at each depth.

    A path is a list of (branches, predecessors of the position reached).
    """
    sums = []
    for line in lines:
        weight = total = Fraction(1)
        for branches, parents in line:
            weight *= Fraction(branches, parents)
            total += weight
        sums.append(total)
    return mean(sums)


def products(line: Sequence[int]) -> list[int]:
    """The partial products 1, b(0), b(0) b(1), ..."""
    products = [1]
    for branches in line:
        products.append(products[-1] * branches)
    return products


def mean(weights: Sequence[int | Fraction]) -> TreeSize:
    """The mean of numbers too large for floats, and its relative standard error (infinite for one number)."""
    total = Fraction(0)
    for weight in weights:
        total += weight
    average = total / len(weights)
    if len(weights) < 2:
        return TreeSize(log10(average), math.inf)
    spread = sum(float(weight / average - 1) ** 2 for weight in weights) / (len(weights) - 1)
    return TreeSize(log10(average), math.sqrt(spread / len(weights)))


def log10(number: Fraction) -> float:
    """The decimal logarithm of a positive fraction, which may exceed the range of floats."""
    return math.log10(number.numerator) - math.log10(number.denominator)
