# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Monte Carlo tree search with UCT, as first told; for every kind of game in which nothing is hidden.

Levente Kocsis and Csaba Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006; the four steps are named
as by Guillaume Chaslot and others, "Monte-Carlo tree search: a new framework for game AI", AIIDE 2008.

Theorem (of the paper, for rewards from 0 to 1): the mean of a node's simulations tends to its value under
best play, and the share of the visits that go to other moves than the best tends to 0.

Simulation after simulation runs from the root to the end of the game: 1. selection, down the tree by the
greatest mean payoff of the player on turn plus a bonus for moves seldom tried, throws by their odds;
2. expansion of the leaf that is reached; 3. simulation, to the end at random; 4. backup of each player's
payoff to all nodes on the way. Each player goes for their own payoff, so that many players and sums other
than zero need nothing more. A value is a mean of payoffs in the game's own `unit`, see `expectiminimax`.
"""

try:
    import cython
except ImportError:
    from gameplay import nocython as cython

import math
from dataclasses import dataclass

from gameplay import value as scale
from gameplay.errors import Usage, unknown
from gameplay.kernel import Kernel
from gameplay.search.engine import Engine, option
from gameplay.search.report import Candidate, Report
from gameplay.search.root import RootSearch

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Calloc, PyMem_Free, PyMem_Realloc
    from cython.cimports.libc.math import log, sqrt
else:
    from math import log, sqrt

ALIASES = ("uct", "montecarlo")

CHANCE = cython.declare(cython.int, -1)
MAX_PLY = cython.declare(cython.int, scale.MAX_PLY)
ROOM = cython.declare(cython.int, 1 << 10)  # nodes of a new arena
FOREVER = cython.declare(cython.int, 0x7FFFFFFF)
MOST = cython.declare(cython.int, 1 << 22)  # nodes of the greatest; a tree that fills it grows no more


class PlainTreeNode:
    """A node of the tree; see TreeNode in mcts.pxd."""

    __slots__ = ("count", "first", "move", "mover", "odds", "visits")

    def __init__(self):
        self.move = -1
        self.mover = self.first = self.count = self.visits = 0
        self.odds = 0.0


class MctsSearch(RootSearch):
    """UCT with the constant `c`, for so many simulations (0: until stopped)."""

    def __init__(self, kernel: Kernel, control, c: float, simulations: int, seed: int, policy: int):
        RootSearch.__init__(self, kernel, control)
        self.c = c
        self.seed = seed
        self.policy = policy
        self.simulations = simulations
        self.visits = 0
        self.players = kernel.players
        self.summed = kernel.players == 2 and kernel.zero_sum
        self.low, self.high = math.inf, -math.inf
        self.used = self.room = 0
        if cython.compiled:
            size: cython.size_t = cython.sizeof(cython.int)
            self.path = cython.cast(cython.p_int, PyMem_Calloc(MAX_PLY + 2, size))
            if self.path == cython.NULL:
                raise MemoryError
        else:
            self.path = [0] * (MAX_PLY + 2)
            self.arena, self.totals = [], []
        self.grow(max(ROOM, 1 + len(self.moves)))

    def __dealloc__(self):
        PyMem_Free(self.path)
        PyMem_Free(self.arena)
        PyMem_Free(self.totals)

    def run(self, depth):
        kernel: Kernel = self.kernel
        kernel.lots = self.seed
        kernel.policy = self.policy
        kernel.control = self.control
        kernel.seat()
        batch: cython.int = 8 if kernel.python else 256  # simulations between two reports
        count: cython.int = 1
        most, deadline = self.most, self.control.deadline
        self.most, self.control.deadline = 0, 0.0  # the first simulation is finished in any case, see Limit
        self.add(0, -1, 1.0)
        self.arena[0].mover = kernel.turn
        self.arena[0].first, self.arena[0].count = 1, len(self.moves)
        for move in self.moves:
            self.add(self.used, move, 1.0)
        self.count()
        while not self.stopped:
            if kernel.python:
                self.simulate(kernel, count)
            else:
                with cython.nogil:
                    self.simulate(kernel, count)
            self.check()
            self.best = self.candidates()
            if self.simulations and self.visits >= self.simulations:
                self.control.halt("simulations")
                self.stopped = True
            if self.most != most or self.control.deadline != deadline:
                self.most, self.control.deadline = most, deadline
                self.poll()
            count = batch
            if self.simulations:
                count = min(batch, self.simulations - self.visits)

    def simulate(self, kernel, count):
        """So many simulations, or fewer when stopped: the position is as before, the tree knows more."""
        until: cython.longlong = self.visits + count
        while self.visits < until and not self.stopped:
            # 1. Selection: down the tree, to a leaf.
            node: cython.int = 0
            ply: cython.int = 0
            self.path[0] = 0
            while self.arena[node].count and not self.stopped:
                node = self.select(kernel, node)
                ply += 1
                self.down(kernel, ply, node)

            # 2. Expansion: a leaf that was visited before gets its children, and the first of them a visit.
            if self.arena[node].visits and ply < MAX_PLY and not self.stopped and not kernel.result():
                self.expand(kernel, node)
                if self.arena[node].count:
                    node = self.select(kernel, node)
                    ply += 1
                    self.down(kernel, ply, node)
            if ply > self.seldepth:
                self.seldepth = ply

            # 3. Simulation: to the end, at random, and back to the leaf.
            self.rollout(kernel)

            # 4. Backup: what everybody got, to every node on the way.
            if not self.stopped:
                self.visits += 1
            self.backup(kernel, ply)

    def down(self, kernel, ply, node):
        """Play the move that leads to `node`, and count; true if the search must stop."""
        self.path[ply] = node
        kernel.push(self.arena[node].move)
        return self.count()

    def select(self, kernel, node):
        """The child to visit: by UCB1 for a player, by lot for chance."""
        first: cython.int = self.arena[node].first
        end: cython.int = first + self.arena[node].count
        mover: cython.int = self.arena[node].mover
        i: cython.int
        if mover == CHANCE:
            left: cython.double = kernel.share()
            for i in range(first, end):
                left -= self.arena[i].odds
                if left < 0:
                    return i
            return end - 1
        # Payoffs are brought to 0..1, by the least and the most that was seen: c means the same in all games.
        span: cython.double = 1.0 / (self.high - self.low) if self.high > self.low else 0.0
        heard: cython.double = log(self.arena[node].visits) if self.arena[node].visits else 0.0
        best: cython.double = -1.0
        chosen: cython.int = first
        for i in range(first, end):
            visits: cython.double = self.arena[i].visits
            if visits == 0:
                return i
            mean: cython.double = self.totals[i * self.players + mover] / visits
            worth: cython.double = (mean - self.low) * span + self.c * sqrt(heard / visits)
            if worth > best:
                best = worth
                chosen = i
        return chosen

    def expand(self, kernel, node):
        """Give a leaf its children, if there is room for them."""
        chance: cython.bint = kernel.turn == CHANCE
        end: cython.int = kernel.gen_chances(0) if chance else kernel.gen(0)
        if self.used + end > self.room:
            self.grow(2 * self.room if 2 * self.room > self.used + end else self.used + end)
        if self.used + end > self.room or kernel.failed:
            return
        self.arena[node].mover = kernel.turn
        self.arena[node].first = self.used
        self.arena[node].count = end
        i: cython.int
        for i in range(end):
            self.add(self.used, kernel.stack[i], kernel.odds[i] if chance else 1.0)

    def add(self, node, move, odds):
        """Put a new node at the end of the arena."""
        self.arena[node].move = move
        self.arena[node].odds = odds
        self.arena[node].first = self.arena[node].count = 0
        self.arena[node].visits = 0
        i: cython.int
        for i in range(self.players):
            self.totals[node * self.players + i] = 0.0
        self.used = node + 1

    def rollout(self, kernel):
        """Play to the end at random, note what everybody gets, take all back."""
        if self.stopped:
            return
        room: cython.int = FOREVER
        if self.most and self.most - self.nodes < FOREVER:
            room = cython.cast(cython.int, self.most - self.nodes)
        end: cython.int = kernel.playout(0, room)
        self.nodes += end
        if self.nodes >= self.next_poll:
            self.poll()
        if not kernel.settled:
            self.stopped = True
        if self.stopped:
            return
        i: cython.int
        for i in range(self.players):
            self.low = min(self.low, kernel.gains[i])
            self.high = max(self.high, kernel.gains[i])

    def backup(self, kernel, ply):
        """Take back the moves of the tree; where the simulation counts, tell their nodes of it."""
        i: cython.int
        while ply >= 0:
            node: cython.int = self.path[ply]
            if not self.stopped:
                self.arena[node].visits += 1
                for i in range(self.players):
                    self.totals[node * self.players + i] += kernel.gains[i]
            if ply:
                kernel.pop(self.arena[node].move)
            ply -= 1

    def grow(self, room):
        """Make room for so many nodes, if that is not too many."""
        with cython.gil:
            if room > MOST:
                return
            if cython.compiled:
                size: cython.size_t = room * cython.sizeof(TreeNode)
                arena = cython.cast(cython.pointer(TreeNode), PyMem_Realloc(self.arena, size))
                if arena == cython.NULL:
                    return
                self.arena = arena
                size = room * self.players * cython.sizeof(cython.double)
                totals: cython.p_double = cython.cast(cython.p_double, PyMem_Realloc(self.totals, size))
                if totals == cython.NULL:
                    return
                self.totals = totals
            else:
                self.arena += [PlainTreeNode() for _ in range(room - self.room)]
                self.totals += [0.0] * ((room - self.room) * self.players)
            self.room = room

    # -- what it says ----------------------------------------------------------------------------

    def candidates(self):
        """The moves of the root that were tried, the most visited first."""
        i: cython.int
        mover: cython.int = self.arena[0].mover
        found = []
        for i in range(1, 1 + self.arena[0].count):
            if self.arena[i].visits:
                values = self.means(i)
                value = values[mover]
                alone = () if self.summed else values
                found.append(
                    Candidate(
                        self.arena[i].move,
                        value,
                        "expectation",
                        self.arena[i].visits,
                        self.line(i),
                        values=alone,
                    )
                )
        if not found:
            return self.best
        found.sort(key=_rank)
        return (tuple(found[: self.multipv]), 0, False)

    def means(self, node):
        """What each player got on average in the simulations of a node."""
        i: cython.int
        return tuple(
            [self.totals[node * self.players + i] / self.arena[node].visits for i in range(self.players)]
        )

    def line(self, node):
        """The moves that were visited most, from a node's own on, up to the first throw."""
        moves = [self.arena[node].move]
        i: cython.int
        best: cython.int
        while self.arena[node].count and self.arena[node].mover != CHANCE:
            best = self.arena[node].first
            for i in range(best, best + self.arena[node].count):
                if self.arena[i].visits > self.arena[best].visits:
                    best = i
            if not self.arena[best].visits:
                break
            moves.append(self.arena[best].move)
            node = best
        return tuple(moves)

    def report(self):
        """What is known now, as of the last batch."""
        first = self.best[0][0]
        return Report(
            move=first.move,
            value=first.value,
            bound=first.bound,
            values=first.values,
            candidates=self.best[0],
            seldepth=self.seldepth,
            visits=self.visits,
            nodes=self.nodes,
            pv=first.pv,
        )


