# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""A*: always expands the position with the least sum of cost so far and estimated remaining cost.

Peter Hart, Nils Nilsson and Bertram Raphael, "A formal basis for the heuristic determination of minimum cost
paths", IEEE Transactions on Systems Science and Cybernetics 4, 1968.

Theorem: if the estimate is admissible, the first goal taken from the open list lies at the end of a cheapest
path. If it is also consistent, so does every position taken: none is reopened.

All generated positions are stored in one hash table. The open list has one list for each sum of cost and
estimate, newest first. There is a single position: the search gets from one node to the next by unmaking and
making moves. Types: astar.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from dataclasses import dataclass

from gameplay.engines.pathfinding.options import InformedPathfinder
from gameplay.engines.pathfinding.search import PathSearch
from gameplay.kernel import Kernel
from gameplay.options import bytes_of
from gameplay.search.options import memory_option
from gameplay.search.report import Candidate

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import resized, zeroed
    from cython.cimports.gameplay.native.hashing import spread
    from cython.cimports.gameplay.search.trace import CHEAPER, DEARER, EXPAND, GENERATE, GOAL, RISE
    from cython.cimports.gameplay.value import MAX_PLY
else:
    from gameplay.native.hashing import spread
    from gameplay.search.trace import CHEAPER, DEARER, EXPAND, GENERATE, GOAL, RISE
    from gameplay.value import MAX_PLY

ALIASES = ("a*",)

NODE = 48  # bytes of a node with its two hash table slots; the same in both builds
FIRST = 1 << 8  # initial capacity, in nodes
BATCH = cython.declare(cython.int, 1 << 12)  # nodes expanded between checks of the interpreter's signals
REHASH_POLL = cython.declare(cython.int, 0x3FFF)  # nodes rehashed between checks of the limits, minus 1
CLOSED = cython.declare(cython.int, -2)


class PlainPathNode:
    """A generated position; see PathNode in astar.pxd."""

    __slots__ = ("after", "before", "cost", "key", "left", "move", "parent", "ply")


