# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Iterative deepening: alpha-beta one ply deeper each time, until the limit (Slate and Atkin, 1977).

Theorem: a finished search of d plies has the value of minimax at d plies, whatever the options. The table
keeps it: a result counts where the same position was searched to the same depth, or less deep with every
line seen to its end. Deepening ends by itself when no line was cut off for want of depth, or when a win
is found within the depth: nothing deeper could be better.
"""

try:
    import cython
except ImportError:
    from gameplay import nocython as cython

from dataclasses import dataclass

from gameplay import value as scale
from gameplay.search.engine import Engine, option
from gameplay.search.searcher import Searcher

ALIASES = ("id", "iterativedeepening", "deepening")

INF = cython.declare(cython.int, scale.INF)

WINDOW = 16  # half the first window of an aspiration search
WIDER = 4  # how much wider at each failure
LEAP = 10  # plies before the end of the game from which on the next search sees all of it
PASSES = 4  # plies more, for passes, which are no moves of those that are left
FROM = 3  # plies from which on aspiration is worth it


class IterativeSearcher(Searcher):
    """`aspiration` narrows the root's window, `pvs` that of all moves but the first."""

    def __init__(self, kernel, control, table, ordering, pvs, shallow, aspiration):
        Searcher.__init__(self, kernel, control, table, ordering, pvs, shallow)
        self.aspiration = aspiration
        self.following = False
        self.solves = kernel.solves
        self.whole = False
        self.counters = ordering.answers
        if not cython.compiled:
            self.last_pv = [-1] * 256
        self.last_pv[1] = -1

    def run(self, depth):
        self.order_root(depth)
        value: cython.int = 0
        d: cython.int
        left: cython.int = abs(self.kernel.near()) if self.solves else 0
        d = 1
        while d <= depth:
            # 1. Search d plies; while the last line is followed, its moves come first.
            self.horizon = False
            self.following = True
            self.whole = 0 < left <= d
            value = self.window(d, value)
            if self.stopped:
                return
            self.finish(d, value, not self.horizon)
            value = self.trust(d, value)
            if self.stopped:
                return

            # 2. Nothing to gain from more?
            if not self.horizon or (scale.is_win(value) and scale.plies(value) <= d):
                if not self.helper:
                    self.control.reason = "proven"
                return

            # 3. Next time the best line first.
            move, _, _, pv, _ = self.best
            self.moves.remove(move)
            self.moves.insert(0, move)
            i: cython.int
            length: cython.int = min(len(pv), 255)
            for i in range(length):
                self.last_pv[i] = pv[i]
            self.last_pv[length] = -1

            # 4. All the rest of the game, exact, costs less than the guesses of the plies between.
            d += 1
            if d < left <= d + LEAP and left + PASSES <= depth:
                d = left + PASSES

    def trust(self, depth, value):
        """The value of the root after a second look at the move chosen; here without one."""
        return value

    def settle(self, kernel, alpha, beta):
        """The exact value of a position near the end, by the game's own means."""
        before: cython.longlong = kernel.effort
        value: cython.int = kernel.solve(alpha, beta)
        self.nodes += kernel.effort - before
        return value

    def window(self, depth, guess):
        """Search the root, with aspiration first in a window round the last value."""
        if not self.aspiration or depth < FROM or scale.is_win(guess):
            return self.root(depth, -INF, INF)
        half = WINDOW
        alpha, beta = guess - half, guess + half
        while True:
            value = self.root(depth, alpha, beta)
            if self.stopped or alpha < value < beta:
                return value
            half *= WIDER
            if value <= alpha:
                alpha = max(value - half, -INF)
            else:
                beta = min(value + half, INF)
            if scale.is_win(value):
                alpha, beta = -INF, INF

    def leaf(self, kernel, base, ply, alpha, beta):
        """The value of a position at the depth."""
        self.horizon = True
        return kernel.score()

    def visit(self, kernel, base, ply, depth, alpha, beta):
        # 1. Count the position; stop if told to.
        self.nodes += 1
        if self.nodes >= self.next_poll and self.poll():
            return 0
        self.length[ply] = 0
        if ply > self.seldepth:
            self.seldepth = ply

        # 2. A finished game has its value, a position at the depth what `leaf` says.
        value: cython.int
        result: cython.int = kernel.result()
        if result:
            return self.end(kernel, result, ply)
        if depth == 0:
            return self.leaf(kernel, base, ply, alpha, beta)
        if self.solves:
            value = kernel.near()
            if 0 < value <= depth:  # the depth reaches the end
                return self.settle(kernel, alpha, beta)

        # 3. The table may know the value, or at least a good first move.
        key: cython.ulonglong = 0
        first: cython.int = -1
        if self.table is not None:
            key = kernel.hash()
            self.probes += 1
            if self.lookup(key, ply):
                self.hits += 1
                first = self.found_move
                if self.found_depth == depth or (self.found_complete and self.found_depth < depth):
                    value = self.found_value
                    if (
                        self.found_bound == 1
                        or (self.found_bound == 2 and value >= beta)
                        or (self.found_bound == 3 and value <= alpha)
                    ):
                        if not self.found_complete:
                            self.horizon = True
                        return value

        # 4. The move of the last principal variation, then the order asked for.
        if self.following:
            if self.last_pv[ply] >= 0:
                first = self.last_pv[ply]
            else:
                self.following = False
        mover: cython.int = kernel.turn
        floor: cython.int = alpha
        best: cython.int = -INF
        best_move: cython.int = -1
        move: cython.int
        i: cython.int
        horizon: cython.bint = self.horizon
        self.horizon = False
        claimed: cython.ulonglong = 0
        put_off: cython.int = 0  # moves at stack[base:] that another thread is searching: they come last
        again: cython.bint = False
        end: cython.int = kernel.gen(base)
        stop: cython.int = end
        self.ordering.weigh(kernel, base, end, ply, first, self.last[ply])

        # 5. Try the moves. PVS (Marsland and Campbell 1982): all but the first need only be shown to be
        #    no better, with an empty window; the one that is better after all is searched again.
        i = base - 1
        while True:
            i += 1
            if i == stop:
                if again or not put_off:
                    break
                again = True
                i = base
                stop = base + put_off
            move = kernel.stack[i] if again else self.ordering.pick(kernel, i, end)
            # 6. With several threads: another one may have been faster, and what it searches now comes last.
            if self.shared and (i > base or again) and depth > 2:
                if (
                    self.lookup(key, ply)
                    and self.found_depth == depth
                    and self.found_bound == 2
                    and self.found_value >= beta
                ):
                    self.horizon = True
                    return self.found_value
                if not again:
                    claimed = self.claim(key, move, depth)
                    if not claimed:
                        kernel.stack[base + put_off] = move
                        put_off += 1
                        continue
            if self.counters:
                self.last[ply + 1] = ((mover & 1) << 12) | kernel.history_index(move)
            kernel.push(move)
            if self.pvs and (i > base or again) and beta - alpha > 1:
                if kernel.turn == mover:
                    value = self.visit(kernel, end, ply + 1, depth - 1, alpha, alpha + 1)
                    if alpha < value < beta and not self.stopped:
                        value = self.visit(kernel, end, ply + 1, depth - 1, alpha, beta)
                else:
                    value = -self.visit(kernel, end, ply + 1, depth - 1, -alpha - 1, -alpha)
                    if alpha < value < beta and not self.stopped:
                        value = -self.visit(kernel, end, ply + 1, depth - 1, -beta, -alpha)
            elif kernel.turn == mover:
                value = self.visit(kernel, end, ply + 1, depth - 1, alpha, beta)
            else:
                value = -self.visit(kernel, end, ply + 1, depth - 1, -beta, -alpha)
            kernel.pop(move)
            if claimed:
                self.free(claimed)
                claimed = 0
            self.following = False
            if self.stopped:
                return best
            if value > best:
                best = value
                best_move = move
                if value > alpha:
                    alpha = value
                    # 7. Good enough: note what was, for the order of moves elsewhere.
                    if alpha >= beta:
                        self.cutoffs += 1
                        self.first_cutoffs += i == base and not again
                        self.ordering.refute(ply, move, self.last[ply])
                        self.ordering.reward(kernel, mover, depth, move, self.last[ply])
                        break
                    self.update_pv(ply, move)

        # 8. Remember what this proves.
        if self.table is not None:
            self.remember(
                key,
                ply,
                depth,
                best,
                3 if best <= floor else 2 if best >= beta else 1,
                best_move,
                not self.horizon,
            )
        self.horizon = self.horizon or horizon
        return best


@dataclass
class Iterative(Engine):
    """Deepens ply by ply until the limit, learning the move order on the way."""

    name = "iterative"
    deepens = True

    order: str = option("hint+killer+history", "move order after the last best move: generated, random, ...")
    table: str = option("64MB", "transposition table: a size such as 64MB, or off; the newest result stays")
    aspiration: bool = option(True, "first search a narrow window round the last value")
    pvs: bool = option(True, "principal variation search: an empty window for all moves but the first")
    threads: int = option(1, "threads that search together, sharing the table")
    seed: int = option(0, "seed of order=random")
    eval: str = option("", "which of the game's evaluations to use at the leaves")

    searcher_class = IterativeSearcher

    def searcher(self, kernel, control, table):
        return self.searcher_class(
            kernel,
            control,
            table,
            self.ordering(always=True),
            pvs=self.pvs,
            shallow="shallow" in self.orders(),
            aspiration=self.aspiration,
        )
