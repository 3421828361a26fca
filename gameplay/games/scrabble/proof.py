# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Proof-number search for Scrabble endgames, after a shallow search by `endgame.py`.

Invariant: a node claims that the player on turn gains at least `target` points from here on. LOW and HIGH
are proved bounds of that gain. PHI estimates the effort to prove it, DELTA to disprove it; 0: done.

    1. The search by depth guesses the value. Targets beside the guess are proved or disproved until the two
       bounds meet. Each target has a tree of its own; proved bounds are kept by position for all of them.
    2. A new node is bounded by plays that end the game and by a player alone (`endgame.py`, steps 5 and 6).
       Plays that a reply refutes without a visit (step 7) are not listed, only their bound is kept.
    3. The numbers of a node: PHI is the least DELTA of its plays, DELTA the sum of their PHI. So the player
       who refutes a play prefers the reply that leaves the fewest plays to refute. Of a play without a node
       they are small, and grow with how far its score and the tiles left are above or below the target.
    4. Depth-first: the most promising play is searched until another one is better by a quarter.

Sources: Allis, van der Meulen and van den Herik, "Proof-number search" (Artificial Intelligence 66, 1994);
Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002). Types: proof.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.scrabble.endgame import EndgameSolver
from gameplay.native.memory import memory

if cython.compiled:
    from cython.cimports.gameplay.native.bits import popcount
    from cython.cimports.gameplay.native.hashing import fold
    from cython.cimports.gameplay.native.memory import address_of
else:
    from gameplay.games.scrabble.layout import *
    from gameplay.native.bits import popcount
    from gameplay.native.hashing import fold

SIZE = cython.declare(cython.int, 1 << 20 if cython.compiled else 1 << 16)  # of the bounds by position
NODES = cython.declare(cython.int, 1 << 20 if cython.compiled else 1 << 16)
SLOTS = cython.declare(cython.int, 1 << 21 if cython.compiled else 1 << 17)  # of the index of nodes
EDGES = cython.declare(cython.int, 1 << 24 if cython.compiled else 1 << 18)
INFINITE = cython.declare(cython.int, 1 << 24)  # effort
DEPTH = cython.declare(cython.int, 3)  # of the search that guesses the value

# The numbers of a node.
PHI = cython.declare(cython.int, 0)
DELTA = cython.declare(cython.int, 1)
LOW = cython.declare(cython.int, 2)
HIGH = cython.declare(cython.int, 3)
FIRST_EDGE = cython.declare(cython.int, 4)
COUNT = cython.declare(cython.int, 5)  # ... of edges
REST = cython.declare(cython.int, 6)  # the best bound of the plays without an edge
SECOND = cython.declare(cython.int, 7)  # the least DELTA of the other plays
NODE = cython.declare(cython.int, 8)

REFUTED = cython.declare(cython.int, -1)  # in place of a node: the fourth number of the edge is its bound


