"""The state of a deal of bridge: hands, calls, contract, cards played."""

from typing import NamedTuple

from gameplay.games.bridge.score import Contract


class Deal(NamedTuple):
    """A state of the game."""

    turn: int
    hands: tuple[tuple[int, ...], ...] = ((), (), (), ())
    calls: tuple[int, ...] = ()
    contract: Contract | None = None  # once the auction has ended
    over: bool = False
    played: tuple[int, ...] = ()  # the cards, in order
    leads: tuple[int, ...] = ()  # the leader of each trick
    tricks: tuple[int, int] = (0, 0)  # of north and south, of east and west

    @property
    def trick(self) -> tuple[int, ...]:
        """The cards on the table."""
        return self.played[len(self.played) // 4 * 4 :]

    @property
    def hand(self) -> int:
        """The hand to play from."""
        return (self.leads[-1] + len(self.trick)) % 4

    @property
    def open(self) -> bool:
        """True if dummy's cards are open."""
        return bool(self.played)
