# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The tree of a Monte Carlo search: nodes in one arena of fixed size.  Types: arena.pxd.

The children of a node are contiguous. When the arena is full, or another node becomes the root, the nodes to
keep are copied breadth first and copied back (Cheney 1970); the copy takes a quarter of the memory.
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

CHUNK = 1024  # nodes that a thread reserves at a time
BYTES = 80  # of a node and its tally, without the players' shares
MAX_NODES = 0x3FFFFFFF
CHECK_NODES = cython.declare(cython.int, 1 << 14)  # nodes copied between two checks of the clock
COPY_SECONDS = cython.declare(cython.double, 5e-8)  # time to copy a node back


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
    """`memory` bytes for a tree. players: number of payoff sums per node; 0 in two-player zero-sum games."""

    def __init__(self, memory, players=0):
        self.memory = memory
        self.players = players
        each = BYTES + 8 * players
        self.capacity = min(MAX_NODES, max(4 * CHUNK, memory * 3 // 4 // each))
        self.copy_capacity = self.capacity // 3
        if cython.compiled:
            size: cython.size_t = self.capacity * cython.sizeof(Node)
            self.owner = memoryview(memory_of(size))
            self.nodes = cython.cast(cython.pointer(Node), address_of(self.owner))
            size = self.capacity * cython.sizeof(Tally)
            self.tally_owner = memoryview(memory_of(size))
            self.tallies = cython.cast(cython.pointer(Tally), address_of(self.tally_owner))
            self.copy = cython.cast(cython.pointer(Node), calloc(self.copy_capacity, cython.sizeof(Node)))
            size = cython.sizeof(Tally)
            self.copied_tallies = cython.cast(cython.pointer(Tally), calloc(self.copy_capacity, size))
            if self.copy == cython.NULL or self.copied_tallies == cython.NULL:
                raise MemoryError
            if players:
                size = players * cython.sizeof(cython.double)
                self.shares = cython.cast(cython.p_double, calloc(self.capacity, size))
                self.copied_shares = cython.cast(cython.p_double, calloc(self.copy_capacity, size))
                if self.shares == cython.NULL or self.copied_shares == cython.NULL:
                    raise MemoryError
        else:
            self.nodes, self.shares = [], []
            self.tallies = self.nodes  # uncompiled, a node has its tally in it
        self.empty()

    def __dealloc__(self):
        free(self.copy)
        free(self.copied_tallies)
        free(self.shares)
        free(self.copied_shares)

    def empty(self):
        """Drop all nodes."""
        self.node_count = self.trims = self.min_visits = 0
        self.claimed = 0
        self.full = False

    @property
    def fill(self):
        """The share of the arena that is in use, 0 to 1."""
        return 1.0 * self.node_count / self.capacity

    def allocate(self, count):
        """The first of `count` new nodes; if too few are free, -1, and `full` is set."""
        with cython.gil:
            if self.node_count + count > self.capacity:
                self.full = True
                return -1
            first: cython.int = self.node_count
            self.node_count += count
            if not cython.compiled:
                while len(self.nodes) < self.node_count:
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
        """The children of a node, as (node, move, visits), most visited first."""
        i: cython.int
        first: cython.int = self.nodes[node].first
        children = []
        if first:
            for i in range(first, first + self.nodes[node].count):
                children.append((-self.tallies[i].visits, i, self.nodes[i].move))
        return [(number, move, -visits) for visits, number, move in sorted(children)]

    def reroot(self, node: cython.int, control: Control):
        """Make a node the root and drop all nodes outside its subtree; if stopped by `control`, drop all."""
        if not self.compact(node, 0, control):
            self.empty()

    def trim(self, control: Control):
        """Drop the least visited subtrees until the rest fits in a third of the arena.

        If stopped by `control`, the tree is unchanged and the arena full.
        """
        self.trims += 1
        self.compact(0, max(2, self.min_visits), control)

    def compact(self, root: cython.int, min_visits: cython.int, control: Control):
        """Keep the subtree of `root`, with children only below nodes with `min_visits`, or more if needed.

        False if stopped by `control`: the tree is unchanged.
        """
        count: cython.int = 0
        while not count:
            with cython.nogil:
                count = self.copy_subtree(root, min_visits, control)
            if count < 0:
                return False
            if not count:
                min_visits = max(2, 2 * min_visits)
        if cython.compiled:
            memcpy(self.nodes, self.copy, count * cython.sizeof(Node))
            memcpy(self.tallies, self.copied_tallies, count * cython.sizeof(Tally))
            if self.players:
                memcpy(self.shares, self.copied_shares, count * self.players * cython.sizeof(cython.double))
        else:
            self.nodes, self.shares = self.copy, self.copied_shares
            self.tallies = self.nodes
        self.node_count = count
        self.min_visits = min_visits
        self.full = False
        return True

    def copy_subtree(self, root, min_visits, control):
        """Copy that subtree, breadth first; return its size, 0 if the copy is full, -1 if stopped."""
        at: cython.int = 0
        end: cython.int = 1
        next_check: cython.int = 0  # number of nodes at which to check the clock
        first: cython.int
        count: cython.int
        i: cython.int
        if not cython.compiled:
            self.copy, self.copied_shares = [PlainArenaNode()], [0.0] * self.players
            self.copied_tallies = self.copy
        self.copy_node(0, root)
        while at < end:
            if end >= next_check:
                # Include the time for copying back.
                if control.stop or (
                    control.deadline and monotonic() + COPY_SECONDS * end >= control.deadline
                ):
                    return -1
                next_check = end + (CHECK_NODES if cython.compiled else CHECK_NODES >> 6)
            first, count = self.copy[at].first, self.copy[at].count
            if first and self.copied_tallies[at].visits < min_visits:
                self.copy[at].first = self.copy[at].count = 0
            elif first:
                if end + count > self.copy_capacity:
                    return 0
                self.copy[at].first = end
                if not cython.compiled:
                    self.copy += [PlainArenaNode() for _ in range(count)]
                    self.copied_shares += [0.0] * (count * self.players)
                for i in range(count):
                    self.copy_node(end + i, first + i)
                end += count
            at += 1
        return end

    def copy_node(self, to, node):
        """Copy a node."""
        i: cython.int
        if cython.compiled:
            self.copy[to] = self.nodes[node]
            self.copied_tallies[to] = self.tallies[node]
        else:
            for name in PlainArenaNode.__slots__:
                setattr(self.copy[to], name, getattr(self.nodes[node], name))
        for i in range(self.players):
            self.copied_shares[to * self.players + i] = self.shares[node * self.players + i]
