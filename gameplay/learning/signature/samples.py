# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Recorded moves as samples for signature tables: the terms after each legal move.  C types: samples.pxd.

A sample is a row of counts for each legal move of a position, the recorded one first, from the view of the
side that moves. Measures compare the recorded move with the others:

    L, H           other moves that are rated lower, and higher
    correlation    (L - H) / (L + H), over all samples
    first          the probability that the recorded move is ranked first, ties broken at random
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import doubles, ints, longlongs, schars
    from cython.cimports.gameplay.signatures.tables import SignatureTables
else:
    from gameplay.native.pointers import doubles, ints, longlongs, schars
    from gameplay.signatures.tables import SignatureTables

FARTHEST = cython.declare(cython.int, 127)


class Samples:
    """Samples of `size` terms each."""

    def __init__(self, size):
        self.size = size
        self.rows = 0
        self.count = 0
        self.data = array("b")
        self.lengths = array("i")

    def add(self, rows):
        """A sample: the counts after the recorded move, then those after the others."""
        for row in rows:
            self.data.extend([max(-FARTHEST, min(FARTHEST, count)) for count in row])
        self.lengths.append(len(rows))
        self.rows += len(rows)
        self.count += 1

    # -- terms -----------------------------------------------------------------------------------------------

    def sizes(self, term: cython.int):
        """The frequency of each size, from 0 to 127, of the count of a term."""
        sizes = [0] * 128
        for count in self.data[term :: self.size]:
            sizes[abs(count)] += 1
        return sizes

    def have_equal_counts(self, a, b):
        """True if two terms have equal counts in all rows."""
        return self.data[a :: self.size] == self.data[b :: self.size]

    def agreements(self, term):
        """L and H if moves are rated by one term."""
        weights = array("d", bytes(8 * self.size))
        weights[term] = 1.0
        _, _, lower, higher = self.measure_ranking(self.polynomial_ratings(weights))
        return lower, higher

    # -- ratings ---------------------------------------------------------------------------------------------

    def polynomial_ratings(self, weights):
        """The rating of each row: the sum of weight times count."""
        ratings = array("d", bytes(8 * self.rows))
        if not self.rows:
            return ratings
        data, weight_view, rating_view = (
            memoryview(self.data),
            memoryview(array("d", weights)),
            memoryview(ratings),
        )
        counts: cython.p_schar = schars(data)
        weight: cython.p_double = doubles(weight_view)
        rating: cython.p_double = doubles(rating_view)
        i: cython.longlong
        k: cython.int
        for i in range(self.rows):
            total: cython.double = 0.0
            for k in range(self.size):
                total += weight[k] * counts[i * self.size + k]
            rating[i] = total
        return ratings

    def table_ratings(self, tables: SignatureTables):
        """The rating of each row: C of the last table."""
        ratings = array("d", bytes(8 * self.rows))
        if not self.rows:
            return ratings
        data, rating_view = memoryview(self.data), memoryview(ratings)
        counts: cython.p_schar = schars(data)
        rating: cython.p_double = doubles(rating_view)
        nodes = cython.declare(cython.int[128])
        if not cython.compiled:
            nodes = [0] * 128
        i: cython.longlong
        for i in range(self.rows):
            self.enter(tables, counts, i, nodes)
            tables.look_up(nodes, tables.tables)
            rating[i] = nodes[tables.slots + tables.tables - 1]
        return ratings

    def measure_ranking(self, ratings):
        """The expected number of recorded moves ranked first, and among the first two; L, and H."""
        if not self.count:
            return 0.0, 0.0, 0, 0
        lengths, rating_view = memoryview(self.lengths), memoryview(ratings)
        length: cython.p_int = ints(lengths)
        rating: cython.p_double = doubles(rating_view)
        first: cython.double = 0.0
        second: cython.double = 0.0
        lower: cython.longlong = 0
        higher: cython.longlong = 0
        offset: cython.longlong = 0
        i: cython.int
        k: cython.int
        for i in range(self.count):
            above: cython.int = 0
            equal: cython.int = 1
            for k in range(1, length[i]):
                if rating[offset + k] > rating[offset]:
                    above += 1
                elif rating[offset + k] == rating[offset]:
                    equal += 1
            higher += above
            lower += length[i] - above - equal
            if above < 1:
                first += 1.0 / equal
            if above < 2:
                second += min(1.0, (2.0 - above) / equal)
            offset += length[i]
        return first, second, lower, higher

    # -- tables ----------------------------------------------------------------------------------------------

    def enter(self, tables: SignatureTables, counts, row, nodes):
        """Write the range of each term in a row."""
        ranges = cython.declare(cython.int[64])
        if not cython.compiled:
            ranges = [0] * 64
        k: cython.int
        for k in range(self.size):
            ranges[k] = -counts[row * self.size + k]  # from the view of the side to move
        tables.ranges(ranges, nodes)

    def count_entries(self, tables: SignatureTables, begin: cython.int, end: cython.int):
        """Count A and D of each entry of the tables from `begin` up to `end`; lower levels must be filled.

        A grows by the number of other moves if the recorded move leads to the entry, D by 1 if another move
        does: both have the same sum.
        """
        agreed, differed = array("q", bytes(8 * tables.entries)), array("q", bytes(8 * tables.entries))
        if not self.count:
            return agreed, differed
        data, lengths = memoryview(self.data), memoryview(self.lengths)
        counts: cython.p_schar = schars(data)
        length: cython.p_int = ints(lengths)
        nodes = cython.declare(cython.int[128])
        if not cython.compiled:
            nodes = [0] * 128
        row: cython.longlong = 0
        i: cython.int
        k: cython.int
        t: cython.int
        a = memoryview(agreed)
        d = memoryview(differed)
        agree: cython.p_longlong = longlongs(a)
        differ: cython.p_longlong = longlongs(d)
        for i in range(self.count):
            for k in range(length[i]):
                self.enter(tables, counts, row, nodes)
                tables.look_up(nodes, begin)
                for t in range(begin, end):
                    if k == 0:
                        agree[tables.entry(nodes, t)] += length[i] - 1
                    else:
                        differ[tables.entry(nodes, t)] += 1
                row += 1
        return agreed, differed
