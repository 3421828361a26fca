# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The tree of a Monte Carlo search: nodes in one arena of fixed size.  Types: arena.pxd.

The children of a node are contiguous. When the arena is full, or another node becomes the root, the nodes to
keep are copied breadth first and copied back (after Cheney 1970), which takes a quarter of the memory.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.native.memory import memory as memory_of
from gameplay.search.control import Control

if cython.compiled:
    from cython.cimports.cpython.time import monotonic
    from cython.cimports.gameplay.native.memory import address_of
    from cython.cimports.libc.stdlib import calloc, free
    from cython.cimports.libc.string import memcpy
else:
    from time import monotonic

CHUNK = 1024  # nodes that a thread takes at a time
BYTES = 80  # of a node and its tally; players' shares apart
LARGEST = 0x3FFFFFFF
LOOK = cython.declare(cython.int, 1 << 14)  # nodes that are copied between two looks at the clock
BACK = cython.declare(cython.double, 5e-8)  # seconds in which a node is copied back


class PlainArenaNode:
    """A node of the tree; see Node in arena.pxd."""

    __slots__ = (
        *(
            "amaf_sum",
            "amaf_visits",
            "count",
            "first",
            "high",
            "inv_sqrt",
            "low",
            "mean",
            "move",
            "mover",
            "odds",
        ),
        *("dominated", "proven", "visits"),
    )


