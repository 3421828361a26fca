# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Information set Monte Carlo tree search: each simulation samples the hidden information, in one tree.

Peter Cowling, Edward Powley and Daniel Whitehouse, "Information set Monte Carlo tree search", IEEE
Transactions on Computational Intelligence and AI in Games 4, 2012. Nodes are shared by all deals,
so that a player cannot rely on hidden information: there is no strategy fusion at the mover's own nodes.

    1. Deal: a position that the mover cannot distinguish from the real one; if the game models the others'
       play, one that explains their moves (`likely`).
    2. Selection: down the tree by the moves that are legal in this deal. A child is compared by UCB1 with the
       simulations in which it could have been chosen, its availability, in place of its parent's visits: a
       rarely legal move would otherwise be tried whenever it is legal.
    3. Expansion and simulation: an untried move, then a playout to the end, or an evaluation. Playouts follow
       the game's policy, if it has one, and so do rarely visited nodes below the root, which have no
       meaningful statistics yet.
    4. Backup: each player's payoff, to the moves that they chose.

There are two kinds of tree (the paper's SO- and MO-ISMCTS). With a single observer there is one tree of all
moves; a player other than the mover then chooses independently of their hidden cards. With multiple observers
each player has a separate tree, whose nodes are their infosets; the mover selects in their tree. Nodes are
stored in an arena (`engines/mcts/arena.py`); when a move is legal for the first time, the children are copied
to a larger block.
Types: search.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import math
from random import Random

from gameplay import value as scale
from gameplay.adapter import PositionKernel, kernel_of
from gameplay.engines.mcts.arena import Arena
from gameplay.kernel import Kernel
from gameplay.search.report import Candidate, Report
from gameplay.search.root import RootSearch

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import zeroed
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.value import ENDLESS, HUGE, MAX_PLY
    from cython.cimports.libc.math import log, sqrt
else:
    from math import log, sqrt

    from gameplay.position import CHANCE
    from gameplay.value import ENDLESS, HUGE, MAX_PLY

POLICY_VISITS = cython.declare(cython.int, 40)  # below the root, nodes with fewer visits follow the policy
SHOWN = 5  # moves whose visits are reported


class InfosetSearch(RootSearch):
    """One search of one position.

    arena: an empty arena for the tree.
    simulations: limit; 0: until stopped.
    single: one tree, for a single observer.
    evaluates_leaves: a simulation ends with the evaluation, not with a playout.
    likely_deals: sample by `position.likely`, else by `position.determinize`.
    """

    def __init__(
        self,
        position,
        control,
        arena: Arena,
        simulations,
        c,
        seed,
        single,
        evaluates_leaves,
        policy,
        likely_deals,
    ):
        RootSearch.__init__(self, kernel_of(position), control)
        self.position, self.arena, self.simulations = position, arena, simulations
        self.c, self.evaluates_leaves, self.policy = c, evaluates_leaves, policy
        self.unit = self.kernel.unit
        self.half = 0.0 if self.kernel.scored or self.kernel.calibrated else scale.half_win(self.kernel.unit)
        self.rng = Random(seed)
        self.sample_world = position.likely if likely_deals else position.determinize
        self.player = position.turn
        self.players = position.players
        self.infoset_nodes = None if single else {(self.player, position.infoset(self.player)): 0}
        self.min_seen, self.max_seen = HUGE, -HUGE
        self.visits = 0
        self.arena.clear(self.arena.allocate(1), -1)
        if cython.compiled:
            size: cython.size_t = (MAX_PLY + 2) * cython.sizeof(cython.int)
            self.path = cython.cast(cython.p_int, zeroed(1, size))
            self.made = cython.cast(cython.p_int, zeroed(1, size))
            self.chooser = cython.cast(cython.p_int, zeroed(1, size))
        else:
            self.path, self.made, self.chooser = ([0] * (MAX_PLY + 2) for _ in range(3))

    def __dealloc__(self):
        PyMem_Free(self.path)
        PyMem_Free(self.made)
        PyMem_Free(self.chooser)

    def run(self, depth):
        self.count()
        while not self.stopped:
            world = self.sample_world(self.player, self.rng)
            kernel: Kernel = kernel_of(world)
            kernel.rng_state = self.rng.getrandbits(63)
            kernel.control = self.control
            kernel.policy = self.policy
            kernel.allocate_gains()
            self.simulate(kernel)
            kernel.control = None
            if kernel.failed:
                raise kernel.error
            if not self.stopped and self.simulations and self.visits >= self.simulations:
                self.control.halt("simulations")
                self.stopped = True
            if self.visits == 1 or self.visits & 63 == 0 or self.stopped:
                self.best = self.candidates()

    # -- one simulation --------------------------------------------------------------------------

    def simulate(self, kernel):
        """One simulation in one deal; the position is restored afterwards."""
        at: cython.int = 0  # the node in a single tree; -1: left the tree
        ply: cython.int = 0
        expanded: cython.bint = False
        single: cython.bint = self.infoset_nodes is None
        while not expanded and not self.stopped and ply < MAX_PLY and not kernel.result():
            mover: cython.int = kernel.turn
            i: cython.int = 0
            if mover == CHANCE:
                end: cython.int = kernel.gen_chances(0)
                u: cython.double = kernel.random_unit()
                while i < end - 1 and u >= kernel.odds[i]:
                    u -= kernel.odds[i]
                    i += 1
                if single and not self.ensure_children(kernel, at, end):
                    break
            else:
                end = kernel.gen(0)
                if not single:
                    at = self.infoset_node(kernel, at)
                if at < 0 or kernel.failed or not self.ensure_children(kernel, at, end):
                    break
                i = self.select(kernel, at, end)
                expanded = self.arena.tallies[kernel.weight[i]].visits == 0
            if kernel.failed:
                break
            at = kernel.weight[i] if single or mover != CHANCE else -1
            self.path[ply] = at
            self.made[ply] = kernel.stack[i]
            self.chooser[ply] = mover
            kernel.push(self.made[ply])
            ply += 1
            self.count()
        if ply > self.seldepth:
            self.seldepth = ply
        if not self.stopped and not kernel.failed:
            if self.evaluates_leaves:
                self.evaluate(kernel)
            else:
                limit: cython.int = ENDLESS
                if self.node_limit and self.node_limit - self.nodes < ENDLESS:
                    limit = cython.cast(cython.int, self.node_limit - self.nodes)
                end: cython.int = kernel.playout(0, limit)
                self.nodes += end
                if not kernel.finished and not kernel.failed and end >= ENDLESS:
                    kernel.finished = True
                    for i in range(self.players):
                        kernel.gains[i] = 0.0
            if self.nodes >= self.next_poll:
                self.poll()
            if kernel.finished and not self.stopped:
                self.back_up(kernel, ply)
        for i in range(ply - 1, -1, -1):
            kernel.pop(self.made[i])

    def evaluate(self, kernel):
        """Set the kernel's `gains`: the payoffs if the game is over, else the evaluation."""
        i: cython.int
        over: cython.bint = kernel.result()
        for i in range(self.players):
            value: cython.double = kernel.payoff(i) if over else kernel.score_for(i)
            if self.half and not over:
                value = self.unit * value / (abs(value) + self.half)
            kernel.gains[i] = value
        kernel.finished = not kernel.failed

    def infoset_node(self, kernel, at):
        """The node of the mover's infoset, added if it is new; -1 if the arena is full."""
        with cython.gil:
            return self.add_infoset(kernel)

    def add_infoset(self, kernel):
        try:
            position = kernel.position if isinstance(kernel, PositionKernel) else kernel
            key = (kernel.turn, position.infoset(kernel.turn))
            node = self.infoset_nodes.get(key)
            if node is None:
                node = self.arena.allocate(1)
                if node >= 0:
                    self.arena.clear(node, -1)
                    self.infoset_nodes[key] = node
            return node
        except BaseException as error:
            self.fail(error)
            return -1

    def ensure_children(self, kernel, node, end):
        """Add missing children for the moves of the stack, write the nodes to `weight`, count availability.

        False if the arena is full.
        """
        nodes = self.arena.nodes
        i: cython.int
        missing: cython.int = 0
        first: cython.int = nodes[node].first
        count: cython.int = nodes[node].count
        for i in range(end):
            # At the same index if the same moves were legal before.
            k: cython.int = first + i if i < count else first
            if not count or nodes[k].move != kernel.stack[i]:
                for k in range(first, first + count):
                    if nodes[k].move == kernel.stack[i]:
                        break
                else:
                    k = -1
                    missing += 1
            kernel.weight[i] = k
        if missing and not self.add_children(kernel, node, end, missing):
            return False
        nodes = self.arena.nodes
        for i in range(end):
            nodes[kernel.weight[i]].amaf_visits += 1
        return True

    def add_children(self, kernel, node, end, missing):
        """Copy a node's children to a larger block and add the missing ones; false if the arena is full."""
        i: cython.int
        count: cython.int = self.arena.nodes[node].count
        first: cython.int = self.arena.nodes[node].first
        new: cython.int = self.arena.allocate(count + missing)
        if new < 0:
            return False
        nodes = self.arena.nodes
        tallies = self.arena.tallies
        for i in range(count):
            if cython.compiled:
                nodes[new + i] = nodes[first + i]
                tallies[new + i] = tallies[first + i]
            else:
                nodes[new + i], nodes[first + i] = nodes[first + i], nodes[new + i]
        for i in range(end):
            if kernel.weight[i] >= 0:
                kernel.weight[i] += new - first
            else:
                self.arena.clear(new + count, kernel.stack[i])
                kernel.weight[i] = new + count
                count += 1
        nodes[node].first = new
        nodes[node].count = count
        return True

    def select(self, kernel, node, end):
        """The index of the selected move: a random untried one, else by UCB1.

        At rarely visited nodes below the root, only moves that the policy samples from are candidates.
        """
        nodes = self.arena.nodes
        tallies = self.arena.tallies
        span: cython.double = 1.0 / (self.max_seen - self.min_seen) if self.max_seen > self.min_seen else 0.0
        best: cython.double = -HUGE
        chosen: cython.int = 0
        untried: cython.int = 0
        first: cython.int = nodes[node].first
        i: cython.int
        k: cython.int
        last: cython.int = end
        if kernel.policy and node:
            tried: cython.longlong = 0
            for k in range(first, first + nodes[node].count):
                tried += tallies[k].visits
            if tried < POLICY_VISITS:
                last = kernel.gen_policy(end)
        for i in range(end):
            child: cython.int = kernel.weight[i]
            if tallies[child].dominated:
                continue
            if last > end:
                for k in range(end, last):
                    if kernel.stack[k] == kernel.stack[i]:
                        break
                else:
                    continue
            if not tallies[child].visits:
                untried += 1
                if kernel.random_unit() * untried < 1.0:
                    chosen = i
            elif not untried:
                visits: cython.double = tallies[child].visits
                available: cython.double = nodes[child].amaf_visits
                score: cython.double = (tallies[child].mean - self.min_seen) * span
                score += self.c * sqrt(log(available) / visits)
                if score > best:
                    best = score
                    chosen = i
        return chosen

    def back_up(self, kernel, ply):
        """Update the moves of a simulation with the payoff of the player who chose each."""
        nodes = self.arena.nodes
        tallies = self.arena.tallies
        i: cython.int
        for i in range(self.players):
            self.min_seen = min(self.min_seen, kernel.gains[i])
            self.max_seen = max(self.max_seen, kernel.gains[i])
        for i in range(ply):
            node: cython.int = self.path[i]
            if node >= 0:
                tallies[node].visits += 1
                if self.chooser[i] != CHANCE:
                    gain: cython.double = kernel.gains[self.chooser[i]]
                    tallies[node].mean += (gain - tallies[node].mean) / tallies[node].visits
                    nodes[node].amaf_sum += gain * gain
        self.visits += 1

    # -- the root ----------------------------------------------------------------------------------

    def restrict_moves(self, moves):
        """Search only these moves at the root. Raises Usage if none of them is legal."""
        moves_before = list(self.moves)
        RootSearch.restrict_moves(self, moves)
        i: cython.int
        kernel: Kernel = self.kernel
        end: cython.int = kernel.gen(0)
        self.ensure_children(kernel, 0, end)
        chosen = set(self.moves)
        for i in range(end):
            self.arena.tallies[kernel.weight[i]].dominated = moves_before[i] not in chosen

    def candidates(self):
        """The visited moves, most visited first, with their mean payoffs."""
        i: cython.int
        candidates = []
        first: cython.int = self.arena.nodes[0].first
        for i in range(first, first + self.arena.nodes[0].count):
            visits = self.arena.tallies[i].visits
            if visits:
                mean = self.arena.tallies[i].mean
                variance = max(0.0, self.arena.nodes[i].amaf_sum / visits - mean * mean)
                move = self.arena.nodes[i].move
                error = math.sqrt(variance / visits)
                candidates.append(Candidate(move, mean, "expectation", visits, (move,), error=error))
        if not candidates:
            return self.best
        candidates.sort(key=_rank, reverse=True)
        return (tuple(candidates), 0, False)

    def report(self):
        """The result, at most 64 simulations old."""
        candidates = self.best[0]
        return Report.of(
            candidates[: self.multipv],
            visited=candidates[:SHOWN] if self.visits else (),
            seldepth=self.seldepth,
            visits=self.visits,
            nodes=self.nodes,
            fill=self.arena.fill,
        )


def _rank(candidate):
    return (candidate.visits, candidate.value)
