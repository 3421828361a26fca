"""Hands of hold'em at one table: chips carry over, the blinds move on, a player without chips is out."""

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

from gameplay.errors import WrongParameter
from gameplay.position import AbstractPosition, side
from gameplay.scoring.rules import Fixture, MatchRules
from gameplay.scoring.scoresheet import PlayedGame

BIG_BLIND = 1  # its seat, with any number of players
OTHERS_FOLDED = "the others' folding"


@runtime_checkable
class HasChips(Protocol):
    """A hand before it is dealt."""

    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    antes: tuple[int, ...]


class Hands(MatchRules):
    """A number of hands, or until one player has all chips.

    The big blind moves on to the next player who has chips, so that each pays it once a round; the seats
    before it, the small blind and the button, are those of the players before them. Two players take turns.
    """

    name = "hands"
    words = "{} hands, chips carry over, the button moves on; a player without chips is out"
    game_name = "hand"
    unit_name = "chips"
    default_length = 20
    menu_lengths: ClassVar[tuple[int, ...]] = (20, 50)
    conceals = True

    def prepare(self, start: AbstractPosition) -> None:
        """Raises WrongParameter if players have different antes, which a moving button leaves undefined."""
        assert isinstance(start, HasChips)
        antes = set(start.antes)
        if len(antes) > 1:
            raise WrongParameter(
                "in a match all players pay the same ante; expected one number, as in antes=1"
            )
        self.stacks, self.blinds, self.ante = start.stacks, start.blinds, antes.pop()

    def scores(self, played: Sequence[PlayedGame]) -> tuple[float, ...]:
        """The stacks of the players."""
        return tuple(map(sum, zip(self.stacks, super().scores(played), strict=True)))

    def fixture(self, played: Sequence[PlayedGame]) -> Fixture | None:
        """The next hand, for the players who still have chips."""
        chips = self.scores(played)
        order = [player for player in range(self.players) if chips[player] > 0]
        if len(order) < 2 or self._is_last(len(played)):
            return None
        while order[BIG_BLIND] != self._big_blind_player(played):
            order.append(order.pop(0))
        if not played:
            return Fixture(tuple(order))
        times = self._blind_factor(len(played))
        blinds = [blind * times for blind in self.blinds[: len(order)]]
        parameters = {
            "players": len(order),
            "stacks": "/".join(f"{chips[player]:.0f}" for player in order),
            "blinds": "/".join(map(str, blinds)),
            "antes": self.ante * times,
        }
        return Fixture(tuple(order), {name: str(value) for name, value in parameters.items()})

    def _big_blind_player(self, played: Sequence[PlayedGame]) -> int:
        """The player who pays the big blind after those hands."""
        player = BIG_BLIND
        for hands in range(1, len(played) + 1):
            chips = self.scores(played[:hands])
            others = [(player + step) % self.players for step in range(1, self.players + 1)]
            player = next(other for other in others if chips[other] > 0)
        return player

    def _is_last(self, hands: int) -> bool:
        """True if the match is over after this many hands."""
        return hands >= self.length

    def _blind_factor(self, hands: int) -> int:
        """The factor of the blinds after this many hands."""
        return 1

    def facts(self, position: AbstractPosition, payoffs: Sequence[float]) -> dict[str, Any]:
        """The winners, and their hands at a showdown."""
        best = max(payoffs)
        winners = [side(position, seat) for seat, payoff in enumerate(payoffs) if payoff == best]
        if best <= 0 or len(winners) > 1:
            return {"note": "the pot was shared"}
        hand = position.ending()
        folded = hand == OTHERS_FOLDED
        return {"note": f"{winners[0]} won" + (", the others folded" if folded else f" with {hand}")}

    def score_text(self, score: float) -> str:
        return super().score_text(score) if score else "out"

    def heading(self, played: Sequence[PlayedGame]) -> str:
        return f"{super().heading(played)}, {self._describe_blinds(played)}"

    def _describe_blinds(self, played: Sequence[PlayedGame]) -> str:
        """The blinds of the next hand: `blinds 2/4`."""
        times = self._blind_factor(len(played))
        return f"blinds {'/'.join(str(blind * times) for blind in self.blinds[:2])}"


class Tournament(Hands):
    """Hands until one player has all chips; the blinds and antes double after so many hands."""

    name = "tournament"
    words = "until one player has all chips; the blinds double every {} hands"
    default_length = 10
    menu_lengths = (10,)

    def _is_last(self, hands: int) -> bool:
        return False

    def _blind_factor(self, hands: int) -> int:
        """Doubled at most until the big blind is all chips in the game."""
        most = max(1, sum(self.stacks) // max(self.blinds))
        return 1 << min(hands // self.length, most.bit_length() - 1)

    def heading(self, played: Sequence[PlayedGame]) -> str:
        return f"{self.game_name} {len(played) + 1}, {self._describe_blinds(played)}"
