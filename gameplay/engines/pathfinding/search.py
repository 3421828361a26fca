# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Shared by single-agent searches: node counts, the path found, the report.

A value is the negated cost of the remaining path: exact for a path proved to be the cheapest; until one is
found, the threshold is a lower bound of the cost (`upper` for the value).  Types: search.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.kernel import Kernel
from gameplay.search import trace as steps
from gameplay.search.report import Candidate, Report
from gameplay.search.root import RootSearch

if cython.compiled:
    from cython.cimports.gameplay.search.trace import EXPAND, GENERATE, GOAL, NEW_THRESHOLD, THRESHOLD
    from cython.cimports.gameplay.value import MAX_PLY, WIN
else:
    from gameplay.search.trace import EXPAND, GENERATE, GOAL, NEW_THRESHOLD, THRESHOLD
    from gameplay.value import MAX_PLY, WIN


class PathSearch(RootSearch):
    """One search of one position that is not a goal. Engines define `run`."""

    def __init__(self, kernel: Kernel, control):
        RootSearch.__init__(self, kernel, control)
        self.expanded = self.reopened = self.memory = 0
        self.thresholds = ()
        self.excess = self.depth = self.threshold = 0
        self.cut = self.blind = False
        self.priced = kernel.has_costs
        if not cython.compiled:
            self.line = [0] * (MAX_PLY + 1)
        if kernel.max_moves:
            kernel.reserve((MAX_PLY + 2) * kernel.max_moves)

    # -- for engines to override -----------------------------------------------------------------

    def run(self, depth):
        """Search until a cheapest path of at most `depth` moves is found, or until stopped."""
        raise NotImplementedError

    def expand(self, kernel, base, room, last):
        """Write the moves to try within `room` to the stack, count them, and return their end.

        last: the move that led to the position; -1 at the root.
        """
        return base

    def visit(self, kernel, base, end, ply, room, last):
        """True if there is a goal within `room` below a position; `line` then holds the path to it.

        The moves to try are kernel.stack[base:end].
        """
        return False

    # -- shared ----------------------------------------------------------------------------------

    def reaches_goal(self, kernel, move, ply):
        """True if the move leads to a goal, at `ply`."""
        kernel.push(move)
        goal: cython.bint = kernel.result() != 0 and kernel.payoff(0) > 0
        kernel.pop(move)
        if goal:
            self.seldepth = ply
        return goal

    def count_later_moves(self, kernel, base, last, move):
        """The number of moves listed after `move`, except the inverse of `last`."""
        end: cython.int = kernel.gen(base)
        count: cython.longlong = 0
        i: cython.int
        behind: cython.bint = False
        for i in range(base, end):
            if behind and not (last >= 0 and kernel.is_inverse(last, kernel.stack[i])):
                count += 1
            behind = behind or kernel.stack[i] == move
        return count

    def descend(self, room: cython.int):
        """Search the root with a new threshold; true if a goal was found. Counts the root once."""
        kernel: Kernel = self.kernel
        reached: cython.bint = False
        count: cython.int = 0
        i: cython.int
        self.thresholds = (*self.thresholds, room)
        self.threshold = room
        self.cut = False
        self.excess = 0
        if not self.nodes:
            self.count()
        self.best = ((Candidate(self.moves[0], -room, "upper"),), room, False)
        if self.tracing:
            self.emit(NEW_THRESHOLD, 0, -1, room, 0, -1)
            self.emit_expanded(kernel, 0, -1, room)
        end: cython.int = self.expand(kernel, 0, room, -1)
        chosen = set(self.moves)
        for i in range(end):  # the limit may name the moves to search
            if kernel.stack[i] in chosen:
                kernel.stack[count], kernel.weight[count] = kernel.stack[i], kernel.weight[i]
                count += 1
        end = count
        if kernel.python:
            reached = self.visit(kernel, 0, end, 0, room, -1)
        else:
            with cython.nogil:
                reached = self.visit(kernel, 0, end, 0, room, -1)
        self.check()
        return reached

    def set_solution(self, line, cost):
        """Record a cheapest path: the search is complete."""
        self.best = ((Candidate(line[0], -int(cost), pv=tuple(line), proven=True),), int(cost), True)
        self.seldepth = len(line)
        self.control.halt("solved")

    def solution(self):
        """The path that `visit` found, from the root to the goal."""
        i: cython.int
        return [self.line[i] for i in range(self.seldepth)]

    def set_unsolvable(self):
        """Record that there is no solution, unless paths were cut at the depth limit."""
        if not self.cut:
            self.best = ((Candidate(self.moves[0], -WIN, proven=True),), 0, True)
            self.control.halt("proven")

    def report(self):
        """The result so far."""
        candidates, cost, exact = self.best
        return Report.of(
            candidates,
            depth=cost,
            seldepth=self.seldepth,
            nodes=self.nodes,
            expanded=self.expanded,
            reopened=self.reopened,
            thresholds=self.thresholds,
            memory=self.memory,
            exact=exact,
        )

    # -- the trace -------------------------------------------------------------------------------

    def emit(self, what, ply, move, value, why, node):
        """Report a step: `what` and `why` as numbered in `search.trace`."""
        with cython.gil:
            try:
                names = (steps.EVENTS[what], steps.REASONS[why])
                self.trace(steps.TraceEvent(names[0], ply, move, value=value, why=names[1], node=node))
            except BaseException as error:
                self.fail(error)

    def emit_expanded(self, kernel, ply, move, room):
        """Report that the position after `move` is expanded."""
        estimate: cython.int = 0 if self.blind else kernel.remaining()
        self.emit(EXPAND, ply, move, self.threshold - room + estimate, 0, -1)

    def emit_moves(self, kernel, base, ply, last, room, after, to):
        """Report the moves of a position after the move `after` (-1: all), up to `to` (-1: the last)."""
        end: cython.int = kernel.gen(base)
        is_after: cython.bint = after < 0
        cost: cython.int = 1
        i: cython.int
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            if is_after and not (last >= 0 and kernel.is_inverse(last, move)):
                if self.priced:
                    cost = kernel.price(move)
                kernel.push(move)
                total: cython.int = cost + kernel.remaining()
                goal: cython.bint = kernel.result() != 0 and kernel.payoff(0) > 0
                kernel.pop(move)
                why: cython.int = THRESHOLD if total > room else GOAL if goal else 0
                self.emit(GENERATE, ply, move, self.threshold - room + total, why, -1)
            is_after = is_after or move == after
            if move == to:
                return
