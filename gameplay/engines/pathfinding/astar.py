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
    from cython.cimports.gameplay.search.trace import CHEAPER, DEARER, EXPAND, GENERATE, GOAL, NEW_THRESHOLD
    from cython.cimports.gameplay.value import MAX_PLY
else:
    from gameplay.native.hashing import spread
    from gameplay.search.trace import CHEAPER, DEARER, EXPAND, GENERATE, GOAL, NEW_THRESHOLD
    from gameplay.value import MAX_PLY

ALIASES = ("a*",)

NODE = 48  # bytes of a node with its two hash table slots; the same in both builds
FIRST = 1 << 8  # initial capacity, in nodes
BATCH = cython.declare(cython.int, 1 << 12)  # nodes expanded between checks of the interpreter's signals
REHASH_POLL = cython.declare(cython.int, 0x3FFF)  # nodes rehashed between checks of the limits, minus 1
CLOSED = cython.declare(cython.int, -2)


class PlainPathNode:
    """A generated position; see PathNode in astar.pxd."""

    __slots__ = ("cost", "estimate", "key", "move", "next_open", "parent", "ply", "previous_open")


class AstarSearch(PathSearch):
    """Stores open and closed nodes, in at most `max_memory` bytes."""

    def __init__(self, kernel: Kernel, control, max_memory):
        PathSearch.__init__(self, kernel, control)
        self.max_memory = max_memory
        self.node_count = self.capacity = self.list_count = self.min_sum = self.length = 0
        if not cython.compiled:
            self.node, self.slot, self.open_heads = [], [], []
            self.path, self.path_moves = [0] * (MAX_PLY + 1), [0] * (MAX_PLY + 1)

    def __dealloc__(self):
        PyMem_Free(self.node)
        PyMem_Free(self.slot)
        PyMem_Free(self.open_heads)

    def run(self, depth):
        kernel: Kernel = self.kernel
        self.depth = depth
        self.excess = -1
        # 1. The root is open.
        if self.count() or not self.grow():
            return
        self.node_count = 1
        if not cython.compiled:
            self.node.append(PlainPathNode())
        self.node[0].key, self.node[0].estimate = kernel.hash(), kernel.remaining()
        self.check()  # an invalid estimate would be an invalid index of the open list
        self.node[0].parent = self.node[0].move = -1
        self.node[0].cost = self.node[0].ply = 0
        self.slot[self.find_slot(self.node[0].key)] = 1
        self.push_open(0)
        self.min_sum = self.node[0].estimate
        while not self.stopped and not self.best[2]:
            if kernel.python:
                self.expand_nodes(kernel, BATCH)
            else:
                with cython.nogil:
                    self.expand_nodes(kernel, BATCH)
        while self.length:
            self.length -= 1
            kernel.pop(self.path_moves[self.length])
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
        while self.min_sum < self.list_count and self.open_heads[self.min_sum] < 0:
            self.min_sum += 1
        if self.min_sum >= self.list_count:
            return -1
        if self.min_sum > self.excess:
            self.raise_bound()
        number: cython.int = self.open_heads[self.min_sum]
        self.remove_open(number)
        self.node[number].previous_open = CLOSED
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
            kernel.pop(self.path_moves[self.length])
        while count:
            count -= 1
            number = chain[count]
            self.path_moves[self.length] = self.node[number].move
            kernel.push(self.path_moves[self.length])
            self.length += 1
            self.path[self.length] = number
        return True

    def expand_node(self, kernel, number):
        """Expand the node that the kernel is at."""
        # The inverse of the last move is skipped: no path through it can be cheaper.
        last: cython.int = -1
        if self.length and self.path[self.length - 1] == self.node[number].parent:
            last = self.path_moves[self.length - 1]
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
            at: cython.longlong = self.find_slot(key)
            child: cython.int = self.slot[at] - 1
            new: cython.bint = child < 0
            # 5. Open a new position. One generated before at a higher cost is reopened with this parent.
            if child < 0:
                if self.node_count == self.capacity:
                    if not self.grow():
                        return
                    at = self.find_slot(key)
                child = self.node_count
                self.node_count += 1
                if not cython.compiled:
                    self.node.append(PlainPathNode())
                self.slot[at] = child + 1
                self.node[child].key = key
                self.node[child].estimate = estimate
            elif cost >= self.node[child].cost:
                if self.tracing:
                    self.emit(GENERATE, self.node[number].ply + 1, move, cost + estimate, DEARER, child)
                continue
            elif self.node[child].previous_open == CLOSED:
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
        is_selected: cython.bint = False
        with cython.gil:
            is_selected = move in self.moves
        return is_selected

    # -- the open list and the hash table ------------------------------------------------------------

    def push_open(self, number):
        """Add a node to the open list; false if there is no memory for it."""
        total: cython.int = self.node[number].cost + self.node[number].estimate
        if total >= self.list_count and not self.add_lists(total):
            return False
        head: cython.int = self.open_heads[total]
        self.node[number].next_open = head
        self.node[number].previous_open = -1
        if head >= 0:
            self.node[head].previous_open = number
        self.open_heads[total] = number
        if total < self.min_sum:
            self.min_sum = total
        return True

    def remove_open(self, number):
        """Remove a node from the open list."""
        after: cython.int = self.node[number].next_open
        before: cython.int = self.node[number].previous_open
        if after >= 0:
            self.node[after].previous_open = before
        if before >= 0:
            self.node[before].next_open = after
        else:
            self.open_heads[self.node[number].cost + self.node[number].estimate] = after

    def find_slot(self, key):
        """The slot of a position in the hash table, or the free slot for it."""
        at: cython.ulonglong = spread(key) >> 20
        mask: cython.ulonglong = 2 * self.capacity - 1
        at &= mask
        while self.slot[at] and self.node[self.slot[at] - 1].key != key:
            at = (at + 1) & mask
        return at

    def grow(self):
        """Double the capacity for nodes; false if that exceeds the memory."""
        grown: cython.bint = False
        with cython.gil:
            grown = self.allocate(2 * self.capacity if self.capacity else FIRST, self.list_count)
        return grown

    def add_lists(self, total):
        """Add open lists up to the sum `total`; false if that exceeds the memory."""
        grown: cython.bint = False
        with cython.gil:
            grown = self.allocate(self.capacity, 1 << (total + 1).bit_length())
        return grown

    def allocate(self, capacity, lists):
        """Allocate nodes and open lists; false, and the search stops, if memory is full."""
        needed = capacity * NODE + lists * 4
        i: cython.int
        if needed > self.max_memory:
            self.control.halt("memory")
            self.stopped = True
            return False
        self.memory = needed
        if lists > self.list_count:
            if cython.compiled:
                size: cython.size_t = lists * cython.sizeof(cython.int)
                self.open_heads = cython.cast(cython.p_int, resized(self.open_heads, size))
            else:
                self.open_heads += [0] * (lists - self.list_count)
            for i in range(self.list_count, lists):
                self.open_heads[i] = -1
            self.list_count = lists
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
            grown: cython.bint = False
            with cython.nogil:
                grown = self.rehash()
            return grown
        return True

    def rehash(self):
        """Insert all nodes into the new hash table; false if the search was stopped."""
        i: cython.int
        for i in range(self.node_count):
            if not i & REHASH_POLL and self.poll():
                return False
            self.slot[self.find_slot(self.node[i].key)] = i + 1
        return True

    def emit_node(self, what, number, why):
        """Trace a stored node."""
        total: cython.int = self.node[number].cost + self.node[number].estimate
        self.emit(what, self.node[number].ply, self.node[number].move, total, why, number)

    # -- trace events --------------------------------------------------------------------------------

    def raise_bound(self):
        """Raise the lower bound of the cost to the least sum of an open node."""
        self.excess = self.min_sum
        if self.tracing:
            self.emit(NEW_THRESHOLD, 0, -1, self.min_sum, 0, -1)
        with cython.gil:
            self.thresholds = (*self.thresholds, int(self.min_sum))
            self.best = ((Candidate(self.moves[0], -self.min_sum, "upper"),), self.min_sum, False)

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
        "1GB", "Memory for open and closed positions; the search ends when it is full", minimum="64KB"
    )

    def open(self, kernel, control, table):
        return AstarSearch(kernel, control, bytes_of(self.memory))
