# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Partition table of the double-dummy solver: trick bounds for patterns. Types: patterns.pxd.

A pattern is a set of positions of one shape (the leader, and the number of cards of each suit and player):
all in which a number of the highest cards of each suit have the same owners. Patterns may contain each other
or overlap. The table is a tree by shape:

- the parent of a pattern contains it; the root contains all positions of the shape;
- the bounds of a pattern hold for all of its positions and are narrower than those of its parent: a pattern
  with the same bounds is redundant and not stored.

So a search skips the children of a pattern that does not match. Children are stored in one contiguous block
for locality; a full block moves to one of twice the size. When no memory is left for a block, the pattern is
dropped, and the next `keep` starts with an empty table: memory is bounded, and results are reproducible.

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
    """See Pattern in patterns.pxd, where the fields are described."""

    __slots__ = ("below", "count", "cover", "cover_second", "first", "high", "low", "room", "second")

    def __init__(self):
        self.first = self.second = self.cover = self.cover_second = self.below = self.count = 0
        self.room, self.low, self.high = -1, 0, 0


NEW = cython.declare(cython.int, 0)  # index of a pattern to be inserted
MOVED = cython.declare(cython.int, 1)  # index of a pattern being moved


class TrickBounds:
    """A table of bounds; patterns are referred to by index."""

    def __init__(self, size: cython.int):
        """size: 2**size patterns of 48 bytes."""
        self.size = size
        if not cython.compiled:
            self.at, self.heads, self.spare = [], [], []
        else:
            self.owner = memoryview(memory(cython.sizeof(Pattern) << size))
            self.at = cython.cast(cython.pointer(Pattern), address_of(self.owner))
            self.heads_owner = memoryview(memory((4 << size) >> 4))
            self.heads = cython.cast(cython.p_int, address_of(self.heads_owner))
        self.used = 2
        self.wipe()

    def wipe(self):
        """Discard all patterns."""
        i: cython.int
        if not cython.compiled:
            self.at = [PlainPattern(), PlainPattern()]
            self.heads, self.spare = [0] * (1 << (self.size - 4)), [0] * 32
        else:
            for i in range(1 << (self.size - 4)):
                self.heads[i] = 0
            for i in range(32):
                self.spare[i] = 0
        self.used = 2
        self.full = False

    def root(self, shape):
        """The root pattern of a shape; 0: there is none."""
        i: cython.int = self.heads[spread(shape) >> (68 - self.size)]
        while i and self.at[i].first != shape:
            i = cython.cast(cython.int, self.at[i].second)
        return i

    def add_root(self, shape):
        """A new root; 0 if the table is full."""
        i: cython.int = self.block(0)
        if i:
            place: cython.int = cython.cast(cython.int, spread(shape) >> (68 - self.size))
            self.at[i].first = shape
            self.at[i].second = self.heads[place]
            self.at[i].low, self.at[i].high = 0, 13
            self.at[i].count, self.at[i].room = 0, -1
            self.heads[place] = i
        return i

    # -- probing -----------------------------------------------------------------------------------

    def find(self, shape, first, second, need):
        """A pattern that decides whether players 0 and 2 take `need` tricks; 0: there is none."""
        root: cython.int = self.root(shape)
        return self.match(root, first, second, need) if root else 0

    def match(self, parent, first, second, need):
        """The same below `parent`."""
        begin: cython.int = self.at[parent].below
        i: cython.int
        for i in range(begin, begin + self.at[parent].count):
            differ: cython.ulonglong = (self.at[i].first ^ first) & self.at[i].cover
            if differ | (self.at[i].second ^ second) & self.at[i].cover_second:
                continue
            if self.at[i].low >= need or self.at[i].high < need:
                return i
            if self.at[i].count:
                index: cython.int = self.match(i, first, second, need)
                if index:
                    return index
        return 0

    # -- storing -----------------------------------------------------------------------------------

    def keep(self, shape, first, second, cover, cover_second, low, high):
        """Store bounds of the tricks of players 0 and 2 for the owners masked by `cover`."""
        if self.full:
            self.wipe()
        root: cython.int = self.root(shape)
        if not root:
            root = self.add_root(shape)
        if root:
            self.at[NEW].first, self.at[NEW].second = first & cover, second & cover_second
            self.at[NEW].cover, self.at[NEW].cover_second = cover, cover_second
            self.at[NEW].low, self.at[NEW].high = low, high
            self.at[NEW].count, self.at[NEW].room = 0, -1
            self.insert(root)

    def fits(self, i, j):
        """True if pattern j contains pattern i."""
        return not (
            self.at[j].cover & ~self.at[i].cover
            | self.at[j].cover_second & ~self.at[i].cover_second
            | (self.at[i].first ^ self.at[j].first) & self.at[j].cover
            | (self.at[i].second ^ self.at[j].second) & self.at[j].cover_second
        )

    def insert(self, parent):
        """Insert pattern NEW below one that contains it."""
        i: cython.int = self.at[parent].below
        while i < self.at[parent].below + self.at[parent].count:
            if self.fits(NEW, i):
                if self.fits(i, NEW):
                    self.narrow(i, self.at[NEW].low, self.at[NEW].high)
                    self.hoist(i, NEW)
                    return
                self.at[NEW].low = max(self.at[NEW].low, self.at[i].low)
                self.at[NEW].high = min(self.at[NEW].high, self.at[i].high)
                if self.same(NEW, i):
                    self.hoist(i, NEW)
                else:
                    self.insert(i)
                return
            if self.fits(i, NEW):
                self.narrow(i, self.at[NEW].low, self.at[NEW].high)
                if self.same(NEW, i):
                    self.hoist(NEW, i)
                else:
                    self.append(NEW, i)
                self.remove(parent, i)
            else:
                i += 1
        self.append(parent, NEW)

    def narrow(self, i, low, high):
        """Narrow the bounds of a pattern and of its descendants."""
        if self.at[i].low >= low and self.at[i].high <= high:
            return
        self.at[i].low = max(self.at[i].low, low)
        self.at[i].high = min(self.at[i].high, high)
        k: cython.int = 0
        while k < self.at[i].count:
            j: cython.int = self.at[i].below + k
            self.narrow(j, low, high)
            if self.same(i, j):
                self.copy(MOVED, j)
                self.remove(i, j)
                self.hoist(i, MOVED)
            else:
                k += 1

    def same(self, i, j):
        """True if two patterns have the same bounds."""
        return self.at[i].low == self.at[j].low and self.at[i].high == self.at[j].high

    # -- blocks ------------------------------------------------------------------------------------

    def append(self, parent, i):
        """Append pattern i to the children of another, or drop it if the table is full."""
        room: cython.int = self.at[parent].room
        count: cython.int = self.at[parent].count
        if room < 0 or count == 1 << room:
            block: cython.int = self.block(room + 1)
            if not block:
                return
            k: cython.int
            for k in range(count):
                self.copy(block + k, self.at[parent].below + k)
            if room >= 0:
                self.release(self.at[parent].below, room)
            self.at[parent].below = block
            self.at[parent].room = room + 1
        self.copy(self.at[parent].below + count, i)
        self.at[parent].count = count + 1

    def remove(self, parent, i):
        """Remove pattern i from the children of another."""
        self.at[parent].count -= 1
        self.copy(i, self.at[parent].below + self.at[parent].count)

    def hoist(self, parent, i):
        """Move the children of pattern i to another."""
        k: cython.int
        for k in range(self.at[i].count):
            self.append(parent, self.at[i].below + k)
        if self.at[i].room >= 0:
            self.release(self.at[i].below, self.at[i].room)

    def copy(self, to, i):
        """Copy a pattern without its children."""
        if cython.compiled:
            self.at[to] = self.at[i]
        else:
            self.at[to] = copy(self.at[i])

    def block(self, room):
        """A block of 2**room patterns; 0: the table is full."""
        i: cython.int = self.spare[room]
        if i:
            self.spare[room] = self.at[i].below
        elif self.used + (1 << room) <= 1 << self.size:
            i = self.used
            self.used += 1 << room
            if not cython.compiled:
                self.at += [PlainPattern() for k in range(1 << room)]
        else:
            self.full = True
        return i

    def release(self, block, room):
        """Free a block."""
        self.at[block].below = self.spare[room]
        self.spare[room] = block
