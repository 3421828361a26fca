"""A position with a restricted move list at the root, for engines that call `position.moves()`."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from gameplay.position import AbstractPosition

OWN = ("_position", "_root", "_made")


class Narrowed:
    """`position` with only `moves` at its root; otherwise unchanged."""

    def __init__(self, position: "Handed", moves: Sequence[int], made: int = 0) -> None:
        self._position = position
        self._root = moves
        self._made = made  # moves since the root

    def moves(self) -> list[int]:
        """The legal moves; at the root, the given ones."""
        found = self._position.moves()
        return list(found) if self._made else [move for move in found if move in self._root]

    def noisy(self) -> list[int]:
        """The noisy moves among `moves()`."""
        found = self._position.noisy()
        return list(found) if self._made else [move for move in found if move in self._root]

    def make(self, move: int) -> None:
        """Make a move."""
        self._position.make(move)
        self._made += 1

    def unmake(self) -> None:
        """Take back the last move."""
        self._position.unmake()
        self._made -= 1

    def twin(self) -> "Narrowed":
        """An independent copy."""
        return Narrowed(deepcopy(self._position), self._root, self._made)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Narrowed":
        return self.twin()

    __copy__ = twin

    def __getattr__(self, name: str) -> Any:
        if name in OWN:  # not set yet
            raise AttributeError(name)
        return getattr(self._position, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in OWN:
            object.__setattr__(self, name, value)
        else:
            setattr(self._position, name, value)

    def __str__(self) -> str:
        return str(self._position)

    def __repr__(self) -> str:
        return repr(self._position)


Handed = AbstractPosition | Narrowed  # type of the position passed to user code
