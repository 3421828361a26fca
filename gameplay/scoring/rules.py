"""The rules of matches of several games: which game is next, how the players stand, when the match is over.

A game lists the kinds of matches that it is played in (`HasMatchRules`); any other one has `BestOf`. Rules
keep no state: all they need is what was played so far.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from gameplay.capabilities import StopSignal
from gameplay.position import AbstractPosition, side
from gameplay.scoring.scoresheet import PlayedGame


class Fixture(NamedTuple):
    """The next game of a match."""

    seats: tuple[int, ...]  # by seat of the game, the player of the match
    parameters: dict[str, str] = {}  # of the game, where they differ from those that the match began with
    start: str = ""  # the position that it begins from, as text; "": the usual one


class MatchRules:
    """One kind of match. `start` is the start of its first game, `length` what it is limited to."""

    name: ClassVar[str]  # as in `--match games:5`
    words: ClassVar[str]  # what it is, with its length as {}
    game_name: ClassVar[str] = "game"  # what one game of it is called: a hand, a deal, a board
    unit_name: ClassVar[str] = "points"  # what is counted
    usual: ClassVar[int]  # length
    offered: ClassVar[tuple[int, ...]]  # lengths that the start menu lists
    most: ClassVar[int] = 1000
    least: ClassVar[int] = 1
    fewest_wins: ClassVar[bool] = False  # of what is counted
    any_start: ClassVar[bool] = False  # its games may all begin from a position other than the usual one
    solves: ClassVar[bool] = False  # a `solution` of each game is computed while it is played
    teams: ClassVar[Sequence[tuple[str, tuple[int, ...]]]] = ()  # players who score together, with a name
    conceals: ClassVar[bool] = False  # hands that were not shown stay hidden after their game

    def __init__(self, start: AbstractPosition, length: int) -> None:
        self.start = start
        self.players = start.players
        self.length = length
        self.prepare(start)

    def prepare(self, start: AbstractPosition) -> None:
        """Keep what these rules need of the start. Raises WrongParameter if its game cannot be played so."""

    def fixture(self, played: Sequence[PlayedGame]) -> Fixture | None:
        """The next game; None: the match is over."""
        raise NotImplementedError

    def facts(self, position: AbstractPosition, payoffs: Sequence[float]) -> dict[str, Any]:
        """What to remember of a game that is over, beside its payoffs; see `note`."""
        best = max(payoffs)
        winners = [side(position, seat) for seat, payoff in enumerate(payoffs) if payoff == best]
        if len(winners) == len(payoffs):
            return {"note": "draw"}
        ending = position.ending() if position.outcome() is not None else ""
        return {"note": f"{' and '.join(winners)} won" + (f" by {ending}" if ending else "")}

    def ended(self, position: AbstractPosition, played: Sequence[PlayedGame]) -> Sequence[float] | None:
        """The payoffs of a game that is over although its position goes on, else None.

        For games whose position holds a match of several games.
        """
        return None

    def solution(self, position: AbstractPosition, control: StopSignal) -> dict[str, Any]:
        """More facts about a game from its position when the first player moves; takes long.

        Runs on a thread of its own, and returns soon once `control` stops it.
        """
        return {}

    def unsolved(self, one: PlayedGame) -> str:
        """The position to solve a game from, as text, if it is over and its `solution` was not found yet."""
        return ""

    def note(self, one: PlayedGame) -> str:
        """What the table says of a game."""
        return str(one.facts.get("note", ""))

    def remark(self, one: PlayedGame) -> str:
        """What is said of a game when it is over; "" for nothing."""
        return ""

    def gains(self, one: PlayedGame) -> tuple[float, ...]:
        """What a game brought each player of the match."""
        return tuple(one.payoffs)

    def scores(self, played: Sequence[PlayedGame]) -> tuple[float, ...]:
        """What each player has by now."""
        gains = [self.gains(one) for one in played]
        return tuple([sum(each) for each in zip(*gains, strict=True)]) if gains else (0.0,) * self.players

    def heading(self, played: Sequence[PlayedGame]) -> str:
        """Which game of the match comes after those: `game 2 of 5`."""
        return f"{self.game_name} {len(played) + 1} of {self.length}"

    def score_text(self, score: float) -> str:
        """A score in words."""
        return count(score)

    def winners(self, played: Sequence[PlayedGame]) -> list[int]:
        """The players with the best score: several after an equal match."""
        scores = self.scores(played)
        best = min(scores) if self.fewest_wins else max(scores)
        return [player for player, score in enumerate(scores) if score == best]

    def rotated(self, games: int) -> tuple[int, ...]:
        """The seats after so many games: each player moves on to the seat before theirs."""
        return tuple([(seat + games) % self.players for seat in range(self.players)])


class BestOf(MatchRules):
    """Who wins most of so many games; sides change after each. A shared win, as a draw, is divided."""

    name = "games"
    words = "best of {} games, sides changing after each"
    unit_name = "games won"
    any_start = True
    usual = 3
    offered = (3, 5, 7)

    def fixture(self, played: Sequence[PlayedGame]) -> Fixture | None:
        """The next game, unless no player can catch up with the first any more."""
        left = self.length - len(played)
        first, second, *_ = sorted(self.scores(played), reverse=True)
        return Fixture(self.rotated(len(played))) if left and first - second <= left else None

    def gains(self, one: PlayedGame) -> tuple[float, ...]:
        best = max(one.payoffs)
        share = 1 / one.payoffs.count(best)
        return tuple([share if payoff == best else 0.0 for payoff in one.payoffs])


class Total(MatchRules):
    """Who gains most in so many games together; sides change after each."""

    name = "total"
    words = "{} games, the points of all together, sides changing after each"
    usual = 10
    offered = (10, 50)
    any_start = True

    def fixture(self, played: Sequence[PlayedGame]) -> Fixture | None:
        return Fixture(self.rotated(len(played))) if len(played) < self.length else None


@runtime_checkable
class HasMatchRules(Protocol):
    """Is played in matches of its own kinds: `gameplay play --match` (hold'em, hearts, bridge)."""

    match_rules: tuple[type[MatchRules], ...]  # the default first


def kinds(game: type[AbstractPosition]) -> tuple[type[MatchRules], ...]:
    """The kinds of matches that a game is played in, the default first."""
    return game.match_rules if isinstance(game, HasMatchRules) else (BestOf,)


def count(number: float) -> str:
    """A score as people write it: 3, 1.5, -40."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