class Arena:
    """Room for a tree in `memory` bytes. `players`: whose shares each node keeps, 0 where two share a sum."""

    def __init__(self, memory, players=0):
        self.memory = memory
        self.players = players
        each = BYTES + 8 * players
        self.room = min(LARGEST, max(4 * CHUNK, memory * 3 // 4 // each))
        self.spare = self.room // 3
        if cython.compiled:
            size: cython.size_t = self.room * cython.sizeof(Node)
            self.owner = memoryview(memory_of(size))
            self.nodes = cython.cast(cython.pointer(Node), address_of(self.owner))
            size = self.room * cython.sizeof(Tally)
            self.tallied = memoryview(memory_of(size))
            self.tallies = cython.cast(cython.pointer(Tally), address_of(self.tallied))
            self.copy = cython.cast(cython.pointer(Node), calloc(self.spare, cython.sizeof(Node)))
            size = cython.sizeof(Tally)
            self.copied_tallies = cython.cast(cython.pointer(Tally), calloc(self.spare, size))
            if self.copy == cython.NULL or self.copied_tallies == cython.NULL:
                raise MemoryError
            if players:
                size = players * cython.sizeof(cython.double)
                self.shares = cython.cast(cython.p_double, calloc(self.room, size))
                self.copied = cython.cast(cython.p_double, calloc(self.spare, size))
                if self.shares == cython.NULL or self.copied == cython.NULL:
                    raise MemoryError
        else:
            self.nodes, self.shares = [], []
            self.tallies = self.nodes  # uncompiled, a node has its tally in it
        self.empty()

    def __dealloc__(self):
        free(self.copy)
        free(self.copied_tallies)
        free(self.shares)
        free(self.copied)

    def empty(self):
        """A new tree, of which there is no node yet."""
        self.used = self.trims = self.least = 0
        self.claimed = 0
        self.full = False

    @property
    def fill(self):
        """The share of the arena that is in use, 0 to 1."""
        return 1.0 * self.used / self.room

    def allocate(self, count):
        """The first of so many nodes that were free; -1, and `full`, if there are none."""
        with cython.gil:
            if self.used + count > self.room:
                self.full = True
                return -1
            first: cython.int = self.used
            self.used += count
            if not cython.compiled:
                while len(self.nodes) < self.used:
                    self.nodes.append(PlainArenaNode())
                    self.shares += [0.0] * self.players
            return first

    def clear(self, node, move):
        """Make a node an unvisited leaf."""
        i: cython.int
        self.nodes[node].move = move
        self.nodes[node].mover = 0
        self.nodes[node].first = self.nodes[node].count = 0
        self.tallies[node].visits = self.nodes[node].amaf_visits = 0
        self.tallies[node].dominated = False
        self.nodes[node].proven = False
        self.tallies[node].mean = self.nodes[node].amaf_sum = self.nodes[node].odds = 0.0
        self.tallies[node].inv_sqrt = 1.0
        for i in range(self.players):
            self.shares[node * self.players + i] = 0.0

    def children(self, node: cython.int):
        """The children of a node, as (node, move, visits), those that were visited most first."""
        i: cython.int
        first: cython.int = self.nodes[node].first
        children = []
        if first:
            for i in range(first, first + self.nodes[node].count):
                children.append((-self.tallies[i].visits, i, self.nodes[i].move))
        return [(number, move, -visits) for visits, number, move in sorted(children)]

    def grow_from(self, node: cython.int, control: Control):
        """Make a node the root and drop all nodes outside its subtree; if stopped by `control`, drop all."""
        if not self.keep(node, 0, control):
            self.empty()

    def trim(self, control: Control):
        """Make room: drop the least visited subtrees until the rest fits in a third of the arena.

        Stopped by `control` it leaves the tree as it is, and the arena full.
        """
        self.trims += 1
        self.keep(0, max(2, self.least), control)

    def keep(self, root: cython.int, least: cython.int, control: Control):
        """Keep the tree below `root`, children only of nodes with so many visits, or more if need be.

        False: `control` stopped it, and nothing has changed.
        """
        kept: cython.int = 0
        while not kept:
            with cython.nogil:
                kept = self.gather(root, least, control)
            if kept < 0:
                return False
            if not kept:
                least = max(2, 2 * least)
        if cython.compiled:
            memcpy(self.nodes, self.copy, kept * cython.sizeof(Node))
            memcpy(self.tallies, self.copied_tallies, kept * cython.sizeof(Tally))
            if self.players:
                memcpy(self.shares, self.copied, kept * self.players * cython.sizeof(cython.double))
        else:
            self.nodes, self.shares = self.copy, self.copied
            self.tallies = self.nodes
        self.used = kept
        self.least = least
        self.full = False
        return True

    def gather(self, root, least, control):
        """Copy that tree, breadth first; return the number of its nodes, 0: there is no room, -1: stopped."""
        at: cython.int = 0
        end: cython.int = 1
        look: cython.int = 0  # the number of nodes at which to look at the clock
        first: cython.int
        count: cython.int
        i: cython.int
        if not cython.compiled:
            self.copy, self.copied = [PlainArenaNode()], [0.0] * self.players
            self.copied_tallies = self.copy
        self.put(0, root)
        while at < end:
            if end >= look:
                # What is copied is copied back at once, a few hundred bytes a microsecond.
                if control.stop or (control.deadline and monotonic() + BACK * end >= control.deadline):
                    return -1
                look = end + (LOOK if cython.compiled else LOOK >> 6)
            first, count = self.copy[at].first, self.copy[at].count
            if first and self.copied_tallies[at].visits < least:
                self.copy[at].first = self.copy[at].count = 0
            elif first:
                if end + count > self.spare:
                    return 0
                self.copy[at].first = end
                if not cython.compiled:
                    self.copy += [PlainArenaNode() for _ in range(count)]
                    self.copied += [0.0] * (count * self.players)
                for i in range(count):
                    self.put(end + i, first + i)
                end += count
            at += 1
        return end

    def put(self, to, node):
        """Copy a node."""
        i: cython.int
        if cython.compiled:
            self.copy[to] = self.nodes[node]
            self.copied_tallies[to] = self.tallies[node]
        else:
            for name in PlainArenaNode.__slots__:
                setattr(self.copy[to], name, getattr(self.nodes[node], name))
        for i in range(self.players):
            self.copied[to * self.players + i] = self.shares[node * self.players + i]
