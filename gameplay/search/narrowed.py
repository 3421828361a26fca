"""A position of which some moves only are to be searched, for engines that ask the position for its moves."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from gameplay.position import AbstractPosition

OWN = ("_position", "_root", "_made")


class Narrowed:
    """`position` with no other moves at its root than `moves`; below it, and in all else, as it is."""

    def __init__(self, position: "Handed", moves: Sequence[int], made: int = 0) -> None:
        self._position = position
        self._root = moves
        self._made = made  # moves since the root

    def moves(self) -> list[int]:
        """The legal moves; of those at the root the ones that are asked for."""
        found = self._position.moves()
        return list(found) if self._made else [move for move in found if move in self._root]

    def noisy(self) -> list[int]:
        """The noisy ones among them."""
        found = self._position.noisy()
        return list(found) if self._made else [move for move in found if move in self._root]

    def make(self, move: int) -> None:
        """Make a move."""
        self._position.make(move)
        self._made += 1

    def unmake(self) -> None:
        """Take the last one back."""
        self._position.unmake()
        self._made -= 1

    def twin(self) -> "Narrowed":
        """The same, sharing nothing with this one."""
        return Narrowed(deepcopy(self._position), self._root, self._made)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Narrowed":
        return self.twin()

    __copy__ = twin

    def __getattr__(self, name: str) -> Any:
        if name in OWN:  # not there yet
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


Handed = AbstractPosition | Narrowed  # what user code gets
