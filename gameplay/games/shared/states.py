"""Games whose state is one record, which a move replaces."""

from typing import Generic, Protocol, TypeVar

from gameplay.position import Position


class _HasTurn(Protocol):
    @property
    def turn(self) -> int: ...


State = TypeVar("State", bound=_HasTurn)


class StatePosition(Generic[State], Position):
    """A game with an immutable `state`: `make` puts the one before into `past`, `unmake` goes back to it."""

    state: State

    def __init__(self) -> None:
        super().__init__()
        self.past: list[State] = []

    def unmake(self) -> None:
        self.state = self.past.pop()
        self.turn = self.state.turn
