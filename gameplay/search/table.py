# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The transposition table.  Types: table.pxd.

One mapped array of pairs of 64-bit words, (key ^ data, data), so that threads and processes can share it
without locks: a torn pair does not match its key (Hyatt and Mann, "A lock-less transposition table", 2002).

    data, from bit 0:   value + 2^23  24 | depth  8 | bound  2 | complete  1 | generation  5 | move + 1  24

Wins are stored by distance from the position, not from the root. `complete`: no line below was cut off by the
depth limit. The generation is the number of the search: a new search, or the first one of a new game, sees an
empty table without clearing it, and visits the same nodes as with a fresh one. Replacement: always.
The move orderings live as long as the entries: the next search of a game begins with the history of the last.
`TreeSearch.lookup` and `TreeSearch.remember` read and write the pairs.

Expectations are doubles, which must not be rounded. Their searches (`engines.expectiminimax.star`), with one
thread, use the same memory for entries of four words: key | data without a value | lower and upper bound.
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
PAGE = 512  # words of the smallest page of memory
GENERATIONS = 31
FIELD = cython.declare(cython.ulonglong, 0xF800000000)  # the bits of the generation
FIRST = cython.declare(cython.ulonglong, 0x800000000)
ZEROS = bytes(16 << 10)  # size of the smallest table
SPARES = 2  # for a match of two engines
LARGEST_SPARE = 64 << 20  # bytes, the usual size
spares = []  # memory of unused tables, with the generation of their last search
if hasattr(os, "register_at_fork"):  # the child would copy pages that the parent writes
    os.register_at_fork(after_in_child=spares.clear)


def spare(size):
    """Memory for a table and the generation of its last search; reused, since new pages are slow."""
    for place, (pages, generation) in enumerate(spares):
        if len(pages) == size:
            del spares[place]
            if generation == GENERATIONS:  # else the first search would clear it, on its own time
                pages.clear()
                generation = 0
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
        self.orderings, self.opened = [], 0
        if not cython.compiled:
            self.busy = [0] * 4096

    def __del__(self):
        """Keep the memory for the next table of this size."""
        if self.owner is None or PrivatePages is None:  # allocation failed, or the interpreter shuts down
            return
        pages = self.owner.obj
        if isinstance(pages, PrivatePages) and self.words == 2 and len(pages) <= LARGEST_SPARE:
            spares.append((pages, self.generation))
            del spares[:-SPARES]

    def make_resident(self):
        """Write to each page: the system provides pages at their first use, which can take milliseconds."""
        for i in range(0, len(self.owner), PAGE):
            self.owner[i] = self.owner[i]

    def new_search(self, keep=False):
        """Begin a search that sees no earlier results, or with `keep` those visible to the last search."""
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
            self.orderings = []
        self.opened = 0

    def ordering(self, create):
        """The move ordering for the next thread of the search, with the history of earlier searches.

        `create()`, a new one, if no earlier search is visible.
        """
        if self.opened == len(self.orderings):
            self.orderings.append(create())
        ordering = self.orderings[self.opened]
        ordering.begin_search()
        self.opened += 1
        return ordering

    def renumber(self):
        """Renumber visible entries as generation 1 and clear all others."""
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
        """Fill with zeros; shared memory in pieces, to save memory."""
        if isinstance(self.owner.obj, PrivatePages):
            self.owner.obj.clear()
            return
        every = self.owner.cast("B")
        for start in range(0, every.nbytes, len(ZEROS)):
            every[start : start + len(ZEROS)] = ZEROS

    def fill(self):
        """Estimated fraction of entries in use, 0 to 1, from a sample."""
        i: cython.int
        used: cython.int = 0
        sample: cython.int = min(SAMPLE, (2 << min(self.bits, 20)) // self.words)
        for i in range(sample):
            if (self.slots[self.words * i + 1] >> 35) & 31 >= self.since:
                used += 1
        return float(used) / sample


def table_bits(text):
    """The `bits` of the largest table within a size such as 64MB; 0 for off."""
    return max(0, (bytes_of(text) // 16).bit_length() - 1)
