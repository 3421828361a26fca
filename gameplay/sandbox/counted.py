"""A position handed to user code that counts the moves made on it, and whether it came back as it was.

On request it keeps the lines that were visited, and has no static evaluation.
"""

from collections.abc import Hashable
from copy import deepcopy
from typing import Any

from gameplay.search.narrowed import Handed, Narrowed

Facts = tuple[int, Hashable, list[int]]  # turn, key and moves of a position
Line = tuple[int, ...]
WITHHELD = ("evaluate", "evaluate_for", "score")
MAX_LINES = 5_000  # that are kept of one search


class Counted(Narrowed):
    """A position that counts the moves made on it and on all its copies."""

    def __init__(self, position: Handed, counter: "Counter", line: Line = ()) -> None:
        super().__init__(position, (), made=1)  # at no root: all moves are there
        object.__setattr__(self, "_counter", counter)
        object.__setattr__(self, "_line", list(line))

    def make(self, move: int) -> None:
        """Make a move, and count it."""
        counter: Counter = self._counter
        counter.made += 1
        super().make(move)
        if counter.follows:
            self._line.append(move)
            if len(counter.lines) < MAX_LINES:
                counter.lines[tuple(self._line)] = None

    def unmake(self) -> None:
        """Take the last one back."""
        super().unmake()
        if self._line:
            self._line.pop()

    def twin(self) -> "Counted":
        """A copy that counts along."""
        return type(self)(deepcopy(self._position), self._counter, self._line)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Counted":
        return self.twin()

    __copy__ = twin

    def no_help(self, *arguments: object) -> None:
        """None, which means that the game knows nothing: its own solvers are not for user code."""

    solver = dealt_solver = advice = rule_of_thumb = finish = no_help


class Unjudged(Counted):
    """... that has no static evaluation."""

    def __getattr__(self, name: str) -> Any:
        if name in WITHHELD:
            raise AttributeError(f"{name} is withheld in this assignment: write an evaluation of your own")
        return super().__getattr__(name)


class Counter:
    """What user code did with the positions that it was handed."""

    def __init__(self, follows: bool = False, withheld: bool = False) -> None:
        self.made = 0  # moves
        self.follows = follows
        self.withheld = withheld  # positions have no static evaluation
        self.lines: dict[Line, None] = {}  # to the positions that were visited, in order, where it `follows`
        self.positions: list[
            tuple[Handed, tuple[int, Hashable, list[int]]]
        ] = []  # handed out, and what they were

    def watches(self, position: Handed) -> None:
        """Look at it again in `disturbed`."""
        self.positions.append((position, _facts(position)))

    def wrap(self, position: Handed) -> Counted:
        """A position to hand to user code."""
        self.watches(position)
        return (Unjudged if self.withheld else Counted)(position, self)

    def disturbed(self) -> str:
        """How a position differs from what it was; "" if none does."""
        for position, before in self.positions:
            after = _facts(position)
            if after != before:
                return f"turn and key were {before[0]}, {before[1]!r}; {after[0]}, {after[1]!r}"
        return ""


def _facts(position: Handed) -> Facts:
    return position.turn, position.key(), list(position.moves())
