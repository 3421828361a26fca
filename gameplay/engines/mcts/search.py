# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Monte Carlo tree search: simulations of four phases, on one or more threads.  Types: search.pxd.

The phases are named as by Guillaume Chaslot and others, "Monte-Carlo tree search: a new framework for game
AI", AIIDE 2008; each has a file with its formulas and sources: selection `uct.py`, expansion `expansion.py`,
simulation `simulation.py`, backup `backup.py`. `tree.py` has what they share, `solver.py` proves values.

Theorem (Kocsis and Szepesvári, ECML 2006, for payoffs from 0 to 1): the mean of a node's simulations tends to
its value under best play, and the share of the visits that go to other moves than the best tends to 0.

Each player maximizes their own payoff (as in max^n), which covers multiplayer and general-sum games; chance
outcomes are sampled by probability.

Several threads on one tree: a simulation in progress counts as a visit with the least payoff until its payoff
is known (virtual loss: Guillaume Chaslot, Mark Winands and Jaap van den Herik, "Parallel Monte-Carlo tree
search", CG 2008). There are no locks: visits are counted atomically, a payoff may get lost (Markus
Enzenberger and Martin Müller, "A lock-free multithreaded Monte-Carlo tree search algorithm", ACG 2009).
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import threading
import time

from gameplay import value as scale
from gameplay.engines.mcts.arena import Arena
from gameplay.engines.mcts.statistics import candidates
from gameplay.engines.mcts.tree import MonteCarloTree
from gameplay.kernel import Kernel
from gameplay.search import trace as steps
from gameplay.search.report import Report

if cython.compiled:
    from cython.cimports.gameplay.engines.mcts.backup import back_up
    from cython.cimports.gameplay.engines.mcts.expansion import expand, set_priors
    from cython.cimports.gameplay.engines.mcts.simulation import simulate
    from cython.cimports.gameplay.engines.mcts.solver import update_bounds
    from cython.cimports.gameplay.engines.mcts.trace import emit_expanded, emit_selected, emit_simulated
    from cython.cimports.gameplay.engines.mcts.uct import select
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

    from gameplay.engines.mcts.backup import back_up
    from gameplay.engines.mcts.expansion import expand, set_priors
    from gameplay.engines.mcts.simulation import simulate
    from gameplay.engines.mcts.solver import update_bounds
    from gameplay.engines.mcts.trace import emit_expanded, emit_selected, emit_simulated
    from gameplay.engines.mcts.uct import select
    from gameplay.native.bits import M64

MAX_PLY = cython.declare(cython.int, scale.MAX_PLY)
SEED_STEP = cython.declare(cython.ulonglong, 0xD1B54A32D192ED03)  # between the seeds of threads
PAUSE = 0.02  # seconds between reports of the root, about
CLAIMING = threading.Lock()  # uncompiled, threads can switch within claim()


