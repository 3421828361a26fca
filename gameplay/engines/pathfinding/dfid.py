# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Depth-first iterative deepening: depth-first searches 1, 2, 3, ... moves deep until one finds a goal.

Richard Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial Intelligence
27, 1985.

Theorem: the solution has the fewest moves, since all shorter paths were searched. Among blind tree searches
that find one, it is asymptotically optimal in time and memory: it stores only the current path, and with
branching factor b, all searches but the last together visit about 1 / (b - 1) as many positions as the last.

It uses no heuristic, unlike `idastar`. The inverse of the last move is skipped.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from dataclasses import dataclass

from gameplay.catalogue import name_of
from gameplay.engines.pathfinding.options import Pathfinder
from gameplay.engines.pathfinding.search import PathSearch
from gameplay.search.engine import has_costs

if cython.compiled:
    from cython.cimports.gameplay.search.trace import GENERATE, GOAL, THRESHOLD
else:
    from gameplay.search.trace import GENERATE, GOAL, THRESHOLD


ALIASES = ("iddfs",)


class DfidSearch(PathSearch):
    """Deepens until a goal is found."""

    def __init__(self, kernel, control):
        PathSearch.__init__(self, kernel, control)
        self.blind = True

    def run(self, depth):
        # 1. Search 1 move deep, then 2, then 3.
        room: cython.int
        for room in range(1, depth + 1):
            if self.descend(room):
                self.set_solution(self.solution(), room)
                return
            if self.stopped:
                return
            # 2. If no path was cut off at the depth limit, there is no solution.
            if not self.excess:
                self.set_unsolvable()
                return

    def expand(self, kernel, base, room, last):
        # 3. Expand: every move except the inverse of the last.
        end: cython.int = kernel.gen(base)
        count: cython.int = base
        i: cython.int
        self.expanded += 1
        for i in range(base, end):
            if last < 0 or not kernel.is_inverse(last, kernel.stack[i]):
                kernel.stack[count] = kernel.stack[i]
                count += 1
        return count

    def visit(self, kernel, base, end, ply, room, last):
        i: cython.int
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            kernel.push(move)
            self.nodes += 1
            # 4. A goal, a dead end or the depth limit; else go down.
            over: cython.bint = kernel.result() != 0
            goal: cython.bint = over and kernel.payoff(0) > 0
            if self.tracing:
                why: cython.int = GOAL if goal else THRESHOLD if room == 1 and not over else 0
                self.emit(GENERATE, ply + 1, move, ply + 1, why, -1)
            if goal:
                self.seldepth = ply + 1
            elif not over and room > 1:
                if self.tracing:
                    self.emit_expanded(kernel, ply + 1, move, room - 1)
                deeper: cython.int = self.expand(kernel, end, room - 1, move)
                goal = self.visit(kernel, end, deeper, ply + 1, room - 1, move)
            elif not over:
                self.excess = 1
            kernel.pop(move)
            if goal:
                self.line[ply] = move
                return True
            if self.stopped or (self.nodes >= self.next_poll and self.poll()):
                return False
        return False


@dataclass
class Dfid(Pathfinder):
    """Depth-first iterative deepening: finds a shortest solution of a puzzle, without a heuristic."""

    name = "dfid"
    priority = 10

    @classmethod
    def incompatibility(cls, position):
        """As in `Pathfinder`; moves must not have costs."""
        why = super().incompatibility(position)
        if not why and has_costs(position):
            why = f"it minimizes the number of moves, and moves of {name_of(position)} have costs"
        return why

    def open(self, kernel, control, table):
        return DfidSearch(kernel, control)