def _rank(candidate):
    return (-candidate.visits, -candidate.value)


@dataclass
class Mcts(Engine):
    """Monte Carlo tree search (UCT): simulates games to the end, those that begin well more often."""

    name = "mcts"
    players = range(1, 1000)
    chance = general_sum = True
    endless = True
    samples = True
    merit = 5

    c: float = option(
        1.41,
        "Exploration constant of UCT, for payoffs from 0 to 1: the greater, the more moves that did badly so"
        " far are tried",
        source="Kocsis and Szepesvári 2006",
    )
    simulations: int = option(0, "Simulations after which the search ends (0: go on to the limit)")
    policy: str = option(
        "all",
        "What of the game's knowledge moves in simulations go by: all, none (any move alike), or names of"
        " `gameplay games GAME` joined by +",
    )
    seed: int = option(0, "Seed of the simulations: the same position and seed give the same search")

    def __post_init__(self):
        Engine.__post_init__(self)
        if not 0 <= self.c <= 1000:
            raise Usage(f"mcts: c is a number from 0 to 1000, not {self.c:g}")
        if not 0 <= self.simulations <= 10**15:
            raise Usage(f"mcts: simulations is a whole number from 0 up, not {self.simulations}")

    @classmethod
    def suits(cls, position):
        """Best of all engines where simulations are sensible games, not random ones."""
        if cls.misfit(position):
            return 0
        return 2 * Engine.merit if getattr(position, "policies", None) else cls.merit

    def default_limit(self, position, limit):
        """As of every engine; it has no depth that could be limited."""
        if limit.depth is not None:
            raise Usage("mcts does not search ply by ply: limit nodes or time, or its simulations, not depth")
        return limit if self.simulations else Engine.default_limit(self, position, limit)

    def check(self, position):
        """As of every engine; and the policy must be one of the game's."""
        Engine.check(self, position)
        self.knowing(getattr(position, "policies", {}))

    def knowing(self, policies):
        """The bits of what the option `policy` names, of all that a game's playouts know.

        Raises Usage for a word that is none of them.
        """
        words = [word.strip().lower() for word in self.policy.split("+")]
        if words == ["all"]:
            return (1 << len(policies)) - 1
        if words == ["none"]:
            return 0
        known = list(policies)
        for word in words:
            if word not in known:
                raise Usage(f"mcts: {unknown('policy', word, ['all', 'none', *known])}")
        return sum(1 << known.index(word) for word in set(words))

    def open(self, kernel, control, table):
        return MctsSearch(kernel, control, self.c, self.simulations, self.seed, self.knowing(kernel.policies))
