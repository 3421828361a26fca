"""Rules of matches of several games: the next game, the scores, and the end of the match.

A game lists its kinds of matches (`HasMatchRules`); by default it has `BestOf`. Rules are stateless: they are
given the games played so far.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from gameplay.capabilities import StopSignal
from gameplay.position import AbstractPosition, side
from gameplay.scoring.scoresheet import PlayedGame


class Fixture(NamedTuple):
    """The next game of a match."""

    seats: tuple[int, ...]  # by seat of the game, the player of the match
    parameters: dict[str, str] = {}  # game parameters that differ from those of the match
    start: str = ""  # the start position as text; "": the standard one


class MatchRules:
    """A kind of match. start: the start of its first game. length: games or points, by kind."""

    name: ClassVar[str]  # as in `--match games:5`
    words: ClassVar[str]  # description, with {} for the length
    game_name: ClassVar[str] = "game"  # the term for a single game: hand, deal, board
    unit_name: ClassVar[str] = "points"  # of scores
    default_length: ClassVar[int]
    menu_lengths: ClassVar[tuple[int, ...]]  # lengths listed by the start menu
    max_length: ClassVar[int] = 1000
    min_length: ClassVar[int] = 1
    fewest_wins: ClassVar[bool] = False  # the lowest score wins
    any_start: ClassVar[bool] = False  # games may begin from any position
    solves: ClassVar[bool] = False  # a `solution` of each game is computed while it is played
    teams: ClassVar[Sequence[tuple[str, tuple[int, ...]]]] = ()  # names and players who score together
    conceals: ClassVar[bool] = False  # hands that were not shown stay hidden after their game

    def __init__(self, start: AbstractPosition, length: int) -> None:
        self.start = start
        self.players = start.players
        self.length = length
        self.prepare(start)

    def prepare(self, start: AbstractPosition) -> None:
        """Store what the rules need of the start. Raises WrongParameter if they do not support its game."""

    def fixture(self, played: Sequence[PlayedGame]) -> Fixture | None:
        """The next game; None if the match is over."""
        raise NotImplementedError

    def facts(self, position: AbstractPosition, payoffs: Sequence[float]) -> dict[str, Any]:
        """Facts of a finished game to store with its payoffs; see `note`."""
        best = max(payoffs)
        winners = [side(position, seat) for seat, payoff in enumerate(payoffs) if payoff == best]
        if len(winners) == len(payoffs):
            return {"note": "draw"}
        ending = position.ending() if position.outcome() is not None else ""
        return {"note": f"{' and '.join(winners)} won" + (f" by {ending}" if ending else "")}

    def ended(self, position: AbstractPosition, played: Sequence[PlayedGame]) -> Sequence[float] | None:
        """The payoffs of a game that is over before its position is terminal, else None.

        For positions that contain a match of several games.
        """
        return None

    def solution(self, position: AbstractPosition, control: StopSignal) -> dict[str, Any]:
        """Compute more facts from the position at the first player's first move; slow.

        Called on its own thread; returns soon after `control` is stopped.
        """
        return {}

    def unsolved_position(self, game: PlayedGame) -> str:
        """The position to compute the missing `solution` of a finished game from; "" if none is missing."""
        return ""

    def note(self, game: PlayedGame) -> str:
        """The note on a game in the score table."""
        return str(game.facts.get("note", ""))

    def remark(self, game: PlayedGame) -> str:
        """The message after a game; "" for none."""
        return ""

    def game_points(self, game: PlayedGame) -> tuple[float, ...]:
        """The points of each player of the match from a game."""
        return tuple(game.payoffs)

    def scores(self, played: Sequence[PlayedGame]) -> tuple[float, ...]:
        """The score of each player so far."""
        points = [self.game_points(game) for game in played]
        return tuple([sum(each) for each in zip(*points, strict=True)]) if points else (0.0,) * self.players

    def heading(self, played: Sequence[PlayedGame]) -> str:
        """The number of the next game: `game 2 of 5`."""
        return f"{self.game_name} {len(played) + 1} of {self.length}"

    def score_text(self, score: float) -> str:
        """Format a score."""
        return format_points(score)

    def winners(self, played: Sequence[PlayedGame]) -> list[int]:
        """The players with the best score; several if they are tied."""
        scores = self.scores(played)
        best = min(scores) if self.fewest_wins else max(scores)
        return [player for player, score in enumerate(scores) if score == best]

    def rotated_seats(self, games: int) -> tuple[int, ...]:
        """The seats after `games` games: after each, every player moves to the preceding seat."""
        return tuple([(seat + games) % self.players for seat in range(self.players)])


class BestOf(MatchRules):
    """Most wins in `length` games; sides change after each game. Shared wins, such as draws, are divided."""

    name = "games"
    words = "best of {} games, sides changing after each"
    unit_name = "games won"
    any_start = True
    default_length = 3
    menu_lengths = (3, 5, 7)

    def fixture(self, played: Sequence[PlayedGame]) -> Fixture | None:
        """The next game, unless the leader can no longer be caught."""
        remaining = self.length - len(played)
        first, second, *_ = sorted(self.scores(played), reverse=True)
        return Fixture(self.rotated_seats(len(played))) if remaining and first - second <= remaining else None

    def game_points(self, game: PlayedGame) -> tuple[float, ...]:
        best = max(game.payoffs)
        share = 1 / game.payoffs.count(best)
        return tuple([share if payoff == best else 0.0 for payoff in game.payoffs])


class Total(MatchRules):
    """Most points in `length` games together; sides change after each game."""

    name = "total"
    words = "{} games, the points of all together, sides changing after each"
    default_length = 10
    menu_lengths = (10, 50)
    any_start = True

    def fixture(self, played: Sequence[PlayedGame]) -> Fixture | None:
        return Fixture(self.rotated_seats(len(played))) if len(played) < self.length else None


@runtime_checkable
class HasMatchRules(Protocol):
    """Declares its own kinds of matches for `gameplay play --match` (hold'em, hearts, bridge)."""

    match_rules: tuple[type[MatchRules], ...]  # the default first


def kinds(game: type[AbstractPosition]) -> tuple[type[MatchRules], ...]:
    """The kinds of matches of a game, the default first."""
    return game.match_rules if isinstance(game, HasMatchRules) else (BestOf,)


def format_points(number: float) -> str:
    """Format a score: 3, 1.5, -40."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
