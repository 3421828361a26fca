# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Expectiminimax: minimax for games with dice and deals, whose throws count by how likely they are.

Donald Michie, "Game-playing and game-learning automata", 1966; told as in Russell and Norvig, "Artificial
Intelligence", chapter 5.

Theorem: with enough depth, `value` is what MAX, the player who moves at the root, gets on average if both
play best from here on: the expectation of their payoff. With less, `evaluate()` stands for the positions at
that depth.

Only payoffs can be averaged, so a value is a payoff in the game's own `unit`: points where the game counts
points, else 1 for a win, 0 for a draw and -1 for a loss. A win is worth the same in one move and in ten (wins
scored by their distance, as the other engines have them, would make a mean of plies and chances). A guess is
a guess at the points; in a game without points it is worth a share of a win, see `value.share`.
"""

try:
    import cython
except ImportError:
    from gameplay import nocython as cython

from dataclasses import dataclass

from gameplay import value as scale
from gameplay.kernel import Kernel
from gameplay.search import trace as steps
from gameplay.search.engine import Engine, has_evaluation, option
from gameplay.search.report import Candidate
from gameplay.search.tree import TreeSearch

ALIASES = ("emm", "expectimax")

CHANCE = cython.declare(cython.int, -1)
INF = cython.declare(cython.int, scale.INF)
MAX_PLY = cython.declare(cython.int, scale.MAX_PLY)
LEAVE = cython.declare(cython.int, steps.LEAVE)
EVALUATE = cython.declare(cython.int, steps.EVALUATE)
EXACT = cython.declare(cython.int, steps.BOUNDS.index("exact"))


class ExpectiminimaxSearch(TreeSearch):
    """MAX takes the most, MIN leaves the least, chance gives the mean. No pruning: every position counts."""

    def run(self, depth):
        kernel: Kernel = self.kernel
        self.maximizer = kernel.turn
        self.unit = kernel.unit
        self.half = 0.0 if kernel.scored else scale.half(kernel.unit)
        self.deepen(depth)

    def plunge(self, depth: cython.int):
        kernel: Kernel = self.kernel
        bound = "expectation" if kernel.chance else "exact"
        base: cython.int = len(self.moves)
        move: cython.int
        worth: cython.double
        found = []
        cut = False
        if self.tracing:
            self.tell_enter(kernel, 0, -1, depth, -INF, INF)
        self.tried = 0
        self.ahead = depth
        if self.count():
            return
        for move in self.moves:
            self.horizon = False
            if kernel.python:
                worth = self.after(kernel, base, 1, move, depth - 1)
            else:
                with cython.nogil:
                    worth = self.after(kernel, base, 1, move, depth - 1)
            if self.stopped:
                break
            cut = cut or self.horizon
            self.update_pv(0, move)
            found.append(Candidate(move, float(worth), bound, pv=self.pv(), proven=not self.horizon))
            found.sort(key=_worth)  # stable: of equals the first stays first
            self.tried += 1
            if not (self.deepens and self.best[1]):
                self.best = (tuple(found[: self.multipv]), 0, False)
        self.check()
        if not self.stopped:
            if self.tracing:
                self.tell_worth(LEAVE, 0, -1, found[0].value)
            self.horizon = cut
            self.best = (tuple(found[: self.multipv]), self.best[1], False)
            self.finish(depth)
            self.check()

    def after(self, kernel, base, ply, move, depth):
        """What MAX can expect after `move`: play it, count and value the position, take it back."""
        worth: cython.double = 0.0
        kernel.push(move)
        if not self.count():
            if self.tracing:
                self.tell_enter(kernel, ply, move, depth, -INF, INF)
            worth = self.expected(kernel, base, ply, depth)
            if self.tracing and not self.stopped:
                self.tell_worth(LEAVE, ply, move, worth)
        kernel.pop(move)
        return worth

    def expected(self, kernel, base, ply, depth):
        """What MAX can expect of a position, `depth` plies deep."""
        self.frames[ply].length = 0
        if ply > self.seldepth:
            self.seldepth = ply

        # 1. A finished game pays.
        if kernel.result():
            return kernel.payoff(self.maximizer)

        # 2. At the depth the evaluation stands for the value. Chance has no view to guess from: a throw that
        #    is due there is looked through.
        mover: cython.int = kernel.turn
        if (depth <= 0 and mover != CHANCE) or ply >= MAX_PLY:
            return self.guess(kernel, ply)

        # 3. MAX takes the most, MIN leaves the least; chance gives each value its share.
        best: cython.double = 0.0 if mover == CHANCE else -INF if mover == self.maximizer else INF
        end: cython.int = kernel.gen_chances(base) if mover == CHANCE else kernel.gen(base)
        i: cython.int
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            worth: cython.double = self.after(kernel, end, ply + 1, move, depth - 1)
            if self.stopped:
                break
            if mover == CHANCE:
                best += kernel.odds[i] * worth
            elif worth > best if mover == self.maximizer else worth < best:
                best = worth
                self.update_pv(ply, move)
        if mover == CHANCE:
            self.frames[ply].length = 0  # the line ends at the throw: nobody expects one of its faces
        return best

    def guess(self, kernel, ply):
        """The evaluation, from MAX's view."""
        worth: cython.double = 0.0 if kernel.turn == CHANCE else kernel.score()
        if self.half:
            worth = self.unit * worth / (abs(worth) + self.half)
        if kernel.turn != self.maximizer:
            worth = -worth
        self.horizon = True
        if self.tracing:
            self.tell_worth(EVALUATE, ply, -1, worth)
        return worth

    def tell_worth(self, what, ply, move, worth):
        """Tell those who listen what a position is worth to its mover; at a throw, to MAX."""
        with cython.gil:
            try:
                turned = self.kernel.turn not in (self.maximizer, CHANCE)
                why = steps.BOUNDS[EXACT if what == LEAVE else 0]
                value = -worth if turned else worth
                self.trace(steps.TraceEvent(steps.EVENTS[what], ply, move, value=value, why=why))
            except BaseException as error:
                self.fail(error)


def _worth(candidate):
    return -candidate.value


@dataclass
class Expectiminimax(Engine):
    """Minimax with chance nodes: moves, answers and throws to a fixed depth, throws weighed by their odds."""

    name = "expectiminimax"
    chance = True
    merit = 2
    growth = 1.0

    eval: str = option(
        "", "Static evaluation of the leaves: one of the game's, weights FILE.toml, or code FILE.py"
    )

    @classmethod
    def suits(cls, position):
        """Best where there is chance, and a guess for what lies beyond the depth."""
        if cls.misfit(position) or not position.chance:
            return super().suits(position)
        return 8 if has_evaluation(position) else 4

    def open(self, kernel, control, table):
        return ExpectiminimaxSearch(kernel, control)
