# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Proof-number search for Scrabble endgames, after a shallow search by `endgame.py`.

Invariant: a node claims that the player on turn gains at least `target` points from here on. LOW and HIGH
are proved bounds of that gain. PHI estimates the effort to prove it, DELTA to disprove it; 0: done.

    1. A depth-limited search guesses the value. Targets near the guess are proved or disproved until the two
       bounds meet. Each target has its own tree; proved bounds are stored by position and shared.
    2. A new node is bounded by plays that end the game and by solo searches (`endgame.py`, steps 5 and 6) of
       players with at most SOLO_TILES tiles. They end as soon as they reach the target.
       Plays that a reply refutes without a visit (step 7) are not listed, only their bound is kept.
    3. PHI of a node is the least DELTA of its plays. DELTA is the greatest PHI of its plays plus the number
       of the others: a sum would count positions that several plays reach more than once. So the player who
       refutes a play prefers the reply that leaves the fewest plays to refute. The initial PHI and DELTA of
       a play are small and depend on the distance of its score and rack leave, less the opponent's best
       static gain, from the target. DELTA is halved for a play that has reached a target in this tree.
    4. Depth-first: the most promising play is searched until another one is better by a quarter.

Sources: Allis, van der Meulen and van den Herik, "Proof-number search" (Artificial Intelligence 66, 1994);
Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002); Ueda, Hashimoto, Hashimoto
and Iida, "Weak proof-number search" (CG 2008). Types: proof.pxd.
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

BOUND_SLOTS = cython.declare(cython.int, 1 << 20 if cython.compiled else 1 << 16)  # of the bounds by position
NODES = cython.declare(cython.int, 1 << 20 if cython.compiled else 1 << 16)
SLOTS = cython.declare(cython.int, 1 << 21 if cython.compiled else 1 << 17)  # of the index of nodes
EDGES = cython.declare(cython.int, 1 << 24 if cython.compiled else 1 << 18)
HISTORY = cython.declare(cython.int, 8191)  # slots of successful plays, by player
INFINITE = cython.declare(cython.int, 1 << 24)  # effort
SOLO_TILES = cython.declare(cython.int, 3)  # of a rack that a solo search bounds, at most
GUESS_DEPTH = cython.declare(cython.int, 3)  # of the search that guesses the value

# The numbers of a node.
PHI = cython.declare(cython.int, 0)
DELTA = cython.declare(cython.int, 1)
LOW = cython.declare(cython.int, 2)
HIGH = cython.declare(cython.int, 3)
FIRST_EDGE = cython.declare(cython.int, 4)
COUNT = cython.declare(cython.int, 5)  # ... of edges
UNLISTED = cython.declare(cython.int, 6)  # the best bound of the plays without an edge
SECOND = cython.declare(cython.int, 7)  # the least DELTA of the other plays
NODE = cython.declare(cython.int, 8)

REFUTED = cython.declare(cython.int, -1)  # in place of a node: the fourth number of the edge is its bound


def history_slot(mover, code):
    """The slot of a player's play in the history."""
    return mover * HISTORY + cython.cast(cython.int, code % cython.cast(cython.uint, HISTORY))


