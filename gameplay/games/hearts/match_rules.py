"""Hearts matches: deals until a player reaches a number of points, with rotating passing."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from gameplay.errors import WrongParameter
from gameplay.position import AbstractPosition, side
from gameplay.scoring.rules import Fixture, MatchRules
from gameplay.scoring.scoresheet import PlayedGame

ALL = 26  # points of a deal without the jack


@runtime_checkable
class HasPassing(Protocol):
    """Cards are passed on before the play."""

    directions: list[str]  # the directions in turn
    passing: str  # the first one
    moon: str
    points: int  # the target of the game itself; 0: one deal


class UntilPoints(MatchRules):
    """Deals until a player reaches a number of points; the fewest points win."""

    name = "points"
    words = "deals until a player has {} points; the fewest points win"
    game_name = "deal"
    default_length = 100
    menu_lengths = (50, 100)
    fewest_wins = True

    def prepare(self, start: AbstractPosition) -> None:
        """Raises WrongParameter for parameters that a match excludes."""
        assert isinstance(start, HasPassing)
        if start.points:
            raise WrongParameter("points and --match both make a game of several deals; expected one of them")
        if start.moon == "own":
            raise WrongParameter("moon=own may take points off for ever; expected moon=others in a match")
        start_index = start.directions.index(start.passing)
        self.directions = start.directions[start_index:] + start.directions[:start_index]

    def game_points(self, game: PlayedGame) -> tuple[float, ...]:
        """The points taken, the negated payoffs."""
        return tuple([-payoff or 0.0 for payoff in game.payoffs])

    def fixture(self, played: Sequence[PlayedGame]) -> Fixture | None:
        """The next deal, at the same seats."""
        if max(self.scores(played)) >= self.length:
            return None
        passing = {"passing": self._passing(played)} if played else {}
        return Fixture(tuple(range(self.players)), passing)

    def _passing(self, played: Sequence[PlayedGame]) -> str:
        return self.directions[len(played) % len(self.directions)]

    def heading(self, played: Sequence[PlayedGame]) -> str:
        direction = self._passing(played)
        passing = "no passing" if direction == "off" else f"passing {direction}"
        return f"deal {len(played) + 1} to {self.length} points, {passing}"

    def facts(self, position: AbstractPosition, payoffs: Sequence[float]) -> dict[str, Any]:
        """The player who shot the moon, if any."""
        shooter = max(range(len(payoffs)), key=lambda seat: payoffs[seat])
        shot = sum(payoffs) < -ALL  # the others get 26 points each
        return {"note": f"{side(position, shooter)} shot the moon"} if shot else {}
