# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Iterative deepening: alpha-beta one ply deeper each time, until the limit (Slate and Atkin, 1977).

Theorem: a finished search of d plies has the value of minimax at d plies, whatever the options. The table
preserves this: an entry is used if it was searched to the same depth, or less deep with every line searched
to the end of the game. Deepening ends when no line reached the depth limit, or when a win is found within the
depth: nothing deeper could be better.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from dataclasses import dataclass
from functools import partial

from gameplay import value as scale
from gameplay.search.engine import Engine
from gameplay.search.options import (
    eval_option,
    option,
    order_option,
    seed_option,
    table_option,
    threads_option,
)
from gameplay.search.picker import Picker
from gameplay.search.tree import TreeSearch

if cython.compiled:
    from cython.cimports.gameplay.search.descend import descend
    from cython.cimports.gameplay.search.trace import ASPIRATION, BETA, BY_TABLE, CUT, KNOWN, TABLE
    from cython.cimports.gameplay.value import EXACT, INF, LOWER, UPPER
else:
    from gameplay.search.descend import descend
    from gameplay.search.trace import ASPIRATION, BETA, BY_TABLE, CUT, KNOWN, TABLE
    from gameplay.value import EXACT, INF, LOWER, UPPER

ALIASES = ("id", "iterativedeepening", "deepening")


WINDOW = 16  # half-width of the first aspiration window
WIDENING = 4  # factor for the half-width after each failure
MAX_LEAP = 10  # iterations that may be skipped to search to the end of the game
MAX_PASSES = 4  # further plies, since passes do not count as moves left
MIN_ASPIRATION_DEPTH = 3  # plies


