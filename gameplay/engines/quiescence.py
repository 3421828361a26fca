# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Iterative deepening with quiescence search: captures and threats are played out before the evaluation.

An evaluation in the middle of an exchange is meaningless (the horizon effect). So at the depth limit the
mover either takes the evaluation (stands pat) or makes a noisy move, after which the other side has the same
choice; a mover who must answer a threat may not stand pat. (Shannon 1950, "quiescent" positions; Greenblatt,
Eastlake and Crocker 1967; Beal, "A generalised quiescence search algorithm", 1990.)

Theorem of the leaves: the value of a position at the depth limit is that of a game in which each side may
stop at any position and take its evaluation, unless it must answer a threat, and else plays noisy moves only.
A finished search of d plies has the value of minimax at d plies over such leaves, whatever the options.

`selective` adds pruning and extensions to this.  Types: quiescence.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from dataclasses import dataclass

from gameplay.engines.iterative import Iterative, IterativeSearch
from gameplay.errors import Usage

if cython.compiled:
    from cython.cimports.gameplay.search.descend import descend
    from cython.cimports.gameplay.search.trace import BETA, CUT, EVALUATE, STAND_PAT
    from cython.cimports.gameplay.value import INF, MAX_PLY, NEVER
else:
    from gameplay.search.descend import descend
    from gameplay.search.trace import BETA, CUT, EVALUATE, STAND_PAT
    from gameplay.value import INF, MAX_PLY, NEVER

ALIASES = ("quiesce", "qs", "quiescent")

LAST = cython.declare(cython.int, MAX_PLY - 1)


class QuiescenceSearch(IterativeSearch):
    """The tree of `iterative`, with a quiescence search at its leaves."""

    def __init__(self, kernel, control, table, ordering, pvs, shallow, aspiration, mtdf=False):
        IterativeSearch.__init__(self, kernel, control, table, ordering, pvs, shallow, aspiration, mtdf)
        self.evaluate_at(NEVER)

    def visit(self, kernel, base, ply, depth, alpha, beta):
        if depth > 0:
            return IterativeSearch.visit(self, kernel, base, ply, depth, alpha, beta)
        self.horizon = True
        return self.quiesce(kernel, base, ply, alpha, beta)

    def quiesce(self, kernel, base, ply, alpha, beta):
        """Value of a leaf from the mover's view, fail-soft."""
        self.frames[ply].length = 0
        if ply > self.seldepth:
            self.seldepth = ply

        # 1. Stand pat: some quiet move is assumed to be as good as the evaluation, unless a threat forces.
        best: cython.int = -INF
        end: cython.int = kernel.gen_noisy(base)
        if not kernel.is_forced or end == base or ply >= LAST:
            best = kernel.score()
            if self.tracing:
                self.emit(EVALUATE, ply, -1, best, STAND_PAT)
            if ply >= LAST or best >= beta:
                if self.tracing and best >= beta:
                    self.emit(CUT, ply, -1, best, STAND_PAT)
                return best
            if best > alpha:
                alpha = best

        # 2. Or play a noisy move, and so on until the position is quiet.
        i: cython.int
        self.ordering.sort(kernel, base, end, ply, -1, -1)
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            value: cython.int = descend(self, kernel, end, ply + 1, move, 0, alpha, beta)
            if self.stopped:
                return best
            if value <= best:
                continue
            best = value
            if value >= beta:
                if self.tracing:
                    self.emit(CUT, ply, move, value, BETA)
                break
            if value > alpha:
                alpha = value
                self.update_pv(ply, move)
        return best


@dataclass
class Quiescence(Iterative):
    """Iterative deepening with quiescence search: noisy moves are played out before a leaf is evaluated."""

    name = "quiescence"
    theorem = "minimax over quiet leaves"
    priority = 15

    search_class = QuiescenceSearch

    @classmethod
    def from_options(cls, given):
        """As in `Engine`; for options of `selective` the error names that engine."""
        from gameplay.engines.selective.engine import Selective

        for key, text in given.items():
            if key in Selective.options() and key not in cls.options():
                raise Usage(f"quiescence: {key} is an option of selective: write selective:{key}={text}")
        return super().from_options(given)