class EndgameProver(EndgameSolver):
    """Solves one endgame as `EndgameSolver` does, with fewer nodes; `nodes` counts both searches."""

    def __init__(self, placer, control, most: cython.longlong = 0):
        EndgameSolver.__init__(self, placer, control, most)
        self.tree_held = None
        self.size = self.used = 0
        self.full = False

    def allocate(self):
        """Allocate the trees on first use."""
        if cython.compiled:
            self.tree_held = memoryview(memory((8 + 4 * NODE) * NODES))
            self.node_keys = cython.cast(cython.p_ulonglong, address_of(self.tree_held))
            self.tree = cython.cast(cython.p_int, self.node_keys + NODES)
            self.edges_held = memoryview(memory(16 * EDGES))
            self.edges = cython.cast(cython.p_int, address_of(self.edges_held))
            self.index_held = memoryview(memory(4 * SLOTS))
            self.index = cython.cast(cython.p_int, address_of(self.index_held))
            self.bounds_held = memoryview(memory(16 * SIZE))
            self.bound_keys = cython.cast(cython.p_ulonglong, address_of(self.bounds_held))
            self.bounds = cython.cast(cython.p_int, self.bound_keys + SIZE)
        else:
            self.tree_held = True
            self.node_keys, self.tree = [0] * NODES, [0] * (NODE * NODES)
            self.edges, self.index = [0] * (4 * EDGES), [0] * SLOTS
            self.bound_keys, self.bounds = [0] * SIZE, [0] * (2 * SIZE)

    def solve(self, cells, mine, theirs, calm: cython.int, depth: cython.int = 60):
        """As `EndgameSolver.solve`; if memory runs out, the result of the depth search."""
        found = EndgameSolver.solve(self, cells, mine, theirs, calm, min(depth, DEPTH))
        if found is None or found[2] or self.stopped or self.lost or depth <= DEPTH:
            return found
        move, value, _ = found
        if self.tree_held is None:
            self.allocate()
        low: cython.int = -FAR
        high: cython.int = FAR
        step: cython.int = 1
        target: cython.int = value
        while low < high:
            node: cython.int = self.prove(calm, target)
            if self.full or self.lost:
                return EndgameSolver.solve(self, cells, mine, theirs, calm, depth) or found
            if self.stopped:
                break
            if self.tree[node + LOW] >= target:
                low = self.tree[node + LOW]
                move = self.proved_move(node, target, move)
            else:
                high = self.tree[node + HIGH]
            if high == FAR:
                target = low + 1
            elif low == -FAR:
                target = high + 1 - step
                step *= 2
            else:
                target = (low + high + 1) // 2
        return move, max(low, min(value, high)), low == high

    def prove(self, calm: cython.int, target: cython.int):
        """Search whether the root reaches the target; return its node."""
        i: cython.int
        node: cython.int
        for i in range(SLOTS):
            self.index[i] = 0
        self.size = self.used = 1
        self.full = False
        with cython.nogil:
            node = self.create(0, 0, calm, target)
            while not (self.stopped or self.full or self.lost or self.finished(node, 0, calm, target)):
                self.dig(node, 0, 0, calm, target, INFINITE, INFINITE)
        return NODE * node

    def proved_move(self, n: cython.int, target: cython.int, move):
        """The play of the root that reaches the target; `move` if the bounds of other trees prove it."""
        i: cython.int
        for i in range(
            4 * self.tree[n + FIRST_EDGE], 4 * (self.tree[n + FIRST_EDGE] + self.tree[n + COUNT]), 4
        ):
            child: cython.int = self.edges[i + 2]
            if child > 0 and self.edges[i + 1] - self.tree[NODE * child + HIGH] >= target:
                return cython.cast(cython.uint, self.edges[i])
        return move

    def create(self, ply, mover, calm, target):
        """The node of the current position, created if new; 0: the search stops."""
        self.nodes += 1
        if self.stopped or (self.nodes >= self.next_poll and self.poll()):
            return 0
        key: cython.ulonglong = self.position_key(mover, calm)
        own: cython.ulonglong = fold(key, cython.cast(cython.ulonglong, target + FAR))
        own ^= own >> 29
        slot: cython.int = own & (SLOTS - 1)
        while self.index[slot]:
            if self.node_keys[self.index[slot]] == own:
                return self.index[slot]
            slot = (slot + 1) & (SLOTS - 1)
        if self.size == NODES:
            self.full = True
            return 0
        node: cython.int = self.size
        self.size += 1
        self.index[slot] = node
        self.node_keys[node] = own
        n: cython.int = NODE * node
        self.tree[n + LOW] = -FAR
        self.tree[n + HIGH] = self.tree[n + REST] = FAR
        self.tree[n + FIRST_EDGE] = self.used
        self.tree[n + COUNT] = 0
        place: cython.int = key & (SIZE - 1)
        if self.keys[place] == key:
            if self.facts[4 * place + 3] >> 2 & 1:
                self.tree[n + LOW] = self.facts[4 * place + 1]
            if self.facts[4 * place + 3] >> 3 & 1:
                self.tree[n + HIGH] = self.facts[4 * place + 1]
        if self.bound_keys[place] == key:
            self.tree[n + LOW] = max(self.tree[n + LOW], self.bounds[2 * place])
            self.tree[n + HIGH] = min(self.tree[n + HIGH], self.bounds[2 * place + 1])
        self.bound(node, ply, mover, calm, target)
        if not self.finished(node, mover, calm, target):
            self.expand(node, ply, mover, calm, target)
            self.total(node, target)
            if self.finished(node, mover, calm, target):
                self.used = self.tree[n + FIRST_EDGE]
                self.tree[n + COUNT] = 0
        return node

    def bound(self, node, ply, mover, calm, target):
        """Set the bounds of a new node without a search."""
        n: cython.int = NODE * node
        other: cython.int = 1 - mover
        if calm >= CALM:
            self.tree[n + LOW] = self.tree[n + HIGH] = self.tiles(other) - self.tiles(mover)
            return
        self.placer.number = 0
        self.best_at_once(mover)
        outs: cython.int = self.outs
        self.tree[n + REST] = outs
        self.tree[n + LOW] = max(self.tree[n + LOW], outs)
        if self.left[mover] == 1 and outs > -FAR:
            self.tree[n + HIGH] = outs
        elif self.tree[n + LOW] < target:
            if self.left[mover] <= 2 or (calm and self.left[mover] <= SOLO):
                self.tree[n + HIGH] = min(self.tree[n + HIGH], self.alone(ply, mover, 0))
            if self.left[other] <= 2 and self.tree[n + HIGH] >= target:
                self.tree[n + LOW] = max(self.tree[n + LOW], -self.alone(ply, other, 0))

    def expand(self, node, ply, mover, calm, target):
        """Store the plays of a new node that may reach the target."""
        i: cython.int
        n: cython.int = NODE * node
        top: cython.int = self.list_plays(ply, mover, 0, 1)
        if self.used + top > EDGES:
            self.full = True
            return
        self.placer.number = top
        self.find_replies(ply, 1 - mover, False)
        for i in range(top):
            if popcount(self.placer.spots[i] & (1 << SIDE) - 1) == self.left[mover]:
                continue  # it ends the game, see `bound`
            if self.placer.scores[i] or calm + 1 < CALM:
                value: cython.int = self.refuted(ply, mover, i, target - 1, False)
                if value < FAR:
                    self.tree[n + REST] = max(self.tree[n + REST], value)
                    continue
            e: cython.int = 4 * self.used
            gap: cython.int = target - self.placer.worth[i] // UNIT
            self.edges[e] = cython.cast(cython.int, self.placer.codes[i])
            self.edges[e + 1] = self.placer.scores[i]
            self.edges[e + 2] = 0
            self.edges[e + 3] = (1 + max(-gap, 0) // 10) << 16 | (4 + max(gap, 0) // 2)
            self.used += 1
        self.tree[n + COUNT] = self.used - self.tree[n + FIRST_EDGE]

    def finished(self, node, mover, calm, target):
        """True if the bounds of a node decide the target; stores them by position."""
        n: cython.int = NODE * node
        if self.tree[n + LOW] < target <= self.tree[n + HIGH]:
            return False
        done: cython.bint = self.tree[n + LOW] >= target
        self.tree[n + PHI] = 0 if done else INFINITE
        self.tree[n + DELTA] = INFINITE if done else 0
        if not self.stopped:
            key: cython.ulonglong = self.position_key(mover, calm)
            place: cython.int = key & (SIZE - 1)
            self.bound_keys[place] = key
            self.bounds[2 * place], self.bounds[2 * place + 1] = self.tree[n + LOW], self.tree[n + HIGH]
        return True

    def total(self, node, target):
        """Update the numbers and bounds of a node from its plays; return the edge to search next."""
        i: cython.int
        n: cython.int = NODE * node
        best: cython.int = -1
        second: cython.int = INFINITE
        low: cython.int = self.tree[n + LOW]
        high: cython.int = self.tree[n + REST]
        self.tree[n + PHI], self.tree[n + DELTA] = INFINITE, 0
        for i in range(
            4 * self.tree[n + FIRST_EDGE], 4 * (self.tree[n + FIRST_EDGE] + self.tree[n + COUNT]), 4
        ):
            child: cython.int = self.edges[i + 2]
            if child == REFUTED:
                high = max(high, self.edges[i + 3])
                continue
            phi: cython.int = self.edges[i + 3] >> 16
            delta: cython.int = self.edges[i + 3] & 0xFFFF
            if child:
                child *= NODE
                phi, delta = self.tree[child + PHI], self.tree[child + DELTA]
                low = max(low, self.edges[i + 1] - self.tree[child + HIGH])
                high = max(high, self.edges[i + 1] - self.tree[child + LOW])
            else:
                high = FAR
            self.tree[n + DELTA] = min(self.tree[n + DELTA] + phi, INFINITE)
            if delta < self.tree[n + PHI]:
                second = self.tree[n + PHI]
                self.tree[n + PHI] = delta
                best = i
            elif delta < second:
                second = delta
        self.tree[n + LOW] = low
        self.tree[n + HIGH] = min(self.tree[n + HIGH], high)
        self.tree[n + SECOND] = second
        return best

    def dig(self, node, ply, mover, calm, target, most_phi, most_delta):
        """Step 4: search below a node until it is finished or its numbers reach the limits."""
        n: cython.int = NODE * node
        while True:
            edge: cython.int = self.total(node, target)
            if self.finished(node, mover, calm, target) or edge < 0:
                return
            if self.tree[n + PHI] >= most_phi or self.tree[n + DELTA] >= most_delta:
                return
            second: cython.int = self.tree[n + SECOND]
            child: cython.int = NODE * self.edges[edge + 2]
            phi: cython.int = self.tree[child + PHI] if child > 0 else 0
            self.descend(
                edge,
                ply,
                mover,
                calm,
                target,
                most_delta - self.tree[n + DELTA] + phi,
                min(most_phi, second + second // 4 + 1),
            )
            if self.stopped or self.full or self.lost:
                return

    def descend(self, edge, ply, mover, calm, target, most_phi, most_delta):
        """Make a play; create its node, or search below it."""
        points: cython.int = self.edges[edge + 1]
        still: cython.int = 0 if points else calm + 1
        self.lay(ply, mover, cython.cast(cython.uint, self.edges[edge]))
        if self.edges[edge + 2]:
            self.dig(
                self.edges[edge + 2], ply + 1, 1 - mover, still, points - target + 1, most_phi, most_delta
            )
        else:
            most: cython.int = FAR
            if self.left[mover] <= 2:
                most = points + self.alone(ply + 1, mover, 0)
            if self.stopped:
                pass
            elif most < target:
                self.edges[edge + 2] = REFUTED
                self.edges[edge + 3] = most
            else:
                self.edges[edge + 2] = self.create(ply + 1, 1 - mover, still, points - target + 1)
        self.lift(ply, mover)
