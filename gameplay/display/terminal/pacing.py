"""Pauses between moves that a player would otherwise not see, because the next player moves at once."""

from typing import TYPE_CHECKING

from gameplay.capabilities import HasBidding, HasTricks
from gameplay.position import CHANCE

if TYPE_CHECKING:
    from gameplay.players.player import MatchControl, Turn

UNITS = {"instant": 0.0, "normal": 0.12, "slow": 0.6}  # seconds after a move, by the setting `pace`
EVENT = 4  # units after a move that brought something about: a call, a capture, a rent
TRICK = 8  # units after a trick: so long its cards lie on the table
MAX_UNITS = 10  # units between two turns of the player: with the search below 1.5 s at the normal pace


def in_deal(match: "MatchControl", turn: "Turn | None") -> bool:
    """True after a card that is dealt before another: the last one of a deal is waited for."""
    dealt = turn is not None and turn.player == CHANCE and match.position.hidden
    return dealt and not match.over() and match.turn == CHANCE


class Pacing:
    """How long each move is shown. All pauses between two turns of a person take MAX_UNITS at most."""

    def __init__(self, pace: str = "instant") -> None:
        self.pace = pace
        self.used = 0  # units since the last turn of a person

    def seconds(self, match: "MatchControl", turn: "Turn") -> float:
        """The pause after a move: none before a person's turn, after their own move, and after deals."""
        following = match.turn
        people = [player.spec == "human" for player in match.players]
        if match.over() or (following != CHANCE and people[following]):
            self.used = 0
            return 0.0
        own = turn.player != CHANCE and people[turn.player]
        deal = turn.player == CHANCE and match.position.hidden
        event = TRICK if _playing_tricks(match) else EVENT
        wanted = event if turn.news else 0 if own or deal else 1
        units = min(wanted, MAX_UNITS - self.used)
        self.used += units
        return units * UNITS[self.pace]


def _playing_tricks(match: "MatchControl") -> bool:
    position = match.position
    calling = isinstance(position, HasBidding) and position.calling
    return isinstance(position, HasTricks) and not calling
