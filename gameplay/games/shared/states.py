"""Games whose state is an immutable record, replaced by each move."""

from typing import Generic, Protocol, TypeVar

from gameplay.errors import NoMoveMade
from gameplay.games.shared.legality import checked
from gameplay.position import Position


class _HasTurn(Protocol):
    @property
    def turn(self) -> int: ...


State = TypeVar("State", bound=_HasTurn)


class StatePosition(Generic[State], Position):
    """A game with an immutable `state`, which `advance` replaces; `earlier_states` has those before."""

    state: State

    def __init__(self) -> None:
        super().__init__()
        self.earlier_states: list[State] = []

    def advance(self, move: int) -> None:
        """Set `state` to the state after a legal move."""
        raise NotImplementedError

    @checked
    def make(self, move: int) -> None:
        self.earlier_states.append(self.state)
        self.advance(move)
        self.turn = self.state.turn

    def unmake(self) -> None:
        if not self.earlier_states:
            raise NoMoveMade()
        self.state = self.earlier_states.pop()
        self.turn = self.state.turn
