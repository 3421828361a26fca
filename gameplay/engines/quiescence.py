# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Quiescence: at the depth, go on with the noisy moves until the position is calm (Greenblatt
1967; Beal 1990).

Theorem: the value of a leaf is that of a game in which each side may stop at any calm position and take
its evaluation, and otherwise plays noisy moves only; where the mover must answer a threat he may not stop.
"""

try:
    import cython
except ImportError:
    from gameplay import nocython as cython

from dataclasses import dataclass

from gameplay.engines.iterative import Iterative, IterativeSearcher
from gameplay.search import value as scale

ALIASES = ("quiesce", "qs", "quiescent")

INF = cython.declare(cython.int, scale.INF)
LAST = cython.declare(cython.int, scale.MAX_PLY - 1)


class QuiescenceSearcher(IterativeSearcher):
    """Iterative deepening with calm leaves."""

    def leaf(self, kernel, base, ply, alpha, beta):
        self.horizon = True
        return self.quiesce(kernel, base, ply, alpha, beta)

    def quiesce(self, kernel, base, ply, alpha, beta):
        # 1. Standing pat: some quiet move is at least as good as the evaluation says, unless forced.
        best: cython.int = -INF
        value: cython.int
        end: cython.int = kernel.calm(base)
        if not kernel.pressed or end == base or ply >= LAST:
            best = kernel.score()
            if best >= beta or end == base or ply >= LAST:
                return best
            alpha = max(alpha, best)

        # 2. The noisy moves, each to its calm end.
        mover: cython.int = kernel.turn
        result: cython.int
        move: cython.int
        i: cython.int
        for i in range(base, end):
            move = kernel.stack[i]
            kernel.push(move)
            self.nodes += 1
            if self.nodes >= self.next_poll and self.poll():
                kernel.pop(move)
                return best
            self.length[ply + 1] = 0
            if ply + 1 > self.seldepth:
                self.seldepth = ply + 1
            result = kernel.result()
            if result:
                value = self.end(kernel, result, ply + 1)
                value = value if kernel.turn == mover else -value
            elif kernel.turn == mover:
                value = self.quiesce(kernel, end, ply + 1, alpha, beta)
            else:
                value = -self.quiesce(kernel, end, ply + 1, -beta, -alpha)
            kernel.pop(move)
            if self.stopped:
                return best
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        break
                    self.extend(ply, move)
        return best


@dataclass
class Quiescence(Iterative):
    """Iterative deepening whose leaves are played on until no win, capture or threat is left."""

    name = "quiescence"
    needs_noisy = True

    searcher_class = QuiescenceSearcher
