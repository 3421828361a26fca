# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Alpha-beta, fail-soft (Knuth and Moore, "An analysis of alpha-beta pruning", 1975; Fishburn 1983).

Theorem: let v be the minimax value of a position and r = visit(..., alpha, beta) with alpha < beta.

    r <= alpha         then v <= r:  r is an upper bound
    alpha < r < beta   then v == r
    beta <= r          then r <= v:  r is a lower bound

So the root, searched with an infinite window, gets the value of minimax, and with the moves in the same
order the same first best move. The table keeps the theorem: a result counts only where the same position
was searched to the same depth.
"""

try:
    import cython
except ImportError:
    from gameplay import nocython as cython

from dataclasses import dataclass

from gameplay import value as scale
from gameplay.search.engine import Engine, option
from gameplay.search.searcher import Searcher

ALIASES = ("ab",)

INF = cython.declare(cython.int, scale.INF)


class AlphaBetaSearcher(Searcher):
    """One function for both players: what is good for one is as bad for the other."""

    def run(self, depth):
        self.order_root(depth)
        value = self.root(depth, -INF, INF)
        if not self.stopped:
            self.finish(depth, value, not self.horizon)

    def visit(self, kernel, base, ply, depth, alpha, beta):
        # 1. Count the position; stop if told to.
        self.nodes += 1
        if self.nodes >= self.next_poll and self.poll():
            return 0

        # 2. A finished game has its value, a position at the depth its evaluation.
        result: cython.int = kernel.result()
        if result:
            return self.end(kernel, result, ply)
        if depth == 0:
            if not self.horizon:  # once is enough: all such positions lie equally deep
                self.horizon = True
                self.seldepth = max(self.seldepth, ply)
            return kernel.score()
        return self.expand(kernel, base, ply, depth, alpha, beta)

    def expand(self, kernel, base, ply, depth, alpha, beta):
        # 3. The table may know the value, or enough of it.
        key: cython.ulonglong = 0
        value: cython.int
        if self.table is not None:
            key = kernel.hash()
            self.probes += 1
            if self.lookup(key, ply):
                self.hits += 1
                if self.found_depth == depth:
                    value = self.found_value
                    if (
                        self.found_bound == 1
                        or (self.found_bound == 2 and value >= beta)
                        or (self.found_bound == 3 and value <= alpha)
                    ):
                        return value

        # 4. Try the moves; the opponent's window is ours turned round.
        mover: cython.int = kernel.turn
        best: cython.int = -INF
        best_move: cython.int = -1  # none better than alpha yet
        move: cython.int
        i: cython.int
        end: cython.int = kernel.gen(base)
        if self.ordering is not None:
            self.ordering.arrange(kernel, base, end, ply, -1, -1)
        for i in range(base, end):
            move = kernel.stack[i]
            kernel.push(move)
            if kernel.turn == mover:
                value = self.visit(kernel, end, ply + 1, depth - 1, alpha, beta)
            else:
                value = -self.visit(kernel, end, ply + 1, depth - 1, -beta, -alpha)
            kernel.pop(move)
            if self.stopped:
                return best
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    best_move = move
                    # 5. Good enough: the opponent will not let it come to this.
                    if alpha >= beta:
                        self.cutoffs += 1
                        self.first_cutoffs += i == base
                        if self.ordering is not None:
                            self.ordering.refute(ply, move, -1)
                            self.ordering.reward(kernel, mover, depth, move, -1)
                        self.length[ply] = 0
                        break
                    self.update_pv(ply, move)

        # 6. Remember what this proves.
        if self.table is not None:
            self.remember(
                key, ply, depth, best, 3 if best_move < 0 else 2 if best >= beta else 1, best_move, False
            )
        return best


@dataclass
class AlphaBeta(Engine):
    """Minimax that skips what cannot matter, to a fixed depth."""

    name = "alphabeta"
    growth = 1.5  # as deep as minimax with this power of its nodes

    order: str = option("generated", "move order: generated, random, evaluation, shallow, hint, killer, ...")
    table: str = option("off", "transposition table: a size such as 64MB, or off; the newest result stays")
    seed: int = option(0, "seed of order=random")
    eval: str = option("", "which of the game's evaluations to use at the leaves")

    def searcher(self, kernel, control, table):
        return AlphaBetaSearcher(
            kernel,
            control,
            table,
            self.ordering(),
            shallow="shallow" in self.orders(),
        )
