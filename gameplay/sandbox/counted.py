"""Positions for user code that count the moves made, and checks that user code restores them.

Optionally they record the visited lines, and have no static evaluation.
"""

from collections.abc import Hashable
from copy import deepcopy
from typing import Any

from gameplay.search.narrowed import Handed, Narrowed

Facts = tuple[int, Hashable, list[int]]  # turn, key and moves of a position
Line = tuple[int, ...]
WITHHELD = ("evaluate", "evaluate_for", "score")
MAX_LINES = 5_000  # recorded per search


class CountedPosition(Narrowed):
    """A position that counts the moves made on it and on all its copies."""

    def __init__(self, position: Handed, counter: "Counter", line: Line = ()) -> None:
        super().__init__(position, (), made=1)  # ply 1: no restriction of root moves
        object.__setattr__(self, "_counter", counter)
        object.__setattr__(self, "_line", list(line))

    def make(self, move: int) -> None:
        """Make and count a move."""
        counter: Counter = self._counter
        counter.made += 1
        super().make(move)
        if counter.records_lines:
            self._line.append(move)
            if len(counter.lines) < MAX_LINES:
                counter.lines[tuple(self._line)] = None

    def unmake(self) -> None:
        """Undo the last move."""
        super().unmake()
        if self._line:
            self._line.pop()

    def twin(self) -> "CountedPosition":
        """A copy with the same counter."""
        return type(self)(deepcopy(self._position), self._counter, self._line)

    def __deepcopy__(self, memo: dict[int, Any]) -> "CountedPosition":
        return self.twin()

    __copy__ = twin

    def _unavailable(self, *arguments: object) -> None:
        """None: the game's solvers and advice are unavailable to user code."""

    solver = dealt_solver = advice = rule_of_thumb = finish = _unavailable


class UnevaluatedPosition(CountedPosition):
    """A counted position without a static evaluation."""

    def __getattr__(self, name: str) -> Any:
        if name in WITHHELD:
            raise AttributeError(f"{name} is withheld in this assignment. Try: your own evaluation")
        return super().__getattr__(name)


class Counter:
    """Counts the moves of user code, and records the positions passed to it."""

    def __init__(self, records_lines: bool = False, withheld: bool = False) -> None:
        self.made = 0  # moves
        self.records_lines = records_lines
        self.withheld = withheld  # positions have no static evaluation
        self.lines: dict[Line, None] = {}  # to visited positions, in order, if `records_lines`
        # With their states when passed to user code.
        self.positions: list[tuple[Handed, tuple[int, Hashable, list[int]]]] = []

    def record_state(self, position: Handed) -> None:
        """Look at it again in `disturbed`."""
        self.positions.append((position, _facts(position)))

    def wrap(self, position: Handed) -> CountedPosition:
        """Wrap a position for user code."""
        self.record_state(position)
        return (UnevaluatedPosition if self.withheld else CountedPosition)(position, self)

    def describe_change(self) -> str:
        """Describe how a position differs from its recorded state; "" if none does."""
        for position, before in self.positions:
            after = _facts(position)
            if after != before:
                return f"turn and key were {before[0]}, {before[1]!r}; {after[0]}, {after[1]!r}"
        return ""


def _facts(position: Handed) -> Facts:
    return position.turn, position.key(), list(position.moves())
