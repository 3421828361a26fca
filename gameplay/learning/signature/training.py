"""The layout and the entries of signature tables, from samples of recorded moves.

Source: A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers II, IBM Journal of Research
and Development 11 (1967) 601-617; EXERP.ALS (Stanford, 1973): 27 terms in 7, 5 or 3 ranges, nine tables of
105 entries, outputs in 5 ranges, three tables, one table; each entry counts A and D, C = (A - D) / (A + D).

Details that the sources leave open:

- terms are grouped by threes in the order of their evaluation; of each three the one that agrees most with
  recorded moves has 7 ranges, the next 5. A term that never differs from an earlier one is left out;
- ranges are equally frequent, as far as whole numbers allow, and symmetric around 0;
- A grows by the number of the other moves, so that A and D have the same sum;
- opposite signatures share their counts: A of one is D of the other;
- the ranges of outputs are equally frequent too. Tables are counted level by level, each after those below;
- a position with captures is played on to a quiet one, by material.
"""

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gameplay.position import AbstractEvaluation, AbstractPosition
from gameplay.signatures.evaluation import FARTHEST, INPUTS, MAX_CUTS, RANGES, SignatureLayout, Slot
from gameplay.signatures.tables import WHOLE, SignatureTables
from gameplay.value import WIN

if TYPE_CHECKING:
    from gameplay.kernel import Kernel
    from gameplay.learning.signature.samples import Samples
    from gameplay.terms.reader import TermReader

MAX_TERMS = 27
SPREAD = (7, 5, 3)  # ranges of the terms of a table
MAX_DEPTH = 8  # captures in a row that are searched


# -- quiescence ----------------------------------------------------------------------------------------------


class MaterialQuiescence:
    """Counts terms at the end of a quiescence search by material."""

    def __init__(self, terms: AbstractEvaluation, reader: "TermReader") -> None:
        self.reader = reader
        self.material = [
            (place, terms.weights[name]) for place, name in enumerate(reader.names) if name in terms.fixed
        ]

    def counts(self, position: AbstractPosition, kernel: "Kernel") -> list[int]:
        """The counts of the quiet position at the end of the best captures, from the view of the mover."""
        if not self.material:
            return list(self.reader.of(kernel))
        return self._search(position, kernel, -WIN, WIN, MAX_DEPTH)[1]

    def _search(
        self, position: AbstractPosition, kernel: "Kernel", alpha: int, beta: int, depth: int
    ) -> tuple[int, list[int]]:
        """Material and counts at the end of the best line, from the mover's view."""
        moves = position.noisy() if depth and position.outcome() is None else ()
        best: tuple[int, list[int]] | None = None
        if not moves or not position.forced():
            counts = self.reader.of(kernel)
            best = sum(weight * counts[place] for place, weight in self.material), counts
        for move in moves:
            bound = alpha if best is None else max(alpha, best[0])
            if best is not None and best[0] >= beta:
                break
            position.make(move)
            value, counts = self._search(position, kernel, -beta, -bound, depth - 1)
            position.unmake()
            if best is None or -value > best[0]:
                best = -value, [-count for count in counts]
        assert best is not None
        return best


# -- the layout ----------------------------------------------------------------------------------------------


def layout_of(names: Sequence[str], samples: "Samples") -> SignatureLayout:
    """Assign terms to tables, and choose their ranges."""
    places: list[int] = []
    for place in range(len(names)):
        if not any(samples.have_equal_counts(place, other) for other in places):
            places.append(place)
    places = places[:MAX_TERMS]
    slots: list[Slot] = []
    for begin in range(0, len(places), INPUTS):
        group = places[begin : begin + INPUTS]
        strongest = sorted(group, key=lambda place: -_strength(samples, place))
        for place in group:
            cuts = cuts_of(samples.sizes(place), SPREAD[strongest.index(place)])
            slots.append((names[place], cuts))
    return SignatureLayout(tuple(slots))