class AstarSearch(PathSearch):
    """Stores open and closed nodes, in at most `max_memory` bytes."""

    def __init__(self, kernel: Kernel, control, max_memory):
        PathSearch.__init__(self, kernel, control)
        self.max_memory = max_memory
        self.used = self.capacity = self.sums = self.least = self.length = 0
        if not cython.compiled:
            self.node, self.slot, self.newest = [], [], []
            self.path, self.made = [0] * (MAX_PLY + 1), [0] * (MAX_PLY + 1)

    def __dealloc__(self):
        PyMem_Free(self.node)
        PyMem_Free(self.slot)
        PyMem_Free(self.newest)

    def run(self, depth):
        kernel: Kernel = self.kernel
        self.depth = depth
        self.excess = -1
        # 1. The root is open.
        if self.count() or not self.grow():
            return
        self.used = 1
        if not cython.compiled:
            self.node.append(PlainPathNode())
        self.node[0].key, self.node[0].left = kernel.hash(), kernel.remaining()
        self.check()  # an invalid estimate would be an invalid index of the open list
        self.node[0].parent = self.node[0].move = -1
        self.node[0].cost = self.node[0].ply = 0
        self.slot[self.slot_of(self.node[0].key)] = 1
        self.push_open(0)
        self.least = self.node[0].left
        while not self.stopped and not self.best[2]:
            if kernel.python:
                self.expand_nodes(kernel, BATCH)
            else:
                with cython.nogil:
                    self.expand_nodes(kernel, BATCH)
        while self.length:
            self.length -= 1
            kernel.pop(self.made[self.length])
        self.check()

    def expand_nodes(self, kernel, count):
        """Expand `count` nodes, or fewer if the search ends."""
        while count:
            count -= 1
            # 2. Take an open node with the least sum of cost and estimate. Without one, there is no solution.
            number: cython.int = self.pop_open()
            if number < 0:
                with cython.gil:
                    self.set_unsolvable()
                self.stopped = True
                return
            if not self.go_to(kernel, number):
                self.cut = True
                continue
            # 3. A goal: the path to it is a cheapest one. Skip dead ends.
            if kernel.result():
                if kernel.payoff(0) > 0:
                    if self.tracing:
                        self.emit_node(EXPAND, number, GOAL)
                    with cython.gil:
                        self.set_goal(number)
                    return
                continue
            # 4. Open its successors.
            if self.node[number].ply < self.depth:
                self.expand_node(kernel, number)
            else:
                self.cut = True
            if self.stopped or (self.nodes >= self.next_poll and self.poll()):
                count = 0

    def pop_open(self):
        """Close and return the newest of the open nodes with the least sum; -1 if none is open."""
        while self.least < self.sums and self.newest[self.least] < 0:
            self.least += 1
        if self.least >= self.sums:
            return -1
        if self.least > self.excess:
            self.raise_bound()
        number: cython.int = self.newest[self.least]
        self.remove_open(number)
        self.node[number].before = CLOSED
        return number

    def go_to(self, kernel, number):
        """Move the kernel to a node from any other; false if the path is too long."""
        chain = cython.declare(cython.int[256])
        if not cython.compiled:
            chain = [0] * (MAX_PLY + 1)
        count: cython.int = 0
        ply: cython.int = self.node[number].ply
        while ply > self.length or self.path[ply] != number:  # the root is always on the path
            if count >= MAX_PLY:
                return False
            chain[count] = number
            count += 1
            number = self.node[number].parent
            ply = self.node[number].ply
        if ply + count > MAX_PLY:
            return False
        while self.length > ply:
            self.length -= 1
            kernel.pop(self.made[self.length])
        while count:
            count -= 1
            number = chain[count]
            self.made[self.length] = self.node[number].move
            kernel.push(self.made[self.length])
            self.length += 1
            self.path[self.length] = number
        return True

    def expand_node(self, kernel, number):
        """Expand the node that the kernel is at."""
        # The inverse of the last move is skipped: no path through it can be cheaper.
        last: cython.int = -1
        if self.length and self.path[self.length - 1] == self.node[number].parent:
            last = self.made[self.length - 1]
        end: cython.int = kernel.gen(0)
        i: cython.int
        self.expanded += 1
        if self.tracing:
            self.emit_node(EXPAND, number, 0)
        for i in range(end):
            move: cython.int = kernel.stack[i]
            if last >= 0 and kernel.is_inverse(last, move):
                continue
            if number == 0 and not self.is_root_move(move):
                continue
            cost: cython.int = self.node[number].cost + (kernel.price(move) if self.priced else 1)
            kernel.push(move)
            key: cython.ulonglong = kernel.hash()
            estimate: cython.int = kernel.remaining()
            kernel.pop(move)
            self.nodes += 1
            if kernel.failed or (self.nodes >= self.next_poll and self.poll()):
                return
            at: cython.longlong = self.slot_of(key)
            child: cython.int = self.slot[at] - 1
            new: cython.bint = child < 0
            # 5. Open a new position. One generated before at a higher cost is reopened with this parent.
            if child < 0:
                if self.used == self.capacity:
                    if not self.grow():
                        return
                    at = self.slot_of(key)
                child = self.used
                self.used += 1
                if not cython.compiled:
                    self.node.append(PlainPathNode())
                self.slot[at] = child + 1
                self.node[child].key = key
                self.node[child].left = estimate
            elif cost >= self.node[child].cost:
                if self.tracing:
                    self.emit(GENERATE, self.node[number].ply + 1, move, cost + estimate, DEARER, child)
                continue
            elif self.node[child].before == CLOSED:
                self.reopened += 1
            else:
                self.remove_open(child)
            self.node[child].parent = number
            self.node[child].move = move
            self.node[child].cost = cost
            self.node[child].ply = self.node[number].ply + 1
            if self.node[child].ply > self.seldepth:
                self.seldepth = self.node[child].ply
            if self.tracing:
                self.emit_node(GENERATE, child, 0 if new else CHEAPER)
            if not self.push_open(child):
                return

    def is_root_move(self, move):
        """True if a move of the root is one of those to search."""
        wanted: cython.bint = False
        with cython.gil:
            wanted = move in self.moves
        return wanted

    # -- the open list and the hash table ------------------------------------------------------------

    def push_open(self, number):
        """Add a node to the open list; false if there is no memory for it."""
        total: cython.int = self.node[number].cost + self.node[number].left
        if total >= self.sums and not self.add_lists(total):
            return False
        head: cython.int = self.newest[total]
        self.node[number].after = head
        self.node[number].before = -1
        if head >= 0:
            self.node[head].before = number
        self.newest[total] = number
        if total < self.least:
            self.least = total
        return True

    def remove_open(self, number):
        """Remove a node from the open list."""
        after: cython.int = self.node[number].after
        before: cython.int = self.node[number].before
        if after >= 0:
            self.node[after].before = before
        if before >= 0:
            self.node[before].after = after
        else:
            self.newest[self.node[number].cost + self.node[number].left] = after

    def slot_of(self, key):
        """The slot of a position in the hash table, or the free slot for it."""
        at: cython.ulonglong = spread(key) >> 20
        mask: cython.ulonglong = 2 * self.capacity - 1
        at &= mask
        while self.slot[at] and self.node[self.slot[at] - 1].key != key:
            at = (at + 1) & mask
        return at

    def grow(self):
        """Double the capacity for nodes; false if that exceeds the memory."""
        done: cython.bint = False
        with cython.gil:
            done = self.allocate(2 * self.capacity if self.capacity else FIRST, self.sums)
        return done

    def add_lists(self, total):
        """Add open lists up to the sum `total`; false if that exceeds the memory."""
        done: cython.bint = False
        with cython.gil:
            done = self.allocate(self.capacity, 1 << (total + 1).bit_length())
        return done

    def allocate(self, capacity, sums):
        """Allocate `capacity` nodes and `sums` open lists; false, and the search stops, if memory is full."""
        needed = capacity * NODE + sums * 4
        i: cython.int
        if needed > self.max_memory:
            self.control.halt("memory")
            self.stopped = True
            return False
        self.memory = needed
        if sums > self.sums:
            if cython.compiled:
                size: cython.size_t = sums * cython.sizeof(cython.int)
                self.newest = cython.cast(cython.p_int, resized(self.newest, size))
            else:
                self.newest += [0] * (sums - self.sums)
            for i in range(self.sums, sums):
                self.newest[i] = -1
            self.sums = sums
        if capacity > self.capacity:
            if cython.compiled:
                size = capacity * cython.sizeof(PathNode)
                self.node = cython.cast(cython.pointer(PathNode), resized(self.node, size))
                size = cython.sizeof(cython.int)
                slot: cython.p_int = cython.cast(cython.p_int, zeroed(2 * capacity, size))
                PyMem_Free(self.slot)
                self.slot = slot
            else:
                self.slot = [0] * (2 * capacity)
            self.capacity = capacity
            done: cython.bint = False
            with cython.nogil:
                done = self.rehash()
            return done
        return True

    def rehash(self):
        """Insert all nodes into the new hash table; false if the search was stopped."""
        i: cython.int
        for i in range(self.used):
            if not i & REHASH_POLL and self.poll():
                return False
            self.slot[self.slot_of(self.node[i].key)] = i + 1
        return True

    def emit_node(self, what, number, why):
        """Trace a stored node."""
        total: cython.int = self.node[number].cost + self.node[number].left
        self.emit(what, self.node[number].ply, self.node[number].move, total, why, number)

    # -- trace events --------------------------------------------------------------------------------

    def raise_bound(self):
        """Raise the lower bound of the cost to the least sum of an open node."""
        self.excess = self.least
        if self.tracing:
            self.emit(RISE, 0, -1, self.least, 0, -1)
        with cython.gil:
            self.thresholds = (*self.thresholds, int(self.least))
            self.best = ((Candidate(self.moves[0], -self.least, "upper"),), self.least, False)

    def set_goal(self, number: cython.int):
        """Set the solution: the path to the goal node `number`."""
        cost = self.node[number].cost
        line = []
        while number:
            line.append(self.node[number].move)
            number = self.node[number].parent
        self.set_solution(line[::-1], cost)


@dataclass
class Astar(InformedPathfinder):
    """A*: expands positions in order of cost so far plus estimate, and stores all of them."""

    name = "astar"
    priority = 20

    memory: str = memory_option(
        "1GB", "Memory for open and closed positions; the search ends when it is full", least="64KB"
    )

    def open(self, kernel, control, table):
        return AstarSearch(kernel, control, bytes_of(self.memory))
