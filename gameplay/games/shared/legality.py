"""A check of moves for games in Python: `make` raises IllegalMove, as that of a compiled game does."""

import functools
from collections.abc import Callable
from operator import index
from typing import TypeVar

from gameplay.capabilities import UNCHECKED
from gameplay.errors import IllegalMove
from gameplay.position import AbstractPosition

State = TypeVar("State", bound=AbstractPosition)


def checked(make: Callable[[State, int], None]) -> Callable[[State, int], None]:
    """Decorator of `make` that raises IllegalMove, before anything has changed, unless the move is legal.

    Searches make only legal moves, by `gameplay.capabilities.unchecked`.
    """

    @functools.wraps(make)
    def make_legal(self: State, move: int) -> None:
        if not _is_legal(self, move):
            raise IllegalMove(f"{move} is not a legal move here")
        make(self, index(move))

    UNCHECKED[make_legal] = make
    return make_legal


def _is_legal(position: AbstractPosition, move: object) -> bool:
    try:
        number = index(move)  # type: ignore[arg-type]
    except TypeError:
        return False
    if position.outcome() is not None:
        return False
    return number in position.moves() or number in (position.concessions() or ()) or position.allows(number)
