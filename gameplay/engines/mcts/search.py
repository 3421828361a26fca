# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Monte Carlo tree search: the four steps, and what has been added to them.  Types: search.pxd.

Levente Kocsis and Csaba Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006 (UCT); the steps are named
as by Guillaume Chaslot and others, "Monte-Carlo tree search: a new framework for game AI", AIIDE 2008.

Theorem (of the first paper, for rewards from 0 to 1): the mean of a node's simulations tends to its value
under best play, and the share of the visits that go to other moves than the best tends to 0.

Each player maximizes their own payoff (as in max^n), so that games of many players and general-sum games need
nothing more; chance outcomes are sampled by probability. Enhancements, each with its own option:

- All moves as first (AMAF, `rave`): a move's mean over all simulations in which its player made it at any
  later time, before any other player did, counts too, with less weight the more often it was tried itself.
  With n visits of its own, including those that the prior counts as, a visits of AMAF and the option k, the
  weight of the AMAF mean is a / (n + a + n a / k): Sylvain Gelly and David Silver, "Combining online and
  offline knowledge in UCT", ICML 2007, with the schedule of least error of their article in Artificial
  Intelligence 175, 2011 (1 / k stands for their 4 b^2).
- What is proved (`solver`): `low` and `high` bound the payoff of the first player below a node. At the end of
  the game both are the payoff; a decision node has the best bounds of its moves, a chance node their mean.
  Moves that cannot beat the guaranteed value of another are not tried again. Mark Winands, Yngvi Björnsson
  and Jahn-Takeshi Saito, "Monte-Carlo tree search solver", CG 2008; with bounds, so that draws and points
  count: Tristan Cazenave and Abdallah Saffidine, "Score bounded Monte-Carlo tree search", CG 2010. With more
  than two players a node is proved when all its children are, and those that tie for the mover have the same
  payoffs for each player.
- What is known before the first visit (`prior`): the moves' hints or the evaluation, as so many visits.
- First-play urgency (`fpu`): Yizao Wang and Sylvain Gelly, "Modifications of UCT and sequence-like
  simulations for Monte-Carlo Go", CIG 2007.