class EndgameProver(EndgameSolver):
    """Solves one endgame as `EndgameSolver` does, with fewer nodes; `nodes` counts both searches."""

    def __init__(self, placer, control, node_limit: cython.longlong = 0):
        EndgameSolver.__init__(self, placer, control, node_limit)
        self.node_buffer = None
        self.node_count = self.edge_count = 0
        self.is_full = False

    def allocate(self):
        """Allocate the trees on first use."""
        if cython.compiled:
            self.node_buffer = memoryview(memory((8 + 4 * NODE) * NODES))
            self.node_keys = cython.cast(cython.p_ulonglong, address_of(self.node_buffer))
            self.node_data = cython.cast(cython.p_int, self.node_keys + NODES)
            self.edge_buffer = memoryview(memory(16 * EDGES))
            self.edges = cython.cast(cython.p_int, address_of(self.edge_buffer))
            self.index_buffer = memoryview(memory(4 * SLOTS))
            self.index = cython.cast(cython.p_int, address_of(self.index_buffer))
            self.bound_buffer = memoryview(memory(16 * BOUND_SLOTS))
            self.bound_keys = cython.cast(cython.p_ulonglong, address_of(self.bound_buffer))
            self.bounds = cython.cast(cython.p_int, self.bound_keys + BOUND_SLOTS)
        else:
            self.node_buffer = True
            self.node_keys, self.node_data = [0] * NODES, [0] * (NODE * NODES)
            self.edges, self.index = [0] * (4 * EDGES), [0] * SLOTS
            self.bound_keys, self.bounds = [0] * BOUND_SLOTS, [0] * (2 * BOUND_SLOTS)
            self.successful = [0] * (2 * HISTORY)

    def solve(self, cells, rack, opponent_rack, scoreless: cython.int, depth: cython.int = 60):
        """As `EndgameSolver.solve`; if memory runs out, the result of the depth search."""
        result = EndgameSolver.solve(self, cells, rack, opponent_rack, scoreless, min(depth, GUESS_DEPTH))
        if result is None or result[2] or self.stopped or self.overflowed or depth <= GUESS_DEPTH:
            return result
        move, value, _ = result
        if self.node_buffer is None:
            self.allocate()
        low: cython.int = -FAR
        high: cython.int = FAR
        step: cython.int = 1
        target: cython.int = value
        while low < high:
            node: cython.int = self.prove(scoreless, target)
            if self.is_full or self.overflowed:
                return EndgameSolver.solve(self, cells, rack, opponent_rack, scoreless, depth) or result
            if self.stopped:
                break
            if self.node_data[node + LOW] >= target:
                low = self.node_data[node + LOW]
                move = self.proved_move(node, target, move)
            else:
                high = self.node_data[node + HIGH]
            if high == FAR:
                target = low + 1
            elif low == -FAR:
                target = high + 1 - step
                step *= 2
            else:
                target = (low + high + 1) // 2
        return move, max(low, min(value, high)), low == high

    def prove(self, scoreless: cython.int, target: cython.int):
        """Search whether the root reaches the target; return its node."""
        i: cython.int
        node: cython.int
        for i in range(SLOTS):
            self.index[i] = 0
        for i in range(2 * HISTORY):
            self.successful[i] = False
        self.node_count = self.edge_count = 1
        self.is_full = False
        with cython.nogil:
            node = self.create(0, 0, scoreless, target)
            while not (
                self.stopped or self.is_full or self.overflowed or self.is_decided(node, 0, scoreless, target)
            ):
                self.search_node(node, 0, 0, scoreless, target, INFINITE, INFINITE)
        return NODE * node

    def proved_move(self, n: cython.int, target: cython.int, move):
        """The play of the root that reaches the target; `move` if the bounds of other trees prove it."""
        i: cython.int
        for i in range(
            4 * self.node_data[n + FIRST_EDGE],
            4 * (self.node_data[n + FIRST_EDGE] + self.node_data[n + COUNT]),
            4,
        ):
            child: cython.int = self.edges[i + 2]
            if child > 0 and self.edges[i + 1] - self.node_data[NODE * child + HIGH] >= target:
                return cython.cast(cython.uint, self.edges[i])
        return move

    def create(self, ply, mover, scoreless, target):
        """The node of the current position, created if new; 0: the search stops."""
        self.nodes += 1
        if self.stopped or (self.nodes >= self.next_poll and self.poll()):
            return 0
        key: cython.ulonglong = self.position_key(mover, scoreless)
        node_key: cython.ulonglong = fold(key, cython.cast(cython.ulonglong, target + FAR))
        node_key ^= node_key >> 29
        slot: cython.int = node_key & (SLOTS - 1)
        while self.index[slot]:
            if self.node_keys[self.index[slot]] == node_key:
                return self.index[slot]
            slot = (slot + 1) & (SLOTS - 1)
        if self.node_count == NODES:
            self.is_full = True
            return 0
        node: cython.int = self.node_count
        self.node_count += 1
        self.index[slot] = node
        self.node_keys[node] = node_key
        n: cython.int = NODE * node
        self.node_data[n + LOW] = -FAR
        self.node_data[n + HIGH] = self.node_data[n + UNLISTED] = FAR
        self.node_data[n + FIRST_EDGE] = self.edge_count
        self.node_data[n + COUNT] = 0
        place: cython.int = key & (BOUND_SLOTS - 1)
        if self.keys[place] == key:
            if self.entries[4 * place + 3] >> 2 & 1:
                self.node_data[n + LOW] = self.entries[4 * place + 1]
            if self.entries[4 * place + 3] >> 3 & 1:
                self.node_data[n + HIGH] = self.entries[4 * place + 1]
        if self.bound_keys[place] == key:
            self.node_data[n + LOW] = max(self.node_data[n + LOW], self.bounds[2 * place])
            self.node_data[n + HIGH] = min(self.node_data[n + HIGH], self.bounds[2 * place + 1])
        self.init_bounds(node, ply, mover, scoreless, target)
        if not self.is_decided(node, mover, scoreless, target):
            self.expand(node, ply, mover, scoreless, target)
            self.update_node(node, target)
            if self.is_decided(node, mover, scoreless, target):
                self.edge_count = self.node_data[n + FIRST_EDGE]
                self.node_data[n + COUNT] = 0
        return node

    def init_bounds(self, node, ply, mover, scoreless, target):
        """Set the bounds of a new node without a search."""
        n: cython.int = NODE * node
        opponent: cython.int = 1 - mover
        if scoreless >= SCORELESS_LIMIT:
            self.node_data[n + LOW] = self.node_data[n + HIGH] = self.rack_points(
                opponent
            ) - self.rack_points(mover)
            return
        self.placer.play_count = 0
        self.best_static_gain(mover)
        out_gain: cython.int = self.out_gain
        self.node_data[n + UNLISTED] = out_gain
        self.node_data[n + LOW] = max(self.node_data[n + LOW], out_gain)
        if self.tile_counts[mover] == 1 and out_gain > -FAR:
            self.node_data[n + HIGH] = out_gain
        elif self.node_data[n + LOW] < target:
            if self.tile_counts[mover] <= SOLO_TILES or (scoreless and self.tile_counts[mover] <= SOLO_RACK):
                gain: cython.int = self.solo_gain(ply, mover, 0, target)
                if gain < target:
                    self.node_data[n + HIGH] = min(self.node_data[n + HIGH], gain)
            if self.tile_counts[opponent] <= SOLO_TILES and self.node_data[n + HIGH] >= target:
                gain = self.solo_gain(ply, opponent, 0, 1 - target)
                if gain <= -target:
                    self.node_data[n + LOW] = max(self.node_data[n + LOW], -gain)

    def expand(self, node, ply, mover, scoreless, target):
        """Store the plays of a new node that may reach the target."""
        i: cython.int
        n: cython.int = NODE * node
        top: cython.int = self.list_plays(ply, mover, 0, 1)
        if self.edge_count + top > EDGES:
            self.is_full = True
            return
        self.placer.play_count = top
        self.find_replies(ply, 1 - mover, False)
        reply_gain: cython.int = self.best_static_gain(1 - mover)
        for i in range(top):
            if popcount(self.placer.placements[i] & (1 << SIDE) - 1) == self.tile_counts[mover]:
                continue  # it ends the game, see `init_bounds`
            if self.placer.scores[i] or scoreless + 1 < SCORELESS_LIMIT:
                value: cython.int = self.refutation_bound(ply, mover, i, target - 1, False)
                if value < FAR:
                    self.node_data[n + UNLISTED] = max(self.node_data[n + UNLISTED], value)
                    continue
            e: cython.int = 4 * self.edge_count
            gap: cython.int = target + reply_gain - self.placer.estimates[i] // UNIT
            delta: cython.int = 4 + max(gap, 0) // 2
            if self.successful[history_slot(mover, self.placer.codes[i])]:
                delta = 1 + delta // 2
            self.edges[e] = cython.cast(cython.int, self.placer.codes[i])
            self.edges[e + 1] = self.placer.scores[i]
            self.edges[e + 2] = 0
            self.edges[e + 3] = (1 + max(-gap, 0) // 10) << 16 | delta
            self.edge_count += 1
        self.node_data[n + COUNT] = self.edge_count - self.node_data[n + FIRST_EDGE]

    def is_decided(self, node, mover, scoreless, target):
        """True if the bounds of a node decide the target; stores them by position."""
        n: cython.int = NODE * node
        if self.node_data[n + LOW] < target <= self.node_data[n + HIGH]:
            return False
        done: cython.bint = self.node_data[n + LOW] >= target
        self.node_data[n + PHI] = 0 if done else INFINITE
        self.node_data[n + DELTA] = INFINITE if done else 0
        if not self.stopped:
            key: cython.ulonglong = self.position_key(mover, scoreless)
            place: cython.int = key & (BOUND_SLOTS - 1)
            self.bound_keys[place] = key
            self.bounds[2 * place], self.bounds[2 * place + 1] = (
                self.node_data[n + LOW],
                self.node_data[n + HIGH],
            )
        return True

    def update_node(self, node, target):
        """Update the numbers and bounds of a node from its plays; return the edge to search next."""
        i: cython.int
        n: cython.int = NODE * node
        best: cython.int = -1
        second: cython.int = INFINITE
        low: cython.int = self.node_data[n + LOW]
        high: cython.int = self.node_data[n + UNLISTED]
        hardest: cython.int = 0
        open_plays: cython.int = 0
        self.node_data[n + PHI] = INFINITE
        for i in range(
            4 * self.node_data[n + FIRST_EDGE],
            4 * (self.node_data[n + FIRST_EDGE] + self.node_data[n + COUNT]),
            4,
        ):
            child: cython.int = self.edges[i + 2]
            if child == REFUTED:
                high = max(high, self.edges[i + 3])
                continue
            phi: cython.int = self.edges[i + 3] >> 16
            delta: cython.int = self.edges[i + 3] & 0xFFFF
            if child:
                child *= NODE
                phi, delta = self.node_data[child + PHI], self.node_data[child + DELTA]
                low = max(low, self.edges[i + 1] - self.node_data[child + HIGH])
                high = max(high, self.edges[i + 1] - self.node_data[child + LOW])
            else:
                high = FAR
            if phi:
                hardest = max(hardest, phi)
                open_plays += 1
            if delta < self.node_data[n + PHI]:
                second = self.node_data[n + PHI]
                self.node_data[n + PHI] = delta
                best = i
            elif delta < second:
                second = delta
        self.node_data[n + DELTA] = min(hardest + open_plays - 1, INFINITE) if open_plays else 0
        self.node_data[n + LOW] = low
        self.node_data[n + HIGH] = min(self.node_data[n + HIGH], high)
        self.node_data[n + SECOND] = second
        return best

    def search_node(self, node, ply, mover, scoreless, target, most_phi, most_delta):
        """Step 4: search below a node until it is finished or its numbers reach the limits."""
        n: cython.int = NODE * node
        while True:
            edge: cython.int = self.update_node(node, target)
            if self.is_decided(node, mover, scoreless, target) or edge < 0:
                if edge >= 0 and not self.node_data[n + PHI]:
                    self.successful[history_slot(mover, cython.cast(cython.uint, self.edges[edge]))] = True
                return
            if self.node_data[n + PHI] >= most_phi or self.node_data[n + DELTA] >= most_delta:
                return
            second: cython.int = self.node_data[n + SECOND]
            child: cython.int = NODE * self.edges[edge + 2]
            phi: cython.int = self.node_data[child + PHI] if child > 0 else 0
            self.descend(
                edge,
                ply,
                mover,
                scoreless,
                target,
                most_delta - self.node_data[n + DELTA] + phi,
                min(most_phi, second + second // 4 + 1),
            )
            if self.stopped or self.is_full or self.overflowed:
                return

    def descend(self, edge, ply, mover, scoreless, target, most_phi, most_delta):
        """Make a play; create its node, or search below it."""
        points: cython.int = self.edges[edge + 1]
        next_scoreless: cython.int = 0 if points else scoreless + 1
        self.place_tiles(ply, mover, cython.cast(cython.uint, self.edges[edge]))
        if self.edges[edge + 2]:
            self.search_node(
                self.edges[edge + 2],
                ply + 1,
                1 - mover,
                next_scoreless,
                points - target + 1,
                most_phi,
                most_delta,
            )
        else:
            upper: cython.int = FAR
            if self.tile_counts[mover] <= SOLO_TILES:
                upper = points + self.solo_gain(ply + 1, mover, 0, target - points)
            if self.stopped:
                pass
            elif upper < target:
                self.edges[edge + 2] = REFUTED
                self.edges[edge + 3] = upper
            else:
                self.edges[edge + 2] = self.create(ply + 1, 1 - mover, next_scoreless, points - target + 1)
        self.remove_tiles(ply, mover)
