# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Minimax, as in the textbook (Russell and Norvig, "Artificial Intelligence", chapter 5).

Theorem: with enough depth, `value` is the payoff of MAX, the player to move at the root, under best play of
both sides. With less, `evaluate()` replaces the values of the positions at that depth.

No pruning: every path within the depth is visited. With `max_threshold` or `min_threshold`, the search does
not go below a position whose evaluation lies beyond them.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from dataclasses import dataclass

from gameplay.search.engine import Engine
from gameplay.search.options import eval_option, threshold_option
from gameplay.search.thresholds import thresholds
from gameplay.search.tree import TreeSearch

if cython.compiled:
    from cython.cimports.gameplay.search.descend import descend
    from cython.cimports.gameplay.value import INF
else:
    from gameplay.search.descend import descend
    from gameplay.value import INF

ALIASES = ("mm",)


class MinimaxSearch(TreeSearch):
    """MAX-VALUE and MIN-VALUE call each other down to the depth limit. `thresholds` may be None."""

    def __init__(self, kernel, control, thresholds):
        TreeSearch.__init__(self, kernel, control)
        self.thresholds = thresholds

    def run(self, depth):
        self.evaluate_at(0)
        self.maximizer = self.kernel.turn
        self.deepen(depth)

    def child(self, kernel, base, move, depth, alpha, beta):
        return descend(self, kernel, base, 1, move, depth, -INF, INF)  # without the window of earlier moves

    def visit(self, kernel, base, ply, depth, alpha, beta):
        # 1. `descend` has handled the end of the game (utility) and the depth limit (evaluation).
        if self.thresholds is not None and self.thresholds.reached(self, kernel, ply):
            return self.thresholds.value
        self.frames[ply].length = 0

        # 2. The player to move chooses.
        if kernel.turn == self.maximizer:
            return self.max_value(kernel, base, ply, depth)
        return -self.min_value(kernel, base, ply, depth)

    def max_value(self, kernel, base, ply, depth):
        """MAX-VALUE: the maximum over the moves."""
        best: cython.int = -INF
        end: cython.int = kernel.gen(base)
        i: cython.int
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            value: cython.int = descend(self, kernel, end, ply + 1, move, depth - 1, -INF, INF)
            if self.stopped:
                break
            if value > best:
                best = value
                self.update_pv(ply, move)
        return best

    def min_value(self, kernel, base, ply, depth):
        """MIN-VALUE: the minimum over the moves, for MAX; `descend` returns values for MIN."""
        best: cython.int = INF
        end: cython.int = kernel.gen(base)
        i: cython.int
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            value: cython.int = -descend(self, kernel, end, ply + 1, move, depth - 1, -INF, INF)
            if self.stopped:
                break
            if value < best:
                best = value
                self.update_pv(ply, move)
        return best


@dataclass
class Minimax(Engine):
    """Textbook minimax: every line of moves to a fixed depth, without pruning."""

    name = "minimax"
    theorem = "minimax"
    growth = 1.0
    prunes = False

    max_threshold: str = threshold_option("above", "MAX")
    min_threshold: str = threshold_option("below", "MIN")
    eval: str = eval_option()

    def open(self, kernel, control, table):
        return MinimaxSearch(kernel, control, thresholds(self, kernel))