class MonteCarloSearch(MonteCarloTree):
    """One search of one position by `simulations` simulations (0: until stopped); else as MonteCarloTree."""

    def __init__(
        self,
        kernel: Kernel,
        control,
        options,
        simulations,
        policy,
        bounds,
        leaf_search=None,
        plies=0,
        guide=None,
    ):
        MonteCarloTree.__init__(self, kernel, control, options, policy, bounds, leaf_search, plies, guide)
        self.simulations = simulations
        self.seed = options.seed
        self.gate = None

    def use_arena(self, arena: Arena):
        """Search the tree in this arena; start a new one if its root has other moves."""
        i: cython.int
        self.arena = arena
        arena.claimed = 0
        self.moves_total = self.remaining = len(self.moves)
        for i in range(self.moves_total):
            self.order[i] = 1 + i
        children = [move for _, move, _ in arena.children(0)] if arena.node_count else []
        if sorted(children) == sorted(self.moves):
            return
        arena.empty()
        self.reserve_nodes(1 + len(self.moves))
        self.add_leaf(0, -1)
        for i, move in enumerate(self.moves, 1):
            self.add_leaf(i, move)
        arena.nodes[0].mover = self.kernel.turn
        arena.nodes[0].count = len(self.moves)
        arena.nodes[0].first = 1
        if self.prior or self.widen:
            self.kernel.reserve(len(self.moves) + 2 * self.kernel.max_moves)
            set_priors(self, self.kernel, 1, len(self.moves))

    def run(self, depth):
        kernel: Kernel = self.kernel
        kernel.rng_state = (self.seed + self.helper * SEED_STEP) & M64
        kernel.policy = self.policy
        kernel.control = self.control
        kernel.allocate_gains()
        batch: cython.int = 8 if kernel.python else 256  # simulations between checks of the clock
        count: cython.int = self.claim(1)
        if not self.helper:
            self.count()
        try:
            while not self.stopped:
                began = time.monotonic()
                before: cython.longlong = self.visits
                if kernel.python:
                    self.run_batch(kernel, count)
                else:
                    with cython.nogil:
                        self.run_batch(kernel, count)
                self.check()
                self.arena.claimed -= count - (self.visits - before)
                if not self.helper:
                    self.best = candidates(self)
                    if self.simulations and self.total() >= self.simulations:
                        self.control.halt("simulations")
                        self.stopped = True
                if self.arena.nodes[0].proven:
                    self.control.halt("proven")
                    self.stopped = True
                if self.arena.full and not self.stopped:
                    self.make_room()
                took = time.monotonic() - began
                if count == batch and took < PAUSE / 2 and batch < 1 << 20:
                    batch *= 2
                elif count == batch and took > 2 * PAUSE and batch > 8:
                    batch //= 2
                count = self.claim(batch)
                if not count:
                    time.sleep(PAUSE / 20)  # other threads have claimed the remaining simulations
                    self.poll()
        finally:
            kernel.control = None
            if self.gate is not None:
                self.control.stop = True
                self.gate.abort()
        if not self.helper:
            self.best = candidates(self)

    # -- the four phases -------------------------------------------------------------------------

    def run_batch(self, kernel, count):
        """Run `count` simulations, each from the root of the tree and back to it.

        Fewer when stopped, when the root is proved, and when the arena is full.
        """
        until: cython.longlong = self.visits + count
        nodes = self.arena.nodes
        tallies = self.arena.tallies
        while self.visits < until and not self.stopped:
            # 1. Selection: down the tree, to a leaf or to a proved node.
            node: cython.int = 0
            ply: cython.int = 0
            self.path[0] = 0
            self.count_visit(0, 1)
            while nodes[node].first and not nodes[node].proven and not self.stopped:
                node = select(self, kernel, node)
                ply += 1
                if self.tracing:
                    emit_selected(self, ply, node)
                self.visit_child(kernel, ply, node)

            # 2. Expansion: a leaf that was visited before gets children; one of them is visited.
            if (
                tallies[node].visits > 1
                and tallies[node].visits >= self.arena.min_visits
                and not nodes[node].proven
                and ply < MAX_PLY
                and not self.stopped
                and not kernel.result()
                and expand(self, kernel, node)
                and not nodes[node].proven
            ):
                if self.tracing:
                    emit_expanded(self, ply, node)
                node = select(self, kernel, node)
                ply += 1
                if self.tracing:
                    emit_selected(self, ply, node)
                self.visit_child(kernel, ply, node)
            if ply > self.seldepth:
                self.seldepth = ply

            # Threads that prove two moves of a node at the same time may miss each other's bounds.
            if self.threads > 1 and ply and nodes[node].proven and not nodes[self.path[ply - 1]].proven:
                update_bounds(self, self.path[ply - 1])

            # 3. Simulation: each player's payoff, by a playout or by the evaluation.
            end: cython.int = simulate(self, kernel, node)
            if self.tracing:
                emit_simulated(self, kernel, ply, end)

            # 4. Backup: to every node of the simulation, and back to the root.
            if not self.stopped:
                self.visits += 1
            back_up(self, kernel, ply, end)

            # The result must not depend on the batch size, which depends on the clock.
            if nodes[0].proven or self.arena.full:
                return

    def visit_child(self, kernel, ply, node):
        """Make the move to `node` and count the visit; true if the search must stop."""
        nodes = self.arena.nodes
        tallies = self.arena.tallies
        visits: cython.int = self.count_visit(node, 1)
        self.path[ply] = node
        tallies[node].mean -= tallies[node].mean / visits  # virtual loss: the least payoff until the backup
        tallies[node].inv_sqrt = 1.0 / sqrt(visits)
        kernel.push(nodes[node].move)
        return self.count()

    # -- threads ---------------------------------------------------------------------------------

    def join(self, threads, gate):
        """Share the tree among `threads` threads, which wait at `gate` when the arena is full."""
        self.threads = threads
        self.gate = gate

    def claim(self, wanted):
        """The number of simulations to run next, so that all threads together do not exceed the limit."""
        if not self.simulations:
            return wanted
        with CLAIMING:
            left = self.simulations - self.arena.claimed
            share = left if self.threads == 1 else -(-left // (2 * self.threads))
            taken = max(0, min(wanted, share))
            self.arena.claimed += taken
        return taken

    def total(self):
        """Simulations of this thread and its helpers."""
        return self.visits + sum([helper.visits for helper in self.helpers])

    def make_room(self):
        """Trim the full arena, if there is time; with several threads one trims while the others wait."""
        if self.gate is None:
            self.arena.trim(self.control)
            if self.tracing and not self.arena.full:
                self.emit(steps.TraceEvent("trim", 0, visits=self.arena.min_visits))
        else:
            try:
                self.gate.wait()
            except threading.BrokenBarrierError:  # another thread has ended
                self.stopped = True
        if self.arena.full:
            self.poll()
        self.next = self.end = 0

    # --------------------------------------------------------------------------------------------

    def report(self):
        """The result as of the last batch."""
        candidates, _, exact = self.best
        return Report.of(
            candidates,
            visited=self.visited,
            seldepth=max([self.seldepth] + [helper.seldepth for helper in self.helpers]),
            visits=self.total(),
            nodes=self.nodes + sum([helper.nodes for helper in self.helpers]),
            exact=exact,
            fill=self.arena.fill,
            trims=self.arena.trims,
        )