- Few moves first (`widen`): Rémi Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007.
- Several threads on one tree: a simulation under way is counted, with the least payoff, until its payoff is
  known (virtual loss: Guillaume Chaslot, Mark Winands and Jaap van den Herik, "Parallel Monte-Carlo tree
  search", CG 2008). Nothing is locked: visits are counted by one instruction each, a payoff may get lost
  (Markus Enzenberger and Martin Müller, "A lock-free multithreaded Monte-Carlo tree search algorithm", ACG
  2009).
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import math
import threading
import time

from gameplay import value as scale
from gameplay.engines.mcts.arena import CHUNK as _CHUNK
from gameplay.engines.mcts.arena import Arena
from gameplay.kernel import Kernel
from gameplay.search import trace as steps
from gameplay.search.report import Candidate, Report
from gameplay.search.root import RootSearch

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Calloc, PyMem_Free
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.search.barrier import added, barrier
    from cython.cimports.libc.math import log, sqrt
else:
    from math import log, sqrt

    from gameplay.native.bits import M64
    from gameplay.position import CHANCE
    from gameplay.search.barrier import barrier

MAX_PLY = cython.declare(cython.int, scale.MAX_PLY)
INF = cython.declare(cython.int, scale.INF)
GUESS = cython.declare(cython.int, scale.GUESS)
CHUNK = cython.declare(cython.int, _CHUNK)
ENDLESS = cython.declare(cython.int, scale.ENDLESS)
PLACES = cython.declare(cython.int, 4096)
HUGE = cython.declare(cython.double, 1e300)
GAME_END, PROVEN, EVALUATION, MIXED, BY_SEARCH = (
    cython.declare(cython.int, steps.GAME_END),
    cython.declare(cython.int, steps.PROVEN),
    cython.declare(cython.int, steps.EVALUATION),
    cython.declare(cython.int, steps.MIXED),
    cython.declare(cython.int, steps.SEARCH),
)
APART = cython.declare(cython.ulonglong, 0xD1B54A32D192ED03)  # between the seeds of two threads

LEAVES = ("rollout", "evaluate", "mixed")
PRIORS = ("off", "hint", "evaluation")
SHOWN = 5  # moves whose visits are shown
PAUSE = 0.02  # seconds between two looks at the root, about


class MonteCarloSearch(RootSearch):
    """One search of one position, `simulations` long (0: until stopped), with the options of `engines.mcts`.

    `bounds`: the least and the most that the first of two players can get, times `unit`; None: not known.
    `reader`: an alpha-beta search that reads `plies` deep at each leaf, or None.
    """

    def __init__(self, kernel: Kernel, control, options, simulations, policy, bounds, reader=None, plies=0):
        RootSearch.__init__(self, kernel, control)
        self.simulations = simulations
        self.seed = options.seed
        self.policy = policy
        self.players = kernel.players
        self.opposed = kernel.players == 2 and kernel.zero_sum
        self.unit = kernel.unit
        self.c, self.fpu = options.c_in(kernel), options.fpu
        self.rave, self.widen = options.rave_in(kernel), options.widen
        self.prior = PRIORS.index(options.prior_in(kernel))
        self.prior_visits = options.weight if self.prior else 0
        self.reader, self.plies = reader, plies
        self.leaf = 0 if plies else LEAVES.index(options.leaf_in(kernel))
        self.solver = options.solver
        self.half = 0.0 if kernel.scored or kernel.calibrated else scale.half(kernel.unit)
        self.worst, self.finest = bounds or (-HUGE, HUGE)
        self.floor = self.worst if bounds else 0.0
        self.least, self.most_got = HUGE, -HUGE
        self.visits = self.next = self.end = self.number = 0
        self.sealed = False
        self.source = 0
        self.compared = 0.0
        self.arena = None
        self.gate = None
        self.threads = 1
        self.visited = ()
        count = len(self.moves)
        table = PLACES if self.rave else 1
        if cython.compiled:
            size: cython.size_t = cython.sizeof(cython.int)
            self.path = cython.cast(cython.p_int, PyMem_Calloc(MAX_PLY + 2, size))
            self.tries = cython.cast(cython.p_int, PyMem_Calloc(count, size))
            self.marks = cython.cast(cython.p_longlong, PyMem_Calloc(table, cython.sizeof(cython.longlong)))
            size = cython.sizeof(cython.double)
            self.sums = cython.cast(cython.p_double, PyMem_Calloc(count, size))
            self.gains = cython.cast(cython.p_double, PyMem_Calloc(self.players, size))
            self.squares = cython.cast(cython.p_double, PyMem_Calloc(count, size))
            if (
                self.path == cython.NULL
                or self.marks == cython.NULL
                or self.tries == cython.NULL
                or self.gains == cython.NULL
                or self.squares == cython.NULL
                or self.sums == cython.NULL
            ):
                raise MemoryError
        else:
            self.path, self.marks, self.tries = [0] * (MAX_PLY + 2), [0] * table, [0] * count
            self.gains, self.squares, self.sums = [0.0] * self.players, [0.0] * count, [0.0] * count

    def __dealloc__(self):
        PyMem_Free(self.path)
        PyMem_Free(self.marks)
        PyMem_Free(self.tries)
        PyMem_Free(self.gains)
        PyMem_Free(self.squares)
        PyMem_Free(self.sums)

    # -- the tree --------------------------------------------------------------------------------

    def grow_in(self, arena: Arena):
        """Search the tree in this arena, from its root on; a new one if it is empty."""
        i: cython.int
        self.arena = arena
        arena.claimed = 0
        known = [move for _, move, _ in arena.children(0)] if arena.used else []
        if sorted(known) == sorted(self.moves):
            return
        arena.empty()
        self.reserve_nodes(1 + len(self.moves))
        self.plant(0, -1)
        for i, move in enumerate(self.moves, 1):
            self.plant(i, move)
        arena.nodes[0].mover = self.kernel.turn
        arena.nodes[0].count = len(self.moves)
        arena.nodes[0].first = 1
        if self.prior or self.widen:
            self.kernel.reserve(len(self.moves) + 2 * self.kernel.max_moves)
            self.foresee(self.kernel, 1, len(self.moves))

    def plant(self, node: cython.int, move: cython.int):
        """A new leaf, of which nothing is known."""
        self.arena.clear(node, move)
        self.arena.nodes[node].low, self.arena.nodes[node].high = self.worst, self.finest

    def join(self, threads, gate):
        """Search the tree together with others, so many in all, who meet at `gate` when it is full."""
        self.threads = threads
        self.gate = gate

    def run(self, depth):
        kernel: Kernel = self.kernel
        kernel.lots = (self.seed + self.helper * APART) & M64
        kernel.policy = self.policy
        kernel.control = self.control
        kernel.seat()
        batch: cython.int = 8 if kernel.python else 256  # simulations between two looks
        count: cython.int = self.claim(1)
        if not self.helper:
            self.count()
        try:
            while not self.stopped:
                began = time.monotonic()
                before: cython.longlong = self.visits
                if kernel.python:
                    self.simulate(kernel, count)
                else:
                    with cython.nogil:
                        self.simulate(kernel, count)
                self.check()
                self.arena.claimed -= count - (self.visits - before)
                if not self.helper:
                    self.best = self.candidates()
                    if self.simulations and self.total() >= self.simulations:
                        self.control.halt("simulations")
                        self.stopped = True
                if self.arena.nodes[0].sure:
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
                    time.sleep(PAUSE / 20)  # others make the last ones
                    self.poll()
        finally:
            kernel.control = None
            if self.gate is not None:
                self.control.stop = True
                self.gate.abort()
        if not self.helper:
            self.best = self.candidates()

    def claim(self, wanted):
        """How many simulations to make now: all together make no more than they may."""
        if not self.simulations:
            return wanted
        left = self.simulations - self.arena.claimed
        share = left if self.threads == 1 else -(-left // (2 * self.threads))
        taken = max(0, min(wanted, share))
        self.arena.claimed += taken
        return taken

    def total(self):
        """Simulations of this thread and of those that help it."""
        return self.visits + sum([helper.visits for helper in self.helpers])

    def make_room(self):
        """The arena is full: all threads wait until one of them has trimmed the tree, if there is time."""
        if self.gate is None:
            self.arena.trim(self.control)
            if self.tracing and not self.arena.full:
                self.emit(steps.TraceEvent("trim", 0, visits=self.arena.least))
        else:
            try:
                self.gate.wait()
            except threading.BrokenBarrierError:  # another thread has ended
                self.stopped = True
        if self.arena.full:
            self.poll()
        self.next = self.end = 0

    # -- the four steps --------------------------------------------------------------------------

    def simulate(self, kernel, count):
        """So many simulations: the position is as before, the tree knows more.

        Fewer when stopped, when the root is proved, and when the arena is full.
        """
        until: cython.longlong = self.visits + count
        end: cython.int
        nodes = self.arena.nodes
        tallies = self.arena.tallies
        while self.visits < until and not self.stopped:
            # 1. Selection: down the tree, to a leaf, or to what is proved.
            node: cython.int = 0
            ply: cython.int = 0
            self.path[0] = 0
            self.count_visit(0, 1)
            while nodes[node].first and not nodes[node].sure and not self.stopped:
                node = self.select(kernel, node)
                ply += 1
                if self.tracing:
                    self.emit_selected(ply, node)
                self.down(kernel, ply, node)

            # 2. Expansion: a leaf that was visited before gets its children, and one of them a visit.
            if (
                tallies[node].visits > 1
                and tallies[node].visits >= self.arena.least
                and not nodes[node].sure
                and ply < MAX_PLY
                and not self.stopped
                and not kernel.result()
                and self.expand(kernel, node)
                and not nodes[node].sure
            ):
                if self.tracing:
                    self.emit_expanded(ply, node)
                node = self.select(kernel, node)
                ply += 1
                if self.tracing:
                    self.emit_selected(ply, node)
                self.down(kernel, ply, node)
            if ply > self.seldepth:
                self.seldepth = ply

            # 3. Simulation: each player's payoff, by a playout or by the evaluation.
            end = self.value(kernel, node)
            if self.tracing:
                self.emit_simulated(kernel, ply, end)

            # 4. Backup: to every node on the way, and back to the root.
            if not self.stopped:
                self.visits += 1
            self.backup(kernel, ply, end)

            # What the search does must not depend on how long a batch is, which depends on the clock.
            if nodes[0].sure or self.arena.full:
                return

    def down(self, kernel, ply, node):
        """Play the move that leads to `node`, and count; true if the search must stop."""
        nodes = self.arena.nodes
        tallies = self.arena.tallies
        visits: cython.int = self.count_visit(node, 1)
        self.path[ply] = node
        tallies[node].mean -= tallies[node].mean / visits  # until more is known: the least payoff
        tallies[node].inv_sqrt = 1.0 / sqrt(visits)
        kernel.push(nodes[node].move)
        return self.count()

    def count_visit(self, node, by):
        """Add to a node's visits, and return them; no other thread's count gets lost."""
        tallies = self.arena.tallies
        if cython.compiled and self.threads > 1:
            return added(cython.address(tallies[node].visits), by)
        tallies[node].visits += by
        return tallies[node].visits

    def select(self, kernel, node):
        """The child to visit: by UCB1 for a player, at random for chance."""
        nodes = self.arena.nodes
        tallies = self.arena.tallies
        first: cython.int = nodes[node].first
        end: cython.int = first + nodes[node].count
        mover: cython.int = nodes[node].mover
        i: cython.int
        if mover == CHANCE:
            left: cython.double = kernel.share()
            for i in range(first, end):
                left -= nodes[i].odds
                if left < 0:
                    return i
            return end - 1
        # Payoffs are brought to 0..1, by the least and the most that was seen: c means the same in all games.
        span: cython.double = 1.0 / (self.most_got - self.least) if self.most_got > self.least else 0.0
        shift: cython.double = self.floor - self.least
        came: cython.double = tallies[node].visits - 1
        spread: cython.double = self.c * sqrt(log(came)) if came > 0 else 0.0
        if self.widen and end > first + 1 + self.widen * sqrt(came):
            end = first + 1 + cython.cast(cython.int, self.widen * sqrt(came))
        best: cython.double = -HUGE
        chosen: cython.int = -1
        for i in range(first, end):
            if tallies[i].beaten:
                continue
            visits: cython.double = tallies[i].visits
            mean: cython.double = 0.0
            known: cython.bint = visits > 0
            if known:
                mean = (tallies[i].mean + shift) * span
            if self.prior_visits:
                mean = (mean * visits + nodes[i].odds * self.prior_visits) / (visits + self.prior_visits)
                known = True
            if self.rave and nodes[i].amaf_visits:
                others: cython.double = nodes[i].amaf_visits
                tried: cython.double = visits + self.prior_visits
                weight: cython.double = others / (tried + others + tried * others / self.rave)
                mean += weight * ((nodes[i].amaf_sum / others + shift) * span - mean)
                known = True
            if not known and not self.fpu:
                self.compared = 0.0
                return i
            worth: cython.double = self.fpu
            if known:
                worth = mean + spread * tallies[i].inv_sqrt
            if worth > best:
                best = worth
                chosen = i
        self.compared = best
        return chosen if chosen >= 0 else first

    def expand(self, kernel, node):
        """Give a leaf its children, if there is room for them."""
        chance: cython.bint = kernel.turn == CHANCE
        count: cython.int = kernel.gen_chances(0) if chance else kernel.gen(0)
        if kernel.failed:
            return False
        if self.prior == 2 and not chance and self.most and self.nodes + count >= self.most:
            return False  # each move's evaluation is a node
        first: cython.int = self.reserve_nodes(count)
        if first < 0:
            return False
        nodes = self.arena.nodes
        i: cython.int
        for i in range(count):
            self.arena.clear(first + i, kernel.stack[i])
            nodes[first + i].low = self.worst
            nodes[first + i].high = self.finest
            if chance:
                nodes[first + i].odds = kernel.odds[i]
        if not chance and (self.prior or self.widen):
            self.foresee(kernel, first, count)
        nodes[node].mover = kernel.turn
        nodes[node].count = count
        barrier()
        nodes[node].first = first  # from here on other threads see them
        return True

    def foresee(self, kernel, first, count):
        """Set the priors of untried moves, from 0 to 1; the best come first."""
        nodes = self.arena.nodes
        i: cython.int
        k: cython.int
        mover: cython.int = kernel.turn
        low: cython.double = HUGE
        high: cython.double = -HUGE
        for i in range(first, first + count):
            if self.prior == 2:
                kernel.push(nodes[i].move)
                self.nodes += 1
                if kernel.result():
                    nodes[i].odds = kernel.payoff(mover)
                else:
                    self.guess(kernel)
                    nodes[i].odds = self.gains[mover]
                kernel.pop(nodes[i].move)
            else:
                nodes[i].odds = kernel.hint(nodes[i].move)
            low = min(low, nodes[i].odds)
            high = max(high, nodes[i].odds)
        if self.prior == 2 and self.worst > -HUGE:
            low, high = (self.worst, self.finest) if mover == 0 else (-self.finest, -self.worst)
        for i in range(first, first + count):
            nodes[i].odds = (nodes[i].odds - low) / (high - low) if high > low else 0.5
        # A sort that keeps the order of equals.
        for i in range(first + 1, first + count):
            move: cython.int = nodes[i].move
            odds: cython.double = nodes[i].odds
            k = i
            while k > first and nodes[k - 1].odds < odds:
                nodes[k].move, nodes[k].odds = nodes[k - 1].move, nodes[k - 1].odds
                k -= 1
            nodes[k].move, nodes[k].odds = move, odds

    def reserve_nodes(self, count):
        """The first of so many free nodes, -1 if the arena is full."""
        if self.next + count > self.end:
            size: cython.int = max(CHUNK, count)
            if self.arena.room < 64 * CHUNK:
                size = count  # a small arena is not shared out
            first: cython.int = self.arena.take(size)
            if first < 0:
                return -1
            self.next = first
            self.end = first + size
        self.next += count
        return self.next - count

    def value(self, kernel, node):
        """Compute each player's `gains`; return the end of the playout's moves on the stack."""
        i: cython.int
        end: cython.int = 0
        nodes = self.arena.nodes
        shares = self.arena.shares
        if self.stopped:
            return 0
        if nodes[node].sure:
            self.source = PROVEN
            if self.opposed:
                self.gains[0] = nodes[node].low
                self.gains[1] = -self.gains[0]
            else:
                for i in range(self.players):
                    self.gains[i] = shares[node * self.players + i]
            return 0
        if self.leaf == 1 or self.plies:
            self.source = BY_SEARCH if self.plies else EVALUATION
            if kernel.result():
                self.source = GAME_END
                for i in range(self.players):
                    self.gains[i] = kernel.payoff(i)
                self.seal(node)
            elif self.plies:
                if self.read(kernel, node):
                    self.seal(node)
            else:
                self.guess(kernel)
            if kernel.failed:
                self.stopped = True
        else:
            room: cython.int = ENDLESS
            if self.most and self.most - self.nodes < ENDLESS:
                room = cython.cast(cython.int, self.most - self.nodes)
            end = kernel.playout(0, room)
            self.nodes += end
            if self.nodes >= self.next_poll:
                self.poll()
            if not kernel.settled and end < ENDLESS:
                self.stopped = True
            if self.stopped:
                return 0
            if not kernel.settled:
                for i in range(self.players):
                    kernel.gains[i] = 0.0
            self.source = GAME_END if not end else MIXED if self.leaf else 0
            if self.leaf and end:
                self.guess(kernel)
            for i in range(self.players):
                self.gains[i] = (
                    kernel.gains[i] if not self.leaf or not end else (0.5 * (kernel.gains[i] + self.gains[i]))
                )
            if not end:
                self.seal(node)
        for i in range(self.players):
            self.least = min(self.least, self.gains[i])
            self.most_got = max(self.most_got, self.gains[i])
        return end

    def guess(self, kernel):
        """The evaluation as `gains`."""
        i: cython.int
        for i in range(self.players):
            worth: cython.double = kernel.guess(i)
            if self.half:
                worth = self.unit * worth / (abs(worth) + self.half)
            self.gains[i] = worth
        if self.opposed:
            self.gains[0] = min(max(self.gains[0], self.worst), self.finest)
            self.gains[1] = -self.gains[0]

    def read(self, kernel, node):
        """What alpha-beta finds, as `gains`; true if it saw every line to its end."""
        mover: cython.int = kernel.turn
        self.reader.horizon = False
        before: cython.longlong = self.reader.nodes
        found: cython.int = self.reader.visit(kernel, 0, 0, self.plies, -INF, INF)
        self.nodes += self.reader.nodes - before
        if self.reader.stopped:
            self.stopped = True
        worth: cython.double = found
        proved: cython.bint = not self.reader.horizon
        if found > GUESS or found < -GUESS:
            worth = self.unit if found > 0 else -self.unit
            proved = True
        elif self.half and not proved:
            worth = self.unit * worth / (abs(worth) + self.half)
        self.gains[mover] = worth
        self.gains[1 - mover] = -worth
        return proved

    # -- what is proved --------------------------------------------------------------------------

    def seal(self, node):
        """Mark a node as proved: each player gets these `gains` below it."""
        if not self.solver:
            return
        i: cython.int
        self.sealed = True
        if self.opposed:
            self.arena.nodes[node].low = self.arena.nodes[node].high = self.gains[0]
        else:
            for i in range(self.players):
                self.arena.shares[node * self.players + i] = self.gains[i]
        self.arena.nodes[node].sure = True

    def settle(self, node):
        """Draw what is known of a node from its children; true if that is more than before."""
        if not self.opposed:
            return self.settle_many(node)
        nodes = self.arena.nodes
        tallies = self.arena.tallies
        first: cython.int = nodes[node].first
        mover: cython.int = nodes[node].mover
        low: cython.double = 0.0 if mover == CHANCE else -HUGE if mover == 0 else HUGE
        high: cython.double = low
        i: cython.int
        for i in range(first, first + nodes[node].count):
            if mover == CHANCE:
                low += nodes[i].odds * nodes[i].low
                high += nodes[i].odds * nodes[i].high
            elif mover == 0:
                low = max(low, nodes[i].low)
                high = max(high, nodes[i].high)
            else:
                low = min(low, nodes[i].low)
                high = min(high, nodes[i].high)
        more: cython.bint = low > nodes[node].low or high < nodes[node].high
        nodes[node].low = max(low, nodes[node].low)
        nodes[node].high = min(high, nodes[node].high)
        nodes[node].sure = nodes[node].low >= nodes[node].high
        if mover != CHANCE:
            for i in range(first, first + nodes[node].count):
                tallies[i].beaten = (
                    nodes[i].high <= nodes[node].low if mover == 0 else nodes[i].low >= nodes[node].high
                )
        return more

    def settle_many(self, node):
        """The same where many play, or their sum is not zero: a node is proved or nothing is known."""
        nodes = self.arena.nodes
        shares = self.arena.shares
        first: cython.int = nodes[node].first
        end: cython.int = first + nodes[node].count
        mover: cython.int = nodes[node].mover
        best: cython.int = first
        i: cython.int
        k: cython.int
        for i in range(first, end):
            if not nodes[i].sure:
                return False
        if mover != CHANCE:
            for i in range(first, end):
                if shares[i * self.players + mover] > shares[best * self.players + mover]:
                    best = i
            for i in range(first, end):
                if shares[i * self.players + mover] < shares[best * self.players + mover]:
                    continue
                for k in range(self.players):
                    if shares[i * self.players + k] != shares[best * self.players + k]:
                        return False  # the mover does not care, others do
        for k in range(self.players):
            worth: cython.double = shares[best * self.players + k]
            if mover == CHANCE:
                worth = 0.0
                for i in range(first, end):
                    worth += nodes[i].odds * shares[i * self.players + k]
            shares[node * self.players + k] = worth
        nodes[node].sure = True
        return True

    # -- backup ----------------------------------------------------------------------------------

    def backup(self, kernel, ply, end):
        """Undo the moves of the tree; if the simulation counts, update their nodes."""
        nodes = self.arena.nodes
        tallies = self.arena.tallies
        shares = self.arena.shares
        changed: cython.bint = self.sealed
        node: cython.int
        visits: cython.int
        chooser: cython.int = CHANCE
        i: cython.int
        if self.rave and not self.stopped:
            self.number += self.players
            for i in range(end - 1, -1, -1):  # in reverse, so that the first player of a move is kept
                if kernel.weight[i] >= 0:
                    self.marks[kernel.stack[i] & (PLACES - 1)] = self.number + kernel.weight[i]
        self.sealed = False
        while ply >= 0:
            node = self.path[ply]
            if ply:
                chooser = nodes[self.path[ply - 1]].mover
            if self.stopped:
                visits = self.count_visit(node, -1)
                if ply and visits:
                    tallies[node].mean += tallies[node].mean / visits
                    tallies[node].inv_sqrt = 1.0 / sqrt(visits)
            else:
                visits = tallies[node].visits
                if changed and nodes[node].first:
                    changed = self.settle(node)
                if ply and chooser >= 0:
                    tallies[node].mean += (self.gains[chooser] - self.floor) / visits
                    if ply == 1:
                        self.tries[node - 1] += 1
                        self.sums[node - 1] += self.gains[chooser]
                        self.squares[node - 1] += self.gains[chooser] * self.gains[chooser]
                if self.arena.players and not nodes[node].sure:
                    for i in range(self.players):
                        shares[node * self.players + i] += self.gains[i]
                if self.rave:
                    self.update_amaf(node)
                    if ply and chooser >= 0:
                        self.marks[nodes[node].move & (PLACES - 1)] = self.number + chooser
                if self.tracing:
                    self.emit_backed_up(ply, chooser if ply else CHANCE)
            if ply:
                kernel.pop(nodes[node].move)
            ply -= 1

    def update_amaf(self, node):
        """Update the AMAF values of a node's moves that their player made later in the simulation."""
        nodes = self.arena.nodes
        first: cython.int = nodes[node].first
        mover: cython.int = nodes[node].mover
        i: cython.int
        if not first or mover == CHANCE:
            return
        for i in range(first, first + nodes[node].count):
            if self.marks[nodes[i].move & (PLACES - 1)] == self.number + mover:
                nodes[i].amaf_visits += 1
                nodes[i].amaf_sum += self.gains[mover] - self.floor

    # -- the trace -------------------------------------------------------------------------------

    def emit_selected(self, ply, node):
        """Report that a move was selected, before it is counted."""
        with cython.gil:
            mover: cython.int = self.arena.nodes[self.path[ply - 1]].mover
            visits: cython.int = self.arena.tallies[node].visits
            self.emit(
                steps.TraceEvent(
                    "select",
                    ply,
                    self.arena.nodes[node].move,
                    mover,
                    beta=0.0 if mover == CHANCE else self.compared,
                    value=self.mean_of(node, mover),
                    why="lot" if mover == CHANCE else "" if visits else "untried",
                    visits=visits,
                )
            )

    def emit_expanded(self, ply, node):
        """Report that a leaf was expanded."""
        with cython.gil:
            made = self.arena.nodes[node].move
            mover = self.arena.nodes[self.path[ply - 1]].mover if ply else CHANCE
            self.emit(steps.TraceEvent("expand", ply, made, mover, value=self.arena.nodes[node].count))

    def emit_simulated(self, kernel, ply, end):
        """Report each player's payoff and the moves of the playout."""
        with cython.gil:
            i: cython.int
            if self.stopped:
                return
            move = self.arena.nodes[self.path[ply]].move
            mover: cython.int = self.arena.nodes[self.path[ply - 1]].mover if ply else CHANCE
            values = tuple([self.gains[i] for i in range(self.players)])
            self.emit(
                steps.TraceEvent(
                    "simulate",
                    ply,
                    move,
                    mover,
                    value=0 if mover == CHANCE else values[mover],
                    why=steps.REASONS[self.source],
                    values=values,
                    line=tuple([kernel.stack[i] for i in range(end)]),
                )
            )

    def emit_backed_up(self, ply, chooser):
        """Report the updated statistics of a node of the simulation; `chooser` made the move to it."""
        with cython.gil:
            i: cython.int
            node: cython.int = self.path[ply]
            values = ()
            if self.arena.nodes[node].sure and self.arena.players:
                values = tuple([self.arena.shares[node * self.players + i] for i in range(self.players)])
            elif self.arena.nodes[node].sure:
                values = (self.arena.nodes[node].low, -self.arena.nodes[node].low)
            self.emit(
                steps.TraceEvent(
                    "backup",
                    ply,
                    self.arena.nodes[node].move,
                    chooser,
                    value=self.mean_of(node, chooser),
                    why="proven" if self.arena.nodes[node].sure else "",
                    values=values,
                    visits=self.arena.tallies[node].visits,
                )
            )

    def mean_of(self, node: cython.int, chooser: cython.int):
        """The mean payoff of the player who chose this node; 0 if it is unvisited or chosen by chance."""
        if chooser == CHANCE or not self.arena.tallies[node].visits:
            return 0.0
        return self.arena.tallies[node].mean + self.floor

    def emit(self, event):
        """Report an event."""
        try:
            self.trace(event)
        except BaseException as error:
            self.fail(error)

    # -- what it says ----------------------------------------------------------------------------

    def candidates(self):
        """The moves of the root that were tried, the best first: those visited most, but for what is proved.

        A move that is proved is no longer visited: it is better than those whose mean is less, and one that
        is proved to be worth less than another one comes last.
        """
        i: cython.int
        arena: Arena = self.arena
        found = []
        for i in range(1, 1 + arena.nodes[0].count):
            if arena.tallies[i].visits:
                found.append(self.candidate(i))
        if not found:
            return self.best
        favourite = max([one for one in found if not one.proven], key=_rank, default=None)
        best = max([one for one in found if one.proven], key=_worth, default=None)
        if best is not None and (arena.nodes[0].sure or favourite is None or best.value >= favourite.value):
            favourite = best
        found.sort(key=_rank, reverse=True)
        self.visited = tuple(found[:SHOWN])
        found.sort(key=lambda one: (one is not favourite, one.proven and one.value < favourite.value))
        return (tuple(found[: self.multipv]), 0, bool(arena.nodes[0].sure))

    def candidate(self, node: cython.int):
        """A move of the root, and what is known of it."""
        arena: Arena = self.arena
        mover: cython.int = arena.nodes[0].mover
        sure = bool(arena.nodes[node].sure)
        pv = self.line(node)
        if arena.players:
            values = self.means(node)
            value = values[mover]
        else:
            values = ()
            value = arena.tallies[node].mean + self.floor
            if sure:
                value = arena.nodes[node].low if mover == 0 else -arena.nodes[node].low
        i: cython.int = node - 1
        error = 0.0
        if self.tries[i] > 1 and not sure:
            mean = self.sums[i] / self.tries[i]
            variance = max(0.0, self.squares[i] / self.tries[i] - mean * mean)
            error = math.sqrt(variance / arena.tallies[node].visits)
        bound = "expectation"
        if sure and not arena.players:
            value, bound = self.exactly(value, len(pv))
        visits = arena.tallies[node].visits
        return Candidate(
            arena.nodes[node].move, value, bound, visits, pv, proven=sure, values=values, error=error
        )

    def exactly(self, worth, plies):
        """A proved payoff as a search value, and its bound."""
        if self.kernel.scored:
            return (int(worth), "exact") if worth == int(worth) else (worth, "expectation")
        if abs(worth) == self.unit:
            value = scale.SURE - min(plies, scale.MAX_PLY)
            return (value if worth > 0 else -value), "exact"
        return (0, "exact") if worth == 0 else (worth, "expectation")

    def means(self, node: cython.int):
        """What each player got on average in the simulations of a node."""
        i: cython.int
        count = 1 if self.arena.nodes[node].sure else self.arena.tallies[node].visits
        return tuple([self.arena.shares[node * self.players + i] / count for i in range(self.players)])

    def line(self, node: cython.int):
        """The most visited moves, starting with a node's own, up to the first chance node.

        Below a proved node, the moves that prove it.
        """
        nodes = self.arena.nodes
        tallies = self.arena.tallies
        moves = [nodes[node].move]
        i: cython.int
        best: cython.int
        while nodes[node].first and nodes[node].mover != CHANCE and len(moves) < scale.MAX_PLY:
            first: cython.int = nodes[node].first
            best = -1
            for i in range(first, first + nodes[node].count):
                if (
                    self.opposed
                    and nodes[node].sure
                    and not (nodes[i].sure and nodes[i].low == nodes[node].low)
                ):
                    continue
                if best < 0 or tallies[i].visits > tallies[best].visits:
                    best = i
            if best < 0 or not (tallies[best].visits or nodes[best].sure):
                break
            moves.append(nodes[best].move)
            node = best
        return tuple(moves)

    def report(self):
        """What is known now, as of the last batch."""
        candidates, _, exact = self.best
        first = candidates[0]
        return Report(
            move=first.move,
            value=first.value,
            bound=first.bound,
            values=first.values,
            error=first.error,
            candidates=candidates,
            visited=self.visited,
            seldepth=max([self.seldepth] + [helper.seldepth for helper in self.helpers]),
            visits=self.total(),
            nodes=self.nodes + sum([helper.nodes for helper in self.helpers]),
            pv=first.pv,
            exact=exact,
            fill=self.arena.fill,
            trims=self.arena.trims,
        )


def _rank(candidate):
    return (candidate.visits, candidate.value)


def _worth(candidate):
    return candidate.value
