"""The interface of players: their view of a match, and the move that they return."""

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
    """A move of a match. `player` is CHANCE for dice and deals."""

    player: int
    move: int
    word: str
    report: Report | None = None
    seconds: float | None = None  # taken by the match's clock
    unseen: tuple[int, ...] = ()  # seats from which the move is hidden
    news: tuple[str, ...] = ()  # its consequences, in sentences
    dice: tuple[int, ...] = ()  # the possible outcomes of a chance move


class ClockView(Protocol):
    """The clocks of a match; times in seconds, infinite where none runs. See `gameplay.matches.clock`."""

    margin: float

    @property
    def paused(self) -> bool: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def flag_fallen(self) -> bool: ...

    def start(self, player: int) -> None: ...

    def runs(self, player: int) -> bool: ...

    def each(self, player: int) -> bool: ...

    def remaining(self, player: int) -> float: ...

    def allowance(self, player: int) -> float: ...

    def bonus(self, player: int) -> float: ...

    def moves_to_go(self, player: int) -> int: ...

    def seconds(self, player: int) -> float: ...

    def face(self, player: int) -> object:
        """The display of the player's clock, as text by `str`; None without one."""
        ...


class MatchView(Protocol):
    """A player's view of a match, with the actions other than moves."""

    @property
    def game(self) -> Game: ...

    @property
    def start(self) -> str:
        """The start position in the game's notation; "" for the standard one."""
        ...

    @property
    def seat(self) -> int | None:
        """The seat of the view; None: an observer with full information."""
        ...

    @property
    def turn(self) -> int:
        """The player to move."""
        ...

    @property
    def secrets(self) -> bool:
        """True while information is hidden from a player."""
        ...

    @property
    def position(self) -> AbstractPosition:
        """The position with the seat's information; read-only."""
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
        """The payoffs; None while the match is in progress."""
        ...

    def words(self) -> list[str]:
        """The moves made, in notation."""
        ...

    def moves(self) -> Sequence[int]:
        """The legal moves."""
        ...

    def over(self) -> bool: ...

    def show(self) -> str:
        """The position as text, with the seat's information."""
        ...

    def replica(self, plies: int | None = None) -> AbstractPosition:
        """A copy of the position after `plies` moves (None: all), to search."""
        ...

    def watch(self, report: Report) -> bool:
        """Report the progress of a search; true if it should stop."""
        ...

    def call_game(self, what: str, call: Callable[..., Answer], *arguments: object) -> Answer:
        """Call the game's code; an exception becomes a Fault that names `what` and the moves before it."""
        ...

    def decided(self) -> bool:
        """True if a forfeit defines the payoffs of all players."""
        ...

    def check_resignation(self, player: int) -> None: ...

    def resign(self, player: int) -> None: ...

    def draw(self, claimed: bool = ...) -> None:
        """End the match as a draw, agreed or claimed by a rule."""
        ...


def after_moves(match: MatchView) -> str:
    """The current point of a match, for messages."""
    words = match.words()
    return f', after the moves "{" ".join(words)}"' if words else ", at the start"


class MatchControl(MatchView, Protocol):
    """A match with the controls of its user, such as undo."""

    @property
    def reason(self) -> str:
        """Why it is over, as `Match.reason`; empty while it is in progress."""
        ...

    @property
    def note(self) -> str:
        """Details of the end."""
        ...

    @property
    def seed(self) -> int: ...

    @property
    def taken_back(self) -> int:
        """Moves taken back, in a game of imperfect information."""
        ...

    def side(self, player: int) -> str: ...

    def board(self) -> Board | None:
        """The board to draw, with the seat's information."""
        ...

    def spell(self, line: Sequence[int], plies: int | None = None) -> list[str]: ...

    def undo(self, plies: int = ...) -> int: ...

    def redo(self, plies: int = ...) -> int: ...

    def restart(self) -> None: ...

    def count(self, payoffs: Sequence[float], margin: float, note: str) -> None:
        """Set a result agreed by the players."""
        ...

    def leave(self) -> None: ...


class Player:
    """A player chooses moves: subclasses define `spec`, `name` and `choose`.

    All other methods have defaults.
    """

    spec: str  # recreates the player: `human`, `alphabeta:depth=6`
    name: str  # in messages
    display_name: str = ""  # a person's name
    label: str = ""  # distinguishes players with equal names in a match of several games
    limit: Limit | None = None  # per move, for players that search
    resigns = True  # an engine may resign
    reusable: bool = False  # one object plays any number of games in sequence, until `close`

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
        """Start pondering, after the player's move, found by the search of `report`."""

    def stop_pondering(self) -> None:
        """Stop pondering."""

    def set_move_timeout(self, seconds: float) -> None:
        """Set the time limit of a move, in seconds, for a player without a limit or clock."""

    def accepts_draw(self, match: MatchView) -> bool:
        """True if the player accepts a draw offered by the opponent, who is to move."""
        return False

    def offers_draw(self, match: MatchView) -> bool:
        """True if the player offers a draw with the move that they have just made."""
        return False

    def contradiction(self, match: MatchView) -> str:
        """The player's claim about the winner, if it contradicts the rules; "" if it agrees or makes none."""
        return ""

    @property
    def engine(self) -> "Engine | None":
        """The engine, if it is one of this program."""
        return None

    def use(self, engine: "Engine") -> None:
        """Replace the engine, if it is one of this program."""
        raise NotImplementedError

    def nudge(self) -> None:
        """Request a call of the search's `watch`, from any thread."""

    def reserve(self) -> None:
        """Allocate the memory of searches before a clock runs."""

    def close(self) -> None:
        """Release the player's resources. Called by the owner of the player."""
