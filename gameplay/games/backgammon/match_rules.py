"""Backgammon matches: games with the doubling cube to a number of points.

The score, the cube and the Crawford rule are part of the position (`match_play.py`), so that engines take
them into account; this module splits a match into games.
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from gameplay.errors import WrongParameter
from gameplay.plural import plural
from gameplay.position import AbstractPosition, side
from gameplay.scoring.rules import Fixture, MatchRules
from gameplay.scoring.scoresheet import PlayedGame

MAX_MATCH = 64  # the longest match, in points


@runtime_checkable
class HasMatchScore(Protocol):
    """A position in a match."""

    match: int  # its length in points; 0: a single game
    cube: int

    def won_by(self) -> tuple[int, int]:
        """The match score."""
        ...


class ToPoints(MatchRules):
    """Games until a player has `length` points."""

    name = "points"
    words = "games to {} points, with the doubling cube and the Crawford rule"
    default_length = 5
    menu_lengths = (3, 5, 7, 11)
    max_length = MAX_MATCH

    def prepare(self, start: AbstractPosition) -> None:
        """Check the parameters. Raises WrongParameter if they set a match or a cube."""
        assert isinstance(start, HasMatchScore)
        if start.match or start.cube:
            raise WrongParameter(
                "a match sets the cube and its length; expected neither match nor cube. Try: leave them out"
            )

    def fixture(self, played: Sequence[PlayedGame]) -> Fixture | None:
        """The next game, with the same seats."""
        if max(self.scores(played)) >= self.length:
            return None
        start = str(played[-1].facts.get("next", "")) if played else ""
        return Fixture((0, 1), {"match": str(self.length)}, start)

    def game_points(self, game: PlayedGame) -> tuple[float, ...]:
        """The points of the winner."""
        return tuple([max(0.0, payoff) for payoff in game.payoffs])

    def ended(self, position: AbstractPosition, played: Sequence[PlayedGame]) -> tuple[float, ...] | None:
        """The points won in the game, once the match score has changed; else None."""
        assert isinstance(position, HasMatchScore)
        before, now = self.scores(played), position.won_by()
        won = [after - score for after, score in zip(now, before, strict=True)]
        return (won[0] - won[1], won[1] - won[0]) if any(won) else None

    def facts(self, position: AbstractPosition, payoffs: Sequence[float]) -> dict[str, Any]:
        """The points of the game, and the start of the next one."""
        winner = int(payoffs[1] > 0)
        points = plural(round(payoffs[winner]), "point")
        return {"note": f"{side(position, winner)} won {points}", "next": position.text()}

    def heading(self, played: Sequence[PlayedGame]) -> str:
        crawford = self._crawford(played)
        return f"game {len(played) + 1} to {plural(self.length, 'point')}{', Crawford game' * crawford}"

    def _crawford(self, played: Sequence[PlayedGame]) -> bool:
        """True if the next game is the Crawford game: a player has just come within a point of winning."""
        near = [max(self.scores(played[:games])) == self.length - 1 for games in range(len(played) + 1)]
        return self.length > 1 and near[-1] and not any(near[:-1])
