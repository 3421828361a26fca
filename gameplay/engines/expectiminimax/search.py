# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Shared by searches for expected values: the root and the evaluation of leaves.  Types: search.pxd.

All values are from the view of MAX, the side to move at the root, in the game's own `unit`. `depth` counts
decisions: chance nodes cost no depth.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay import value as scale
from gameplay.adapter import PositionKernel
from gameplay.engines.expected import ExpectedSearch
from gameplay.evaluation import Evaluation
from gameplay.kernel import Kernel
from gameplay.search import trace as steps
from gameplay.search.report import Candidate

if cython.compiled:
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.search.trace import EVALUATE, KNOWN, LEAVE
    from cython.cimports.gameplay.value import HUGE
else:
    from gameplay.position import CHANCE
    from gameplay.search.trace import EVALUATE, KNOWN, LEAVE
    from gameplay.value import HUGE


class ExpectationSearch(ExpectedSearch):
    """A search of one position of a two-player zero-sum game. Subclasses define `root_move_value`."""

    def run(self, depth):
        kernel: Kernel = self.kernel
        self.maximizer = kernel.turn
        self.unit = kernel.unit
        self.half = 0.0 if kernel.scored or kernel.calibrated else scale.half_win(kernel.unit)
        position = kernel.position if isinstance(kernel, PositionKernel) else kernel
        selected = position.evaluation
        evaluation = selected or next(iter(position.evaluations.values()), None)
        self.exact = evaluation is not None and evaluation.exact
        # A user-defined evaluation may support only the mover's view.
        mover_only = (
            selected is not None
            and not selected.inside
            and type(selected).evaluate_for is Evaluation.evaluate_for
        )
        self.evaluates_chance_nodes = kernel.evaluates_chance_nodes and not mover_only
        self.low, self.high = bounds(kernel) or (-HUGE, HUGE)
        self.deepen(depth)

    def search_root(self, depth: cython.int):
        self.order_root(depth)
        if self.tracing:
            self.emit_window(self.kernel, 0, -1, depth, self.low, self.high)
        self.search_moves(depth, -HUGE)

    def try_move(self, kernel, base, move, depth, floor):
        self.root_value = self.root_move_value(kernel, base, move, depth, floor)
        return self.root_value > floor

    def candidate(self, move, depth, bound):
        return Candidate(move, float(self.root_value), bound, pv=self.pv(), proven=not self.horizon)

    def emit_root(self, best):
        self.emit_value(LEAVE, 0, -1, best.value, steps.BOUNDS.index("exact"))

    def pv(self):
        """The principal variation from the root."""
        i: cython.int
        return tuple([self.line[i] for i in range(self.frames[0].length)])

    def root_move_value(self, kernel, base, move, depth, floor):
        """MAX's expected value after a move of the root; a bound if it does not exceed `floor`."""
        return 0.0

    def evaluate_leaf(self, kernel, ply):
        """The evaluation, from MAX's view, clamped to the range of payoffs."""
        value: cython.double = kernel.score_for(self.maximizer)
        if self.half:
            value = self.unit * value / (abs(value) + self.half)
        elif value < self.low:
            value = self.low
        elif value > self.high:
            value = self.high
        self.horizon = self.horizon or not self.exact
        if self.tracing:
            self.emit_value(EVALUATE, ply, -1, value, 0)
        return value

    # -- the trace: values are the mover's; at chance nodes MAX's ------------------------------------

    def emit_window(self, kernel, ply, move, depth, alpha, beta):
        """Report that a position is reached, to be searched in a window."""
        with cython.gil:
            try:
                turned = self.is_min_node()
                a, b = (-beta, -alpha) if turned else (alpha, beta)
                self.trace(steps.TraceEvent("enter", ply, move, self.kernel.turn, depth, a, b))
            except BaseException as error:
                self.fail(error)

    def emit_value(self, what, ply, move, value, why):
        """Report a step at a position, with a value; `what` and `why` as numbered in `search.trace`."""
        with cython.gil:
            try:
                names = steps.BOUNDS if what <= KNOWN else steps.REASONS
                reason = names[why]
                if self.is_min_node():
                    value, reason = -value, scale.NEGATED.get(reason, reason)
                self.trace(steps.TraceEvent(steps.EVENTS[what], ply, move, value=value, why=reason))
            except BaseException as error:
                self.fail(error)

    def is_min_node(self):
        """True where MIN moves."""
        return self.kernel.turn not in (self.maximizer, CHANCE)


def bounds(position):
    """The minimum and maximum payoff of a player, times `unit`; None: the game does not define them.

    For zero-sum games of two: each bound follows from the other. In games without points the maximum is a
    win.
    """
    if not position.scored:
        return -float(position.unit), float(position.unit)
    low, high = position.low, position.high
    if low is None and high is None:
        return None
    low = -high if low is None else low
    high = -low if high is None else high
    return max(low, -high) * float(position.unit), min(high, -low) * float(position.unit)
