"""A position handed to user code that counts the moves made on it, and whether it came back as it was."""

from collections.abc import Hashable
from copy import deepcopy
from typing import Any

from gameplay.search.narrowed import Handed, Narrowed

Facts = tuple[int, Hashable, list[int]]  # turn, key and moves of a position


class Counted(Narrowed):
    """A position that counts the moves made on it and on all its copies."""

    def __init__(self, position: Handed, tally: list[int]) -> None:
        super().__init__(position, (), made=1)  # at no root: all moves are there
        object.__setattr__(self, "_tally", tally)

    def make(self, move: int) -> None:
        """Make a move, and count it."""
        self._tally[0] += 1
        super().make(move)

    def twin(self) -> "Counted":
        """A copy that counts along."""
        return Counted(deepcopy(self._position), self._tally)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Counted":
        return self.twin()

    __copy__ = twin

    def no_help(self, *arguments: object) -> None:
        """None, which means that the game knows nothing: its own solvers are not for user code."""

    solver = dealt_solver = advice = rule_of_thumb = finish = no_help


class Counter:
    """What user code did with the positions that it was handed."""

    def __init__(self) -> None:
        self.tally = [0]
        self.positions: list[
            tuple[Handed, tuple[int, Hashable, list[int]]]
        ] = []  # handed out, and what they were

    @property
    def made(self) -> int:
        """Moves made."""
        return self.tally[0]

    def watches(self, position: Handed) -> None:
        """Look at it again in `disturbed`."""
        self.positions.append((position, _facts(position)))

    def handed(self, position: Handed) -> Counted:
        """A position to hand to user code."""
        self.watches(position)
        return Counted(position, self.tally)

    def disturbed(self) -> str:
        """How a position differs from what it was; "" if none does."""
        for position, before in self.positions:
            after = _facts(position)
            if after != before:
                return f"turn and key were {before[0]}, {before[1]!r}; {after[0]}, {after[1]!r}"
        return ""


def _facts(position: Handed) -> Facts:
    return position.turn, position.key(), list(position.moves())
