# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Minimax, as the textbook tells it (Russell and Norvig, "Artificial Intelligence", chapter 5).

Theorem: with enough depth, `value` is what MAX, the player who moves at the root, gets if both play
best from here on; with less, the same with `evaluate()` in place of the positions at that depth.

No pruning and no cleverness: every position within the depth is visited, exactly once a path.
"""

try:
    import cython
except ImportError:
    from gameplay import nocython as cython

from dataclasses import dataclass

from gameplay import value as scale
from gameplay.search.engine import Engine, option
from gameplay.search.searcher import Searcher

ALIASES = ("mm",)

INF = cython.declare(cython.int, scale.INF)


class MinimaxSearcher(Searcher):
    """MAX-VALUE and MIN-VALUE call each other down to the depth."""

    def run(self, depth):
        self.maximizer = self.kernel.turn
        self.order_root(depth)
        value = self.root(depth, -INF, INF)
        if not self.stopped:
            self.finish(depth, value, not self.horizon)

    def visit(self, kernel, base, ply, depth, alpha, beta):
        value: cython.int = self.value(kernel, base, ply, depth)
        return value if kernel.turn == self.maximizer else -value

    def value(self, kernel, base, ply, depth):
        """What MAX gets here."""
        # 1. Count the position; stop if told to.
        self.nodes += 1
        if self.nodes >= self.next_poll and self.poll():
            return 0
        self.length[ply] = 0

        # 2. A finished game has its utility, a position at the depth its evaluation.
        result: cython.int = kernel.result()
        utility: cython.int
        if result or depth == 0:
            if result:
                utility = self.end(kernel, result, ply)
            else:
                utility = kernel.score()
                self.horizon = True
                if ply > self.seldepth:
                    self.seldepth = ply
            return utility if kernel.turn == self.maximizer else -utility

        # 3. Whoever moves chooses.
        if kernel.turn == self.maximizer:
            return self.max_value(kernel, base, ply, depth)
        return self.min_value(kernel, base, ply, depth)

    def max_value(self, kernel, base, ply, depth):
        best: cython.int = -INF
        end: cython.int = kernel.gen(base)
        i: cython.int
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            kernel.push(move)
            value: cython.int = self.value(kernel, end, ply + 1, depth - 1)
            kernel.pop(move)
            if self.stopped:
                break
            if value > best:
                best = value
                self.update_pv(ply, move)
        return best

    def min_value(self, kernel, base, ply, depth):
        best: cython.int = INF
        end: cython.int = kernel.gen(base)
        i: cython.int
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            kernel.push(move)
            value: cython.int = self.value(kernel, end, ply + 1, depth - 1)
            kernel.pop(move)
            if self.stopped:
                break
            if value < best:
                best = value
                self.update_pv(ply, move)
        return best


@dataclass
class Minimax(Engine):
    """Looks at every move and every answer to a fixed depth; no pruning."""

    name = "minimax"
    growth = 1.0

    eval: str = option("", "which of the game's evaluations to use at the leaves")

    def searcher(self, kernel, control, table):
        return MinimaxSearcher(kernel, control)
