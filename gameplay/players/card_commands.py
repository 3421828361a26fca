"""The commands of card games: the last trick, the auction."""

from gameplay.capabilities import HasBidding, HasTricks
from gameplay.players.commands import Answer, Command
from gameplay.players.player import MatchControl


def _trick(match: MatchControl, _: str) -> Answer:
    position = match.position
    assert isinstance(position, HasTricks)
    return Answer(match.ask("last_trick()", position.last_trick) or "no trick of this deal is complete yet")


def _auction(match: MatchControl, _: str) -> Answer:
    position = match.position
    assert isinstance(position, HasBidding)
    return Answer("\n".join(match.ask("auction()", position.auction)) or "no call has been made")


COMMANDS = (
    Command("trick", "", "the last trick (F7)", _trick, needs=HasTricks),
    Command("auction", "", "the calls and their meanings", _auction, needs=HasBidding),
)
