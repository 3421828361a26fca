# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Signature tables: an evaluation that looks up combinations of terms, level by level.  C types: tables.pxd.

    term     its count, from the view of the side that has just moved, in a few ranges around 0
    table    an entry for each combination of its inputs: three terms, or three tables of the level below
    entry    the output of the table: on the last level C from -1000 to 1000, below it a range from 0

The inputs of a table are contiguous nodes:

    node     0 .. slots - 1: the ranges of the terms; then the output of each table, the last one C
    index    of an entry: the inputs as the digits of a number, the first the most significant

Source: A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers II, IBM Journal of Research
and Development 11 (1967) 601-617.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

from gameplay.kernel import Estimator

if cython.compiled:
    from cython.cimports.gameplay.kernel import Kernel
    from cython.cimports.gameplay.native.pointers import ints
else:
    from gameplay.kernel import Kernel
    from gameplay.native.pointers import ints

MAX_SLOTS = 64  # terms in tables
MAX_NODES = 128
WHOLE = 1000  # the entry for a C of 1
WHOLE_C = cython.declare(cython.int, WHOLE)


class SignatureTables(Estimator):
    """The tables of a `SignatureLayout` (gameplay.signatures.evaluation).

    `reader` counts the terms; `fixed`: weights of all terms in the order of the reader, added to the value of
    the tables; `scale`: the weight for one unit; `span`: the value of a C of 1, in units.
    """

    def __init__(self, reader, layout, fixed, scale, span):
        self.reader = reader
        self.slots, self.tables = len(layout.slots), len(layout.widths)
        self.scale, self.span = scale, span
        if not 0 < self.slots <= MAX_SLOTS or self.slots + self.tables > MAX_NODES:
            raise ValueError("too many terms or tables")
        terms = [reader.names.index(name) for name, _ in layout.slots]
        cuts = [cut for _, sizes in layout.slots for cut in (*sizes, *[1 << 30] * (3 - len(sizes)))]
        self.owners = []
        self.term, self.cut = self.ints(terms), self.ints(cuts)
        self.middle = self.ints([len(sizes) for _, sizes in layout.slots])
        self.first, self.width = self.ints(layout.firsts), self.ints(layout.widths)
        self.radix, self.offset = self.ints(layout.radices), self.ints(layout.offsets)
        self.entries = layout.size
        self.output_owner = array("i", bytes(4 * layout.size))
        self.output = self.ints(self.output_owner)
        self.weight = self.ints(fixed)

    def ints(self, numbers):
        """A pointer to these numbers, which `owners` keeps alive."""
        owner = memoryview(numbers if isinstance(numbers, array) else array("i", numbers))
        self.owners.append(owner)
        return ints(owner)

    def put(self, outputs):
        """Set the entries of all tables."""
        if len(outputs) != self.entries:
            raise ValueError(f"expected {self.entries} entries, found {len(outputs)}")
        self.output_owner[:] = array("i", outputs)

    def ranges(self, counts, nodes):
        """Write the range of each term, from the view of the side that has just moved."""
        i: cython.int
        k: cython.int
        for i in range(self.slots):
            count: cython.int = -counts[self.term[i]]
            size: cython.int = count if count >= 0 else -count
            steps: cython.int = 0
            for k in range(3 * i, 3 * i + self.middle[i]):
                if size >= self.cut[k]:
                    steps += 1
            nodes[i] = self.middle[i] + (steps if count >= 0 else -steps)

    def look_up(self, nodes, end):
        """Write the outputs of the first `end` tables for the ranges of the terms."""
        t: cython.int
        for t in range(end):
            nodes[self.slots + t] = self.output[self.entry(nodes, t)]

    def entry(self, nodes, table):
        """The index of a table's entry for its inputs."""
        i: cython.int
        index: cython.int = 0
        for i in range(self.first[table], self.first[table] + self.width[table]):
            index = index * self.radix[i] + nodes[i]
        return self.offset[table] + index

    def value(self, position):
        counts = cython.declare(cython.int[64])
        nodes = cython.declare(cython.int[128])
        if not cython.compiled:
            counts, nodes = [0] * 64, [0] * MAX_NODES
        if not self.reader.read(position, counts):
            return 0
        self.ranges(counts, nodes)
        self.look_up(nodes, self.tables)
        # 1. From the mover's view: the fixed terms, less the value of the tables for the opponent.
        i: cython.int
        total: cython.longlong = 0
        for i in range(self.reader.size):
            total += cython.cast(cython.longlong, self.weight[i]) * counts[i]
        c: cython.longlong = nodes[self.slots + self.tables - 1]
        total = total * WHOLE_C - c * self.span * self.scale
        # 2. In units, rounded towards 0, for the first player.
        unit: cython.longlong = cython.cast(cython.longlong, WHOLE_C) * self.scale
        total = total // unit if total >= 0 else -(-total // unit)
        return cython.cast(cython.int, -total if position.turn == 1 else total)

    def of(self, kernel: Kernel):
        """C for the side that has just moved. Re-raises errors of the game."""
        return self.rate(self.reader.of(kernel))

    def rate(self, values):
        """C for the side that has just moved; `values`: the counts of the terms from the mover's view."""
        counts = cython.declare(cython.int[64])
        nodes = cython.declare(cython.int[128])
        if not cython.compiled:
            counts, nodes = [0] * 64, [0] * MAX_NODES
        i: cython.int
        for i in range(self.reader.size):
            counts[i] = values[i]
        self.ranges(counts, nodes)
        self.look_up(nodes, self.tables)
        return nodes[self.slots + self.tables - 1]

    def value_of(self, kernel: Kernel):
        """The value for the first player, in the unit of searches. Re-raises errors of the game."""
        value = self.value(kernel)
        kernel.reraise()
        return value
