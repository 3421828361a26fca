# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""IDA*: depth-first searches for a cheapest path to a goal, with rising thresholds.

Richard Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial Intelligence
27, 1985.

Theorem: if the estimate is admissible, never more than the remaining cost, the solution is a cheapest path.
Each search visits every path whose cost so far plus estimate is within the threshold, and the next threshold
is the least sum that exceeded it: no path left out costs less.

It stores only the current path. The inverse of the last move is skipped; positions that are reached on
several paths are searched again on each.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from dataclasses import dataclass

from gameplay.engines.pathfinding.options import InformedPathfinder
from gameplay.engines.pathfinding.search import PathSearch

ALIASES = ("ida", "ida*")


class IdastarSearch(PathSearch):
    """Raises the threshold until a goal is found."""

    def run(self, depth):
        # 1. The first threshold is the estimate of the root.
        self.depth = depth
        threshold: cython.int = self.kernel.remaining()
        while not self.stopped:
            # 2. Search depth first within the threshold.
            if self.descend(threshold):
                self.set_solution(self.solution(), threshold)
                return
            # 3. The next threshold is the least sum beyond this one. Without one, there is no solution.
            if not self.excess and not self.stopped:
                self.set_unsolvable()
                return
            threshold += self.excess

    def expand(self, kernel, base, room, last):
        end: cython.int = kernel.gen_within(base, room, last)
        self.count_generated(kernel)
        return end

    def count_generated(self, kernel):
        """Count the moves of the last gen_within() or push_within() and update the least excess."""
        self.nodes += kernel.generated
        self.expanded += 1
        if kernel.excess and (kernel.excess < self.excess or not self.excess):
            self.excess = kernel.excess

    def visit(self, kernel, base, end, ply, room, last):
        cost: cython.int = 1
        reported: cython.int = -1
        i: cython.int
        for i in range(base, end):
            if self.nodes >= self.next_poll and self.poll():
                return False
            move: cython.int = kernel.stack[i]
            if self.tracing:
                self.emit_moves(kernel, end, ply + 1, last, room, reported, move)
                reported = move
            if self.priced:
                cost = kernel.price(move)
            # 4. A goal has the estimate 0 and is within the threshold.
            goal: cython.bint = kernel.weight[i] == 0 and self.reaches_goal(kernel, move, ply + 1)
            # 5. Expand: the moves whose cost plus estimate is within the rest of the threshold.
            if not goal and ply + 1 < self.depth:
                deeper: cython.int = kernel.push_within(move, end, room - cost)
                self.count_generated(kernel)
                if self.tracing:
                    self.emit_below(kernel, end, deeper, ply + 1, room - cost, move)
                # 6. Go down. If no move fits, push_within() has unmade the move.
                if deeper > end:
                    goal = self.visit(kernel, end, deeper, ply + 1, room - cost, move)
                    kernel.pop(move)
            elif not goal:
                self.cut = True
            if goal:
                self.line[ply] = move
                # Do not count moves that were generated after the one that solves the puzzle.
                self.nodes -= self.count_later_moves(kernel, end, last, move)
                return True
        if self.tracing:
            self.emit_moves(kernel, end, ply + 1, last, room, reported, -1)
        return False

    def emit_below(self, kernel, base, end, ply, room, last):
        """Emit the expansion of a position; if no move is within the bound, its moves too."""
        if end > base:
            self.emit_expanded(kernel, ply, last, room)
            return
        kernel.push(last)
        self.emit_expanded(kernel, ply, last, room)
        self.emit_moves(kernel, base, ply + 1, last, room, -1, -1)
        kernel.pop(last)


@dataclass
class Idastar(InformedPathfinder):
    """IDA*: depth-first searches with rising thresholds; finds a cheapest solution of a puzzle."""

    name = "idastar"
    priority = 30

    def open(self, kernel, control, table):
        return IdastarSearch(kernel, control)
