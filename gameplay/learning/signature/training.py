"""The layout and the entries of signature tables, from samples of recorded moves.

Source: A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers II, IBM Journal of Research
and Development 11 (1967) 601-617; EXERP.ALS (Stanford, 1973): 27 terms in 7, 5 or 3 ranges, nine tables of
105 entries, outputs in 5 ranges, three tables, one table; each entry counts A and D, C = (A - D) / (A + D).

What those texts leave open is decided here:

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
from gameplay.signatures.evaluation import FARTHEST, INPUTS, MOST_CUTS, RANGES, SignatureLayout, Slot
from gameplay.signatures.tables import WHOLE, SignatureTables
from gameplay.value import WIN

if TYPE_CHECKING:
    from gameplay.kernel import Kernel
    from gameplay.learning.signature.samples import Samples
    from gameplay.terms.reader import TermReader

MOST = 27  # terms
SPREAD = (7, 5, 3)  # ranges of the terms of a table
DEEPEST = 8  # captures in a row that are looked at


# -- what a move leads to ------------------------------------------------------------------------------------


class Settling:
    """Counts terms where captures are over: each side takes what wins most material."""

    def __init__(self, terms: AbstractEvaluation, reader: "TermReader") -> None:
        self.reader = reader
        self.material = [
            (place, terms.weights[name]) for place, name in enumerate(reader.names) if name in terms.fixed
        ]

    def counts(self, position: AbstractPosition, kernel: "Kernel") -> list[int]:
        """The counts of the quiet position that captures lead to, from the view of the mover here."""
        if not self.material:
            return list(self.reader.of(kernel))
        return self._search(position, kernel, -WIN, WIN, DEEPEST)[1]

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
            least = alpha if best is None else max(alpha, best[0])
            if best is not None and best[0] >= beta:
                break
            position.make(move)
            value, counts = self._search(position, kernel, -beta, -least, depth - 1)
            position.unmake()
            if best is None or -value > best[0]:
                best = -value, [-count for count in counts]
        assert best is not None
        return best


# -- the layout ----------------------------------------------------------------------------------------------


def layout_of(names: Sequence[str], samples: "Samples") -> SignatureLayout:
    """Which terms are in which table, and in which ranges."""
    places: list[int] = []
    for place in range(len(names)):
        if not any(samples.same(place, other) for other in places):
            places.append(place)
    places = places[:MOST]
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
    """The sizes from which on a count is one range farther from 0, for an odd number of ranges.

    `sizes` says how often each size occurs. Of all whole numbers those are taken that bring the share of
    smaller sizes nearest to 1 / ranges, 3 / ranges, ...
    """
    total, cuts, below = sum(sizes), list[int](), [0]
    for count in sizes:
        below.append(below[-1] + count)
    for number in range(ranges // 2):
        least = cuts[-1] + 1 if cuts else 1
        aim = (2 * number + 1) * total
        errors = {
            cut: abs(below[min(cut, len(sizes))] * ranges - aim) for cut in range(least, FARTHEST + MOST_CUTS)
        }
        cuts.append(min(errors, key=errors.__getitem__))
    return tuple(cuts)


# -- the entries ---------------------------------------------------------------------------------------------


def train(tables: SignatureTables, layout: SignatureLayout, samples: "Samples") -> list[int]:
    """Count the samples into the tables, level by level; the entries of all tables, which they then hold."""
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
    """A and D with those of opposite signatures exchanged and added; these are in reverse order."""
    agree = [a + d for a, d in zip(agreed, reversed(differed), strict=True)]
    return agree, agree[::-1]


def coefficient(agree: int, differ: int) -> float:
    """C; 0 for a signature that never occurred."""
    return (agree - differ) / (agree + differ) if agree + differ else 0.0


def values(agree: Sequence[int], differ: Sequence[int]) -> list[int]:
    """C in thousandths, of the last table."""
    found = []
    for a, d in zip(agree, differ, strict=True):
        size = int(abs(coefficient(a, d)) * WHOLE + 0.5)
        found.append(size if a > d else -size)
    return found


def ranges(agree: Sequence[int], differ: Sequence[int]) -> list[int]:
    """Which of five equally frequent ranges C is in, from 0 up; opposite signatures in opposite ranges."""
    middle, found = RANGES // 2, [RANGES // 2] * len(agree)
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
            found[entry] = max(middle, min(RANGES - 1, places[coefficient(a, d)]))
        elif a < d:
            found[entry] = RANGES - 1 - max(middle, min(RANGES - 1, places[coefficient(d, a)]))
    return found


def polynomial(samples: "Samples") -> list[float]:
    """A weight for each term, to compare with: its correlation by its mean size."""
    weights = []
    for place in range(samples.size):
        lower, higher = samples.agreements(place)
        mean = sum(size * count for size, count in enumerate(samples.sizes(place))) / max(1, samples.rows)
        weights.append((lower - higher) / (lower + higher) / mean if lower + higher else 0.0)
    return weights
