"""Pauses after moves that are followed at once by another player's move."""

from typing import TYPE_CHECKING

from gameplay.capabilities import HasBidding, HasTricks
from gameplay.position import CHANCE

if TYPE_CHECKING:
    from gameplay.players.player import MatchControl, Turn

UNITS = {"instant": 0.0, "normal": 0.12, "slow": 0.6}  # seconds after a move, by the setting `pace`
EVENT = 4  # units after a move with news: a call, a capture, a rent
TRICK = 8  # units after a trick
MAX_UNITS = 10  # units between two turns of a human: with the search below 1.5 s at the normal pace


def in_deal(match: "MatchControl", turn: "Turn | None") -> bool:
    """True after a card of a deal, except the last one."""
    is_deal = turn is not None and turn.player == CHANCE and match.position.hidden
    return is_deal and not match.over() and match.turn == CHANCE


class Pacing:
    """The time for which moves are shown; pauses between two turns of a human total MAX_UNITS at most."""

    def __init__(self, pace: str = "instant") -> None:
        self.pace = pace
        self.used = 0  # units since the last turn of a human

    def seconds(self, match: "MatchControl", turn: "Turn") -> float:
        """The pause after a move: none before a human's turn, after a human's move, or after deals."""
        is_human = [player.spec == "human" for player in match.players]
        if match.over() or (match.turn != CHANCE and is_human[match.turn]):
            self.used = 0
            return 0.0
        by_human = turn.player != CHANCE and is_human[turn.player]
        is_deal = turn.player == CHANCE and match.position.hidden
        event = TRICK if _is_trick_play(match) else EVENT
        units = event if turn.news else 0 if by_human or is_deal else 1
        units = min(units, MAX_UNITS - self.used)
        self.used += units
        return units * UNITS[self.pace]


def _is_trick_play(match: "MatchControl") -> bool:
    """True in trick-taking games, except during an auction."""
    position = match.position
    is_auction = isinstance(position, HasBidding) and position.calling
    return isinstance(position, HasTricks) and not is_auction
