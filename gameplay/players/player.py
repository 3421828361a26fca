"""The interface of players: what they see of a match, and the move that they return."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

import msgspec

from gameplay.board import Board
from gameplay.position import AbstractPosition
from gameplay.registry import Game
from gameplay.search.limit import Limit
from gameplay.search.report import Report

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

Answer = TypeVar("Answer")


class Choice(msgspec.Struct, frozen=True):
    """A move, and the report of the search that found it."""

    move: int
    report: Report | None = None


class Turn(msgspec.Struct, frozen=True):
    """A move as it was made. `player` is CHANCE for dice and deals."""

    player: int
    move: int
    word: str
    report: Report | None = None
    seconds: float | None = None  # that it took by the match's clock
    unseen: tuple[int, ...] = ()  # seats that do not know which move it was
    news: tuple[str, ...] = ()  # what it brought about, in sentences
    dice: tuple[int, ...] = ()  # of a chance move: all that could have come


class ClockView(Protocol):
    """The clocks of a match; times in seconds, infinite where none runs. See `gameplay.matches.clock`."""

    margin: float

    @property
    def paused(self) -> bool: ...

    def pause(self) -> None: ...

    def go_on(self) -> None: ...

    def fallen(self) -> bool: ...

    def start(self, player: int) -> None: ...

    def runs(self, player: int) -> bool: ...

    def each(self, player: int) -> bool: ...

    def remaining(self, player: int) -> float: ...

    def allowance(self, player: int) -> float: ...

    def bonus(self, player: int) -> float: ...

    def moves_to_go(self, player: int) -> int: ...

    def seconds(self, player: int) -> float: ...

    def face(self, player: int) -> object:
        """What the player's clock shows, its text by `str`; None without one."""
        ...


class MatchView(Protocol):
    """What players see of a match, and what they may do besides moving."""

    @property
    def game(self) -> Game: ...

    @property
    def start(self) -> str:
        """Where the match began, as the game writes positions; "" for the usual start."""
        ...

    @property
    def seat(self) -> int | None:
        """The seat whose view it is; None: an observer with full information."""
        ...

    @property
    def turn(self) -> int:
        """The player to move."""
        ...

    @property
    def secrets(self) -> bool:
        """True while something is hidden from a player."""
        ...

    @property
    def position(self) -> AbstractPosition:
        """The position as the seat may know it; read-only."""
        ...

    @property
    def turns(self) -> Sequence[Turn]:
        """The moves made."""
        ...

    @property
    def clock(self) -> ClockView | None: ...

    @property
    def players(self) -> Sequence["Player"]: ...

    @property
    def payoffs(self) -> tuple[float, ...] | None:
        """The payoffs, once it is over."""
        ...

    def words(self) -> list[str]:
        """The moves made, in notation."""
        ...

    def moves(self) -> Sequence[int]:
        """The legal moves."""
        ...

    def over(self) -> bool: ...

    def show(self) -> str:
        """The position as text, as the seat may see it."""
        ...

    def replica(self, plies: int | None = None) -> AbstractPosition:
        """A copy of the position after so many moves (None: now), to search."""
        ...

    def watch(self, report: Report) -> bool:
        """Pass on a search report; true if the search should stop."""
        ...

    def ask(self, what: str, call: Callable[..., Answer], *arguments: object) -> Answer:
        """Call the game's code; an exception becomes a Fault that names `what` and where."""
        ...

    def check_resignation(self, player: int) -> None: ...

    def resign(self, player: int) -> None: ...

    def draw(self, claimed: bool = ...) -> None:
        """End it as a draw, agreed or claimed by a rule."""
        ...


def after_moves(match: MatchView) -> str:
    """Where in a match something happened, for messages."""
    words = match.words()
    return f', after the moves "{" ".join(words)}"' if words else ", at the start"


class MatchControl(MatchView, Protocol):
    """A match as its user controls it, with undo."""

    @property
    def reason(self) -> str:
        """Why it is over, as `Match.reason`; an empty string in progress."""
        ...

    @property
    def note(self) -> str:
        """More about how it ended."""
        ...

    @property
    def seed(self) -> int: ...

    @property
    def taken_back(self) -> int:
        """Moves taken back, in a game of imperfect information."""
        ...

    def side(self, player: int) -> str: ...

    def board(self) -> Board | None:
        """How to draw it, as the seat may see it."""
        ...

    def spell(self, line: Sequence[int], plies: int | None = None) -> list[str]: ...

    def undo(self, plies: int = ...) -> int: ...

    def redo(self, plies: int = ...) -> int: ...

    def restart(self) -> None: ...

    def count(self, payoffs: Sequence[float], margin: float, note: str) -> None:
        """Set a result other than that of the rules: the players agree."""
        ...

    def leave(self) -> None: ...


class Player:
    """A player chooses moves: subclasses define `spec`, `name` and `choose`.

    All other methods have defaults.
    """

    spec: str  # finds the same player again: `human`, `alphabeta:depth=6`
    name: str  # for people
    called: str = ""  # a person's own name
    label: str = ""  # what a match of several games calls it, where several of its players are alike
    limit: Limit | None = None  # of a move, where it is one that searches
    resigns = True  # it may give up, where it does so at all
    lasts: bool = False  # it serves any number of games, one after the other, until `close`

    def choose(self, match: MatchControl) -> Choice | None:
        """Choose a legal move for the player on turn.

        None: the player changed the match instead (undo, resign, quit).
        """
        raise NotImplementedError

    def begin(self, match: MatchView) -> None:
        """Prepare for a match, or for another one."""

    def reseed(self, seed: int) -> None:
        """Reseed the random choices for the next game."""

    def resume(self, match: MatchView) -> None:
        """Continue a match after moves that this player made earlier."""

    def ponder(self, match: MatchView, report: Report | None) -> None:
        """Called after the player's move, found by the search of `report`: ponder."""

    def rest(self) -> None:
        """Stop pondering until the next `choose`."""

    def allow(self, seconds: float) -> None:
        """Set the time limit of a move for a player whose spec has none, without a clock."""

    def accepts_draw(self, match: MatchView) -> bool:
        """Whether the player accepts a draw offered by the opponent, who is to move."""
        return False

    def offers_draw(self, match: MatchView) -> bool:
        """Whether the player offers a draw with the move that they have just made."""
        return False

    def contradiction(self, match: MatchView) -> str:
        """The player's claim about the winner, if it contradicts the rules; "" if it agrees or makes none."""
        return ""

    @property
    def engine(self) -> "Engine | None":
        """The engine that searches, if it is one of this program."""
        return None

    def use(self, engine: "Engine") -> None:
        """Replace the engine, if it is one of this program."""
        raise NotImplementedError

    def nudge(self) -> None:
        """Have the `watch` of a search called now, from any thread."""

    def close(self) -> None:
        """Release the player's resources. Called by the owner of the player."""