class IterativeSearch(TreeSearch):
    """Iterative deepening; see the options of `Iterative`."""

    def __init__(self, kernel, control, table, ordering, pvs, shallow, aspiration, mtdf=False):
        TreeSearch.__init__(self, kernel, control, table, ordering, pvs, shallow)
        self.picker = Picker(ordering)
        self.aspiration = aspiration
        self.mtdf = mtdf
        self.earlier_value = 0
        self.following = False
        self.solves = kernel.solves
        self.reaches_end = False
        self.uses_replies = ordering.uses_previous_move
        self.evaluate_at(0)

    def run(self, depth):
        self.defer_polling()
        self.order_root(depth)
        value: cython.int = 0
        distance: cython.int = abs(self.kernel.moves_left()) if self.solves else 0
        d: cython.int = 1
        while d <= depth:
            # 1. Search d plies; along the last principal variation, its moves come first.
            self.horizon = False
            self.following = True
            self.reaches_end = 0 < distance <= d
            value = self.search_window(d, value)
            if self.horizon and self.leaf_depth == 0:
                self.seldepth = d  # nothing lies deeper
            if self.stopped:
                return
            self.finish(d)
            value = self.secondary_search(d, value)
            if self.stopped:
                return

            # 2. Stop if a deeper search can gain nothing.
            if not self.horizon or (scale.is_win(value) and scale.plies(value) <= d and self.multipv == 1):
                if not self.helper:
                    self.control.reason = "proven"
                return

            # 3. The best lines come first in the next iteration.
            candidates, _, _ = self.best
            self.put_first([candidate.move for candidate in candidates])
            i: cython.int
            pv = self.searched_lines[candidates[0].move]
            length: cython.int = min(len(pv), 255)
            for i in range(length):
                self.frames[i].last_pv = pv[i]
            self.frames[length].last_pv = -1

            # 4. An exact search to the end of the game costs less than the iterations in between.
            d += 1
            if d < distance <= d + MAX_LEAP and distance + MAX_PASSES <= depth:
                d = distance + MAX_PASSES

    def secondary_search(self, depth, value):
        """Verify the best move, and return the value of the root; `selective` overrides it."""
        return value

    def solve_endgame(self, kernel, ply, alpha, beta):
        """The exact value of a position near the end of the game, by the game's endgame solver."""
        before: cython.longlong = kernel.solver_nodes
        value: cython.int = kernel.solve(alpha, beta)
        self.nodes += kernel.solver_nodes - before
        if self.tracing:
            self.emit(KNOWN, ply, -1, value, UPPER if value <= alpha else LOWER if value >= beta else EXACT)
        return value

    def search_window(self, depth, guess):
        """Search the root, by aspiration windows around `guess` or by MTD(f) if selected."""
        if self.mtdf and self.multipv == 1 and depth > 1:
            return self.mtdf_search(depth, guess)
        if not self.aspiration or self.multipv > 1 or depth < MIN_ASPIRATION_DEPTH or scale.is_win(guess):
            return self.root(depth, -INF, INF)
        half = WINDOW
        alpha, beta = guess - half, guess + half
        while True:
            value = self.root(depth, alpha, beta)
            if self.stopped or alpha < value < beta:
                return value
            half *= WIDENING
            if value <= alpha:
                self.fail_low(value)
                alpha = max(value - half, -INF)
            else:
                beta = min(value + half, INF)
            if scale.is_win(value):
                alpha, beta = -INF, INF
            self.entry_reason = ASPIRATION

    def mtdf_search(self, depth, guess):
        """MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): null windows until the bounds meet.

        Each search proves that the value is at least or at most what it returns, and the next window is set
        there; the table shares their work. When the bounds meet, a last search in a window around the value,
        answered mostly by the table, finds the principal variation.
        """
        lower, upper, value = -INF, INF, self.earlier_value if depth > 2 else guess
        self.earlier_value = guess  # for the iteration after the next: values alternate between odd and even
        while lower < upper:
            beta = max(value, lower + 1)
            value = self.root(depth, beta - 1, beta)
            if self.stopped:
                return value
            if value < beta:
                upper = value
                self.fail_low(value)
            else:
                lower = value
                self.put_first([self.fail_high_move.move])
        value = self.root(depth, value - 1, value + 1)
        if self.stopped or lower == value:
            return value
        return self.root(depth, -INF, INF)  # bounds can be wrong if values depend on history or pruning

    def visit(self, kernel, base, ply, depth, alpha, beta):
        # 1. `descend` has handled the end of the game and the depth limit. Near the end some games return
        #    the exact value without a search.
        self.frames[ply].length = 0
        if self.solves:
            value: cython.int = kernel.moves_left()
            if 0 < value <= depth:  # the depth reaches the end
                return self.solve_endgame(kernel, ply, alpha, beta)

        # 2. The table may have the value, or at least a good first move.
        key: cython.ulonglong = 0
        first: cython.int = -1
        if self.table is not None:
            key = kernel.hash()
            self.probes += 1
            if self.lookup(key, ply):
                self.hits += 1
                first = self.found_move
                if self.tracing:
                    self.emit(TABLE, ply, first, self.found_value, self.found_bound)
                deep: cython.bint = self.found_depth == depth
                if self.found_complete and self.found_depth < depth:
                    deep = True
                if deep and self.entry_suffices(alpha, beta):
                    if not self.found_complete:
                        self.horizon = True
                    if self.tracing:
                        self.emit(CUT, ply, first, self.found_value, BY_TABLE)
                    return self.found_value

        if self.probe is not None and self.known(kernel, ply, alpha, beta):
            return self.probe.value

        # 3. The moves: that of the last principal variation, the table's, then as the option `order` says.
        if self.following:
            if self.frames[ply].last_pv >= 0:
                first = self.frames[ply].last_pv
            else:
                self.following = False
        mover: cython.int = kernel.turn
        floor: cython.int = alpha
        best: cython.int = -INF
        best_move: cython.int = -1
        tried: cython.int = 0
        horizon: cython.bint = self.horizon
        self.horizon = False
        claimed: cython.ulonglong = 0
        reported: cython.bint = not self.tracing
        end: cython.int = kernel.gen(base)
        self.picker.open(kernel, ply, base, end, ply, first, self.frames[ply].previous_move, -1)
        while True:
            move: cython.int = self.picker.next(kernel, ply)
            if move < 0:
                break
            if not reported:
                reported = True
                weight: cython.int = self.picker.weight
                self.emit_order(
                    kernel, ply, move, weight, first, self.following, self.frames[ply].previous_move
                )

            # 4. With several threads: another one may have been faster, and what it searches now comes last.
            if self.shared and depth > 2 and (tried or self.picker.is_replaying(ply)):
                if self.lookup(key, ply) and self.found_depth == depth and self.fails_high(beta):
                    self.horizon = True
                    return self.found_value
                if not self.picker.is_replaying(ply):
                    claimed = self.claim(key, move, depth)
                    if not claimed:
                        self.picker.defer(kernel, ply, move, self.picker.weight)
                        continue

            # 5. PVS (Marsland and Campbell 1982): all but the first need only be shown to be no better, with
            #    a null window; a move that fails high is searched again.
            if self.uses_replies:
                self.frames[ply + 1].previous_move = ((mover & 1) << 12) | kernel.history_index(move)
            if self.pvs and tried and beta - alpha > 1:
                value = descend(self, kernel, end, ply + 1, move, depth - 1, alpha, alpha + 1)
                if alpha < value < beta and not self.stopped:
                    value = descend(self, kernel, end, ply + 1, move, depth - 1, alpha, beta)
            else:
                value = descend(self, kernel, end, ply + 1, move, depth - 1, alpha, beta)
            if claimed:
                self.free(claimed)
                claimed = 0
            self.following = False
            if self.stopped:
                return best
            tried += 1
            if value > best:
                best = value
                best_move = move
                if value > alpha:
                    alpha = value
                    # 6. Beta cutoff: update the move ordering.
                    if alpha >= beta:
                        self.cutoffs += 1
                        self.first_cutoffs += tried == 1
                        self.ordering.record_cutoff(ply, move, self.frames[ply].previous_move)
                        self.ordering.update_history(
                            kernel, mover, depth, move, self.frames[ply].previous_move
                        )
                        if self.tracing:
                            self.emit(CUT, ply, move, value, BETA)
                        break
                    self.update_pv(ply, move)

        # 7. Store the result in the table.
        if self.table is not None:
            self.remember(key, ply, depth, best, floor, beta, best_move, not self.horizon)
        self.horizon = self.horizon or horizon
        return best


