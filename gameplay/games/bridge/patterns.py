# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Partition table of the double-dummy solver: trick bounds for patterns. Types: patterns.pxd.

A pattern is a set of positions of one shape (the leader, and the number of cards of each suit and player):
all in which a number of the highest cards of each suit have the same owners. Patterns may contain each other
or overlap. The table is a tree by shape:

- the parent of a pattern contains it; the root contains all positions of the shape;
- the bounds of a pattern hold for all of its positions and are narrower than those of its parent: a pattern
  with the same bounds is redundant and not stored.

A search therefore skips the children of a pattern that does not match. Children are stored in one contiguous
block for locality; a full block moves to one of twice the size. If no memory is left for a block, the pattern
is dropped, and the next `store` clears the table: memory is bounded, and results are reproducible.

Partition search: Ginsberg (AAAI 1996). The tree follows Xue's bridge-solver (2026).
"""

from copy import copy

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.native.memory import memory

if cython.compiled:
    from cython.cimports.gameplay.native.hashing import spread
    from cython.cimports.gameplay.native.memory import address_of
else:
    from gameplay.native.hashing import spread


class PlainPattern:
    """Pattern of patterns.pxd, which describes the fields."""

    __slots__ = (
        "children",
        "count",
        "cover",
        "cover_second",
        "first",
        "log2_capacity",
        "lower",
        "second",
        "upper",
    )

    def __init__(self):
        self.first = self.second = self.cover = self.cover_second = self.children = self.count = 0
        self.log2_capacity, self.lower, self.upper = -1, 0, 0


NEW = cython.declare(cython.int, 0)  # index of the pattern to be inserted
MOVED = cython.declare(cython.int, 1)  # index of the pattern being moved


class TrickBounds:
    """A table of bounds; patterns are referred to by index."""

    def __init__(self, size: cython.int):
        """size: 2**size patterns of 48 bytes."""
        self.size = size
        if not cython.compiled:
            self.entries, self.buckets, self.free_blocks = [], [], []
        else:
            self.owner = memoryview(memory(cython.sizeof(Pattern) << size))
            self.entries = cython.cast(cython.pointer(Pattern), address_of(self.owner))
            self.buckets_owner = memoryview(memory((4 << size) >> 4))
            self.buckets = cython.cast(cython.p_int, address_of(self.buckets_owner))
        self.used = 2
        self.clear()

    def clear(self):
        """Discard all patterns."""
        i: cython.int
        if not cython.compiled:
            self.entries = [PlainPattern(), PlainPattern()]
            self.buckets, self.free_blocks = [0] * (1 << (self.size - 4)), [0] * 32
        else:
            for i in range(1 << (self.size - 4)):
                self.buckets[i] = 0
            for i in range(32):
                self.free_blocks[i] = 0
        self.used = 2
        self.full = False

    def find_root(self, shape):
        """The root pattern of a shape; 0 if there is none."""
        i: cython.int = self.buckets[spread(shape) >> (68 - self.size)]
        while i and self.entries[i].first != shape:
            i = cython.cast(cython.int, self.entries[i].second)
        return i

    def add_root(self, shape):
        """Add a root and return it; 0 if the table is full."""
        i: cython.int = self.allocate_block(0)
        if i:
            bucket: cython.int = cython.cast(cython.int, spread(shape) >> (68 - self.size))
            self.entries[i].first = shape
            self.entries[i].second = self.buckets[bucket]
            self.entries[i].lower, self.entries[i].upper = 0, 13
            self.entries[i].count, self.entries[i].log2_capacity = 0, -1
            self.buckets[bucket] = i
        return i

    # -- probing -----------------------------------------------------------------------------------

    def probe(self, shape, first, second, need):
        """A pattern that decides whether players 0 and 2 take `need` tricks; 0 if there is none."""
        root: cython.int = self.find_root(shape)
        return self.match(root, first, second, need) if root else 0

    def match(self, parent, first, second, need):
        """As `probe`, among the descendants of `parent`."""
        begin: cython.int = self.entries[parent].children
        i: cython.int
        for i in range(begin, begin + self.entries[parent].count):
            differ: cython.ulonglong = (self.entries[i].first ^ first) & self.entries[i].cover
            if differ | (self.entries[i].second ^ second) & self.entries[i].cover_second:
                continue
            if self.entries[i].lower >= need or self.entries[i].upper < need:
                return i
            if self.entries[i].count:
                index: cython.int = self.match(i, first, second, need)
                if index:
                    return index
        return 0

    # -- storing -----------------------------------------------------------------------------------

    def store(self, shape, first, second, cover, cover_second, lower, upper):
        """Store bounds of the tricks of players 0 and 2 for the owners masked by `cover`."""
        if self.full:
            self.clear()
        root: cython.int = self.find_root(shape)
        if not root:
            root = self.add_root(shape)
        if root:
            self.entries[NEW].first, self.entries[NEW].second = first & cover, second & cover_second
            self.entries[NEW].cover, self.entries[NEW].cover_second = cover, cover_second
            self.entries[NEW].lower, self.entries[NEW].upper = lower, upper
            self.entries[NEW].count, self.entries[NEW].log2_capacity = 0, -1
            self.insert(root)

    def is_contained(self, i, j):
        """True if pattern j contains pattern i."""
        return not (
            self.entries[j].cover & ~self.entries[i].cover
            | self.entries[j].cover_second & ~self.entries[i].cover_second
            | (self.entries[i].first ^ self.entries[j].first) & self.entries[j].cover
            | (self.entries[i].second ^ self.entries[j].second) & self.entries[j].cover_second
        )

    def insert(self, parent):
        """Insert pattern NEW below one that contains it."""
        i: cython.int = self.entries[parent].children
        while i < self.entries[parent].children + self.entries[parent].count:
            if self.is_contained(NEW, i):
                if self.is_contained(i, NEW):
                    self.narrow(i, self.entries[NEW].lower, self.entries[NEW].upper)
                    self.move_children(i, NEW)
                    return
                self.entries[NEW].lower = max(self.entries[NEW].lower, self.entries[i].lower)
                self.entries[NEW].upper = min(self.entries[NEW].upper, self.entries[i].upper)
                if self.same_bounds(NEW, i):
                    self.move_children(i, NEW)
                else:
                    self.insert(i)
                return
            if self.is_contained(i, NEW):
                self.narrow(i, self.entries[NEW].lower, self.entries[NEW].upper)
                if self.same_bounds(NEW, i):
                    self.move_children(NEW, i)
                else:
                    self.append(NEW, i)
                self.remove(parent, i)
            else:
                i += 1
        self.append(parent, NEW)

    def narrow(self, i, lower, upper):
        """Narrow the bounds of a pattern and of its descendants."""
        if self.entries[i].lower >= lower and self.entries[i].upper <= upper:
            return
        self.entries[i].lower = max(self.entries[i].lower, lower)
        self.entries[i].upper = min(self.entries[i].upper, upper)
        k: cython.int = 0
        while k < self.entries[i].count:
            j: cython.int = self.entries[i].children + k
            self.narrow(j, lower, upper)
            if self.same_bounds(i, j):
                self.copy(MOVED, j)
                self.remove(i, j)
                self.move_children(i, MOVED)
            else:
                k += 1

    def same_bounds(self, i, j):
        """True if two patterns have the same bounds."""
        return (
            self.entries[i].lower == self.entries[j].lower and self.entries[i].upper == self.entries[j].upper
        )

    # -- blocks ------------------------------------------------------------------------------------

    def append(self, parent, i):
        """Append pattern i to the children of another, or drop it if the table is full."""
        log2_capacity: cython.int = self.entries[parent].log2_capacity
        count: cython.int = self.entries[parent].count
        if log2_capacity < 0 or count == 1 << log2_capacity:
            block: cython.int = self.allocate_block(log2_capacity + 1)
            if not block:
                return
            k: cython.int
            for k in range(count):
                self.copy(block + k, self.entries[parent].children + k)
            if log2_capacity >= 0:
                self.free_block(self.entries[parent].children, log2_capacity)
            self.entries[parent].children = block
            self.entries[parent].log2_capacity = log2_capacity + 1
        self.copy(self.entries[parent].children + count, i)
        self.entries[parent].count = count + 1

    def remove(self, parent, i):
        """Remove pattern i from the children of another."""
        self.entries[parent].count -= 1
        self.copy(i, self.entries[parent].children + self.entries[parent].count)

    def move_children(self, parent, i):
        """Move the children of pattern i to another."""
        k: cython.int
        for k in range(self.entries[i].count):
            self.append(parent, self.entries[i].children + k)
        if self.entries[i].log2_capacity >= 0:
            self.free_block(self.entries[i].children, self.entries[i].log2_capacity)

    def copy(self, to, i):
        """Copy a pattern without its children."""
        if cython.compiled:
            self.entries[to] = self.entries[i]
        else:
            self.entries[to] = copy(self.entries[i])

    def allocate_block(self, log2_capacity):
        """Allocate a block of 2**log2_capacity patterns; 0 if the table is full."""
        i: cython.int = self.free_blocks[log2_capacity]
        if i:
            self.free_blocks[log2_capacity] = self.entries[i].children
        elif self.used + (1 << log2_capacity) <= 1 << self.size:
            i = self.used
            self.used += 1 << log2_capacity
            if not cython.compiled:
                self.entries += [PlainPattern() for k in range(1 << log2_capacity)]
        else:
            self.full = True
        return i

    def free_block(self, block, log2_capacity):
        """Free a block."""
        self.entries[block].children = self.free_blocks[log2_capacity]
        self.free_blocks[log2_capacity] = block
