# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Alpha-beta, fail-soft (Knuth and Moore, "An analysis of alpha-beta pruning", 1975; Fishburn 1983).

Theorem: let v be the minimax value of a position and r = visit(alpha, beta) with alpha < beta.

    r <= alpha         then v <= r:  r is an upper bound
    alpha < r < beta   then v == r
    beta <= r          then r <= v:  r is a lower bound

With `fail=hard` r is clamped to the window. The theorem holds, with weaker bounds.

With `max_threshold`, `min_threshold` (search/thresholds.py) and `standout` it holds for the pruned tree.

So the root, searched with an infinite window, has the value of minimax, and with the same move order the same
first best move. The table preserves this: an entry is used only at the depth it was searched to.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from dataclasses import dataclass

from gameplay.options import Number
from gameplay.search.engine import Engine
from gameplay.search.options import (
    eval_option,
    option,
    order_option,
    seed_option,
    table_option,
    threshold_option,
)
from gameplay.search.thresholds import OFF, at_most, thresholds
from gameplay.search.tree import TreeSearch

if cython.compiled:
    from cython.cimports.gameplay.search.descend import descend
    from cython.cimports.gameplay.search.ordering import move_score
    from cython.cimports.gameplay.search.trace import BETA, BY_TABLE, CUT, SKIP, STANDOUT, TABLE
    from cython.cimports.gameplay.value import INF
else:
    from gameplay.search.descend import descend
    from gameplay.search.ordering import move_score
    from gameplay.search.trace import BETA, BY_TABLE, CUT, SKIP, STANDOUT, TABLE
    from gameplay.value import INF

ALIASES = ("ab",)


class AlphaBetaSearch(TreeSearch):
    """Negamax: one function for both players, since the game is zero-sum.

    `hard`: values are kept within the window. `thresholds` may be None. `standout`: a move whose evaluation
    exceeds those of all others by more than this, in the game's `unit`, is searched alone; -1: off.
    """

    def __init__(
        self, kernel, control, table, ordering, shallow=False, hard=False, thresholds=None, standout=-1
    ):
        TreeSearch.__init__(self, kernel, control, table, ordering, shallow=shallow)
        self.hard = hard
        self.thresholds = thresholds
        self.standout = standout

    def run(self, depth):
        self.evaluate_at(0)
        self.deepen(depth)

    def visit(self, kernel, base, ply, depth, alpha, beta):
        # 1. `descend` has handled the end of the game and the depth limit.
        if self.thresholds is not None and self.thresholds.reached(self, kernel, ply):
            return self.thresholds.value

        # 2. The table may have the value, or a sufficient bound.
        key: cython.ulonglong = 0
        if self.table is not None:
            key = kernel.hash()
            self.probes += 1
            if self.lookup(key, ply):
                self.hits += 1
                if self.tracing:
                    self.emit(TABLE, ply, self.found_move, self.found_value, self.found_bound)
                if self.found_depth == depth and self.entry_suffices(alpha, beta):
                    if not self.found_complete:
                        self.horizon = True
                    if self.tracing:
                        self.emit(CUT, ply, self.found_move, self.found_value, BY_TABLE)
                    return max(alpha, min(self.found_value, beta)) if self.hard else self.found_value

        # 3. Try the moves.
        mover: cython.int = kernel.turn
        floor: cython.int = alpha
        best: cython.int = -INF
        best_move: cython.int = -1  # none better than alpha yet
        horizon: cython.bint = self.horizon
        self.horizon = False
        i: cython.int
        end: cython.int = kernel.gen(base)
        if self.ordering is not None:
            self.ordering.sort(kernel, base, end, ply, -1, -1)
            if self.tracing:
                self.emit_order(kernel, ply, kernel.stack[base], kernel.weight[base], -1, False, -1)
        if self.standout >= 0:
            end = self.keep_standout(kernel, base, end, ply)
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            value: cython.int = descend(self, kernel, end, ply + 1, move, depth - 1, alpha, beta)
            if self.stopped:
                return best
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    best_move = move
                    # 4. Beta cutoff: the opponent avoids this position.
                    if alpha >= beta:
                        self.cutoffs += 1
                        self.first_cutoffs += i == base
                        if self.ordering is not None:
                            self.ordering.record_cutoff(ply, move, -1)
                            self.ordering.update_history(kernel, mover, depth, move, -1)
                        if self.tracing:
                            self.emit(CUT, ply, move, value, BETA)
                        self.frames[ply].length = 0
                        break
                    self.update_pv(ply, move)

        # 5. Store the result in the table.
        if self.hard:
            best = max(floor, min(best, beta))
        if self.table is not None:
            self.remember(key, ply, depth, best, floor, beta, best_move, not self.horizon)
        self.horizon = self.horizon or horizon
        return best

    def keep_standout(self, kernel, base, end, ply):
        """The end of the moves to search: if one stands out, it alone is left, as the first."""
        i: cython.int
        best: cython.int = -INF
        second: cython.int = -INF
        best_index: cython.int = base
        for i in range(base, end):
            value: cython.int = move_score(kernel, kernel.stack[i])
            if value > best:
                second = best
                best = value
                best_index = i
            elif value > second:
                second = value
        if end - base < 2 or best - second <= self.standout:
            return end
        self.horizon = True
        if self.tracing:
            for i in range(base, end):
                if i != best_index:
                    self.emit(SKIP, ply, kernel.stack[i], 0, STANDOUT)
        kernel.stack[base] = kernel.stack[best_index]
        return base + 1


@dataclass
class AlphaBeta(Engine):
    """Minimax with alpha-beta pruning, to a fixed depth."""

    name = "alphabeta"
    theorem = "minimax"
    growth = 1.5  # as deep as minimax with this power of its nodes

    order: str = order_option()
    table: str = table_option()
    fail: str = option(
        "soft",
        "What a search returns if the value is outside its window; the root's value is the same",
        values={
            "soft": "The best value found, which can be a tighter bound than the window's",
            "hard": "The bound of the window",
        },
        source="Fishburn 1983",
    )
    max_threshold: str = threshold_option("above", "MAX")
    min_threshold: str = threshold_option("below", "MIN")
    standout: str = option(
        "off",
        "Below the root, skip the siblings of a move whose evaluation exceeds theirs by more points than "
        "this: the singular extension of some courses",
        kind=Number(words=("off",), minimum=0),
    )
    seed: int = seed_option()
    eval: str = eval_option()

    def open(self, kernel, control, table):
        return AlphaBetaSearch(
            kernel,
            control,
            table,
            self.ordering(),
            shallow="shallow" in self.orders(),
            hard=self.fail == "hard",
            thresholds=thresholds(self, kernel),
            standout=-1 if self.standout == OFF else at_most(float(self.standout), kernel.unit),
        )
