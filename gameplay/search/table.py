# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The transposition table: what a search learned about positions it may meet again.  Types: table.pxd.

One mapped array of pairs of 64-bit words, (key ^ data, data), so that threads and processes can share it
without locks: a torn pair does not match its key (Hyatt and Mann, "A lock-less transposition table", 2002).

    data, from bit 0:   value + 2^23  24 | depth  8 | bound  2 | complete  1 | generation  5 | move + 1  24

Wins are stored by their distance from the position, not from the root. `complete` says that no line below
was cut off for want of depth. The generation is the number of the search: a new search, or the first one
of a new game, sees an empty table without clearing it, and finds the same as with a fresh one. Replacement:
always, the newest result stays. `TreeSearch.lookup` and `TreeSearch.remember` read and write the pairs.

Expectations are doubles, which must not be rounded. Their searches (`search.star`), of one thread, use the
same memory for entries of four words: key | data without a value | lower bound | upper bound, as doubles.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import os

from gameplay.native.memory import PrivatePages, memory
from gameplay.options import bytes_of

if cython.compiled:
    from cython.cimports.gameplay.native.memory import address_of

SAMPLE = 1000  # entries sampled to estimate how full the table is
GENERATIONS = 31
FIELD = cython.declare(cython.ulonglong, 0xF800000000)  # the bits of the generation
FIRST = cython.declare(cython.ulonglong, 0x800000000)
ZEROS = bytes(16 << 10)  # as large as the smallest table
SPARES = 2  # for two engines that play each other
LARGEST_SPARE = 64 << 20  # bytes, the usual size
spares = []  # memory of tables that no search uses any more, with the generation of its last search
if hasattr(os, "register_at_fork"):  # a page that the parent has written would be copied
    os.register_at_fork(after_in_child=spares.clear)


def spare(size):
    """Memory for a table and the generation of its last search, used before if possible: new pages cost more
    than a small search."""
    for place, (pages, generation) in enumerate(spares):
        if len(pages) == size:
            del spares[place]
            return pages, generation
    return memory(size), 0


class Table:
    """2**bits pairs of 16 bytes; `bits` is 10 to 32. `buffer`: shared memory to use instead of our own."""

    def __init__(self, bits, buffer=None):
        size = 16 << bits
        self.generation = 0
        if buffer is None:
            buffer, self.generation = spare(size)
        self.owner = memoryview(buffer)[:size].cast("Q")
        if cython.compiled:
            self.slots = cython.cast(cython.p_ulonglong, address_of(self.owner))
        else:
            self.slots = self.owner
        self.bits = bits
        self.shift = 64 - bits
        self.words = 2
        self.since = self.generation + 1
        if not cython.compiled:
            self.busy = [0] * 4096

    def __del__(self):
        """Leave the memory to the next table of this size."""
        if self.owner is None or PrivatePages is None:  # no memory was left, or the interpreter ends
            return
        pages = self.owner.obj
        if isinstance(pages, PrivatePages) and self.words == 2 and len(pages) <= LARGEST_SPARE:
            spares.append((pages, self.generation))
            del spares[:-SPARES]

    def new_search(self, keep=False):
        """Begin a search that sees no earlier results, or with `keep` those that the last one saw."""
        self.generation += 1
        if self.generation > GENERATIONS:
            if keep:
                self.renumber()
                self.generation = 2
            else:
                self.wipe()
                self.generation = 1
            self.since = 1
        if not keep:
            self.since = self.generation

    def renumber(self):
        """Give what is seen the first generation, and forget the rest."""
        i: cython.size_t = 0
        while i < cython.cast(cython.size_t, 2) << self.bits:
            data: cython.ulonglong = self.slots[i + 1]
            first: cython.ulonglong = data & ~FIELD | FIRST
            if (data >> 35) & 31 < self.since:
                self.slots[i] = self.slots[i + 1] = 0
            else:
                self.slots[i + 1] = first
                if self.words == 2:  # key ^ data
                    self.slots[i] = self.slots[i] ^ data ^ first
            i += self.words

    def wipe(self):
        """Make it all zeros: at once, or shared memory piece by piece, since a copy might not fit."""
        if isinstance(self.owner.obj, PrivatePages):
            self.owner.obj.clear()
            return
        every = self.owner.cast("B")
        for start in range(0, every.nbytes, len(ZEROS)):
            every[start : start + len(ZEROS)] = ZEROS

    def fill(self):
        """Share of the table that holds results of use, 0 to 1, from a sample."""
        i: cython.int
        used: cython.int = 0
        sample: cython.int = min(SAMPLE, (2 << min(self.bits, 20)) // self.words)
        for i in range(sample):
            if (self.slots[self.words * i + 1] >> 35) & 31 >= self.since:
                used += 1
        return float(used) / sample


def table_bits(text):
    """A size such as 64MB as the bits of the largest table within it, 0 for off."""
    return max(0, (bytes_of(text) // 16).bit_length() - 1)
