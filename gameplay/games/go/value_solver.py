"""The value of Go positions on small boards, from yes-no questions to `solver.py`.

The winner takes one question, or two if the komi allows a draw. If the margin counts, the lead is searched
from the last one upwards or downwards. The distance to the end is not computed: a win is TB_WIN.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Protocol

from gameplay.games.go.solver import GoSolver
from gameplay.value import INF, TB_WIN

if TYPE_CHECKING:
    from gameplay.capabilities import StopSignal

HALF = 5  # half a point, in the unit of the game
LOG2_TABLES = 3  # log2 of the number of tables if the margin counts

Rows = tuple[tuple[str, ...], ...]  # of a board, from the top, as of `Go.stones`


class GoPosition(Protocol):
    """The methods used of a Go position."""

    @property
    def turn(self) -> int: ...

    @property
    def area(self) -> int: ...

    def solver_state(self) -> tuple[Rows, bool, int, Collection[Rows]]: ...


class GoValueSolver:
    """Values positions of one game of Go by positional superko; see `gameplay.search.solver.Solver`."""

    def __init__(self, columns: int, rows: int, size: int, half_points: int, counted: bool) -> None:
        """size: 2**size entries of 8 bytes in all tables together.

        half_points: White's compensation in half points. counted: the margin counts, not just the winner.
        """
        self.half_points, self.counted = half_points, counted
        # Log2 of the number of tables, one a question.
        shares = LOG2_TABLES if counted else 1 - half_points % 2
        self.columns, self.rows, self.size, self.max_tables = columns, rows, size - 1 - shares, 1 << shares
        self.guess = 0  # the last lead
        self.solvers: dict[int, Any] = {}  # by Black's lead in the question, the latest last
        self.nodes = self.node_limit = 0
        self.control: StopSignal | None = None

    def value(self, position: GoPosition, low: int = -INF, high: int = INF) -> int | None:
        """The value from the mover's view; outside (`low`, `high`) a bound; None if stopped."""
        if position.turn:
            low, high = -high, -low
        if self.counted:
            lead = self._lead(position, _margin(low, self.half_points), -_margin(-high, -self.half_points))
            value = None if lead is None else HALF * (2 * lead - self.half_points)
        else:
            value = self._winner(position, low, high)
        return -value if value and position.turn else value

    def _winner(self, position: GoPosition, low: int, high: int) -> int | None:
        """TB_WIN if Black wins, -TB_WIN if White does, 0 for a draw."""
        level, odd = divmod(self.half_points, 2)
        if odd or high > 0:
            won = self._can_lead(position, level + 1)
            if won is None or won:
                return won and TB_WIN
        if odd:
            return -TB_WIN
        if low >= 0:
            return 0
        can_draw = self._can_lead(position, level)
        return None if can_draw is None else 0 if can_draw else -TB_WIN

    def _lead(self, position: GoPosition, low: int, high: int) -> int | None:
        """The lead that Black can force, in points by area; outside (`low`, `high`) a bound."""
        area: int = position.area
        low, high = max(-area, low), min(area, high)
        margin, step = self.guess, 1
        sides = set()
        while low < high:
            margin = max(low + 1, min(margin, high))
            reached = self._can_lead(position, margin)
            if reached is None:
                return None
            sides.add(reached)
            low, high = (margin, high) if reached else (low, margin - 1)
            margin = (low + high + 1) // 2 if len(sides) > 1 else margin + step if reached else margin - step
            step *= 2
        self.guess = low
        return low

    def _can_lead(self, position: GoPosition, margin: int) -> bool | None:
        """True if Black can force this lead, in points by area; None if stopped."""
        if abs(margin) > position.area:
            return margin < 0
        solver = self.solvers.pop(margin, None)
        if solver is None and len(self.solvers) == self.max_tables:
            solver = self.solvers.pop(next(iter(self.solvers)))
        if solver is None:
            solver = GoSolver(self.columns, self.rows, self.size)
        self.solvers[margin] = solver
        before = solver.nodes
        solver.stopped, solver.control = False, self.control
        solver.node_limit = before + max(1, self.node_limit - self.nodes) if self.node_limit else 0
        stones, passed, ko, past = position.solver_state()
        proved: bool | None = solver.proves(stones, position.turn, 0, margin, True, passed, ko, past)
        self.nodes += solver.nodes - before
        return proved


def _margin(value: int, half_points: int) -> int:
    """Black's greatest lead, in points by area, whose value is at most `value`."""
    return (value // HALF + half_points) // 2