def _strength(samples: "Samples", place: int) -> int:
    lower, higher = samples.agreements(place)
    return int(abs(lower - higher))


def cuts_of(sizes: Sequence[int], ranges: int) -> tuple[int, ...]:
    """The smallest size of a count in each range away from 0, for an odd number of ranges.

    `sizes`: the frequency of each size. Cuts are the integers that bring the share of smaller sizes nearest
    to 1 / ranges, 3 / ranges, ...
    """
    total, cuts, below = sum(sizes), list[int](), [0]
    for count in sizes:
        below.append(below[-1] + count)
    for number in range(ranges // 2):
        begin = cuts[-1] + 1 if cuts else 1
        target = (2 * number + 1) * total
        errors = {
            cut: abs(below[min(cut, len(sizes))] * ranges - target)
            for cut in range(begin, FARTHEST + MAX_CUTS)
        }
        cuts.append(min(errors, key=errors.__getitem__))
    return tuple(cuts)


# -- the entries ---------------------------------------------------------------------------------------------


def train(tables: SignatureTables, layout: SignatureLayout, samples: "Samples") -> list[int]:
    """Fill the tables from the samples, level by level; return the entries of all tables."""
    outputs = [0] * layout.size
    begin = 0
    for level in layout.levels:
        agreed, differed = samples.count_entries(tables, begin, begin + level)
        for number in range(begin, begin + level):
            at, size = layout.offsets[number], layout.sizes[number]
            agree, differ = symmetric(agreed[at : at + size], differed[at : at + size])
            last = number == len(layout.sizes) - 1
            outputs[at : at + size] = values(agree, differ) if last else ranges(agree, differ)
        tables.put(outputs)
        begin += level
    return outputs


def symmetric(agreed: "array[int]", differed: "array[int]") -> tuple[list[int], list[int]]:
    """A and D with those of the opposite signatures, which are in reverse order, exchanged and added."""
    agree = [a + d for a, d in zip(agreed, reversed(differed), strict=True)]
    return agree, agree[::-1]


def coefficient(agree: int, differ: int) -> float:
    """C; 0 for a signature that never occurred."""
    return (agree - differ) / (agree + differ) if agree + differ else 0.0


def values(agree: Sequence[int], differ: Sequence[int]) -> list[int]:
    """The entries of the last table: C in thousandths."""
    entries = []
    for a, d in zip(agree, differ, strict=True):
        size = int(abs(coefficient(a, d)) * WHOLE + 0.5)
        entries.append(size if a > d else -size)
    return entries


def ranges(agree: Sequence[int], differ: Sequence[int]) -> list[int]:
    """The entries of other tables: the range of C, from 0, of five equally frequent ones.

    Opposite signatures are in opposite ranges.
    """
    middle, entries = RANGES // 2, [RANGES // 2] * len(agree)
    masses: dict[float, int] = {}
    for a, d in zip(agree, differ, strict=True):
        c = coefficient(a, d)
        masses[c] = masses.get(c, 0) + a + d
    total, below, places = sum(masses.values()), 0, dict[float, int]()
    for c in sorted(masses):
        places[c] = (2 * below + masses[c]) * RANGES // (2 * total) if total else middle
        below += masses[c]
    for entry, (a, d) in enumerate(zip(agree, differ, strict=True)):
        if a > d:
            entries[entry] = max(middle, min(RANGES - 1, places[coefficient(a, d)]))
        elif a < d:
            entries[entry] = RANGES - 1 - max(middle, min(RANGES - 1, places[coefficient(d, a)]))
    return entries


def polynomial(samples: "Samples") -> list[float]:
    """The weights of a polynomial for comparison: each term's correlation divided by its mean size."""
    weights = []
    for place in range(samples.size):
        lower, higher = samples.agreements(place)
        mean = sum(size * count for size, count in enumerate(samples.sizes(place))) / max(1, samples.rows)
        weights.append((lower - higher) / (lower + higher) / mean if lower + higher else 0.0)
    return weights