@dataclass
class Iterative(Engine):
    """Alpha-beta with iterative deepening, a transposition table, PVS and killer and history heuristics."""

    name = "iterative"
    theorem = "minimax"
    anytime = True
    probes = True
    priority = 30

    order: str = order_option("hint+killer+history", after="the last principal variation or the TT")
    table: str = table_option("64MB")
    aspiration: bool = option(
        True,
        "Aspiration windows: search a narrow window around the last value first, and widen it on failure",
    )
    mtdf: bool = option(
        False,
        "MTD(f): find the value by null windows, in place of aspiration; requires a table",
        source="Plaat, Schaeffer, Pijls and de Bruin 1996",
    )
    pvs: bool = option(
        True,
        "Principal variation search (PVS): a null window for all moves but the first, the full window for"
        " those that turn out better",
        source="Marsland and Campbell 1982",
    )
    threads: int = threads_option(
        "Threads that share the table; each defers moves that another thread is searching",
        source="Weill 1996 (ABDADA, simplified)",
    )
    seed: int = seed_option()
    eval: str = eval_option()

    search_class = IterativeSearch

    def search_options(self):
        """Further keyword arguments of the search, for derived engines."""
        return {}

    def open(self, kernel, control, table):
        create = partial(self.ordering, always=True)
        return self.search_class(
            kernel,
            control,
            table,
            create() if table is None else table.ordering(create),
            pvs=self.pvs,
            shallow="shallow" in self.orders(),
            aspiration=self.aspiration,
            mtdf=self.mtdf,
            **self.search_options(),
        )
