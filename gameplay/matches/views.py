"""A match as seen from one seat, without the information hidden from that player.

In a game of perfect information a view returns the data of the match without copying. In one of imperfect
information its `position` is consistent with the seat's information, sampled by the game's `determinize` with
a seed of the match, and moves hidden from the seat have no word. After the game everything is visible.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter
from random import Random
from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import structs

from gameplay.board import Board
from gameplay.players.player import MatchControl, Turn
from gameplay.position import AbstractPosition

if TYPE_CHECKING:
    from gameplay.matches.clock import Clock
    from gameplay.search.report import Report

Answer = TypeVar("Answer")

HIDDEN_MOVE = "?"  # the word of a move that a seat did not see


def format_line(position: AbstractPosition, line: Sequence[int]) -> list[str]:
    """A line of moves in words, as far as they are legal; they are made on `position`."""
    words = []
    for move in line:
        if position.outcome() is not None or move not in position.moves():
            break
        words.append(position.format(move))
        position.make(move)
    return words


class Referee(MatchControl, Protocol):
    """What a view requires of its match in addition to the shared interface."""

    @property
    def position(self) -> AbstractPosition: ...

    def replica(self, plies: int | None = None) -> AbstractPosition: ...

    @property
    def clock(self) -> "Clock | None": ...

    def lot(self, *parts: object) -> int:
        """A seed that depends on the match's seed, the ply and `parts`."""
        ...

    def board(self, viewer: int | None = None) -> Board | None: ...

    def show(self, viewer: int | None = None) -> str: ...


class View:
    """A match as seen by the player at `seat`; None: by an observer with full information.

    It has the interface of a match that players and displays use.
    """

    def __init__(self, match: Referee, seat: int | None) -> None:
        self._match = match
        self.seat = seat
        self._possible: tuple[tuple[int, ...], AbstractPosition] | None = None  # sampled after these moves

    # -- public information --------------------------------------------------------------------

    # The same as of the match: see `MatchControl`.
    game = property(attrgetter("_match.game"))
    players = property(attrgetter("_match.players"))
    start = property(attrgetter("_match.start"))
    clock = property(attrgetter("_match.clock"))
    turn = property(attrgetter("_match.turn"))
    payoffs = property(attrgetter("_match.payoffs"))
    reason = property(attrgetter("_match.reason"))
    note = property(attrgetter("_match.note"))
    taken_back = property(attrgetter("_match.taken_back"))
    secrets = property(attrgetter("_match.secrets"))

    @property
    def seed(self) -> int:
        """A random seed: the match's; a separate one if the match's would reveal the deals."""
        return self._match.seed if self.whole else self._match.lot("player", self.seat)

    def over(self) -> bool:
        """True if the match is over."""
        return self._match.over()

    def side(self, player: int) -> str:
        """What a player is called in this game."""
        return self._match.side(player)

    def ask(self, what: str, call: Callable[..., Answer], *arguments: object) -> Answer:
        """Call the game's own code, as `Match.ask`."""
        return self._match.ask(what, call, *arguments)

    def watch(self, report: "Report") -> bool:
        """Called by engines: pass a report to every listener; true if the search should stop."""
        return self._match.watch(report)

    # -- information of the seat -----------------------------------------------------------------

    @property
    def whole(self) -> bool:
        """True if nothing is hidden from this seat."""
        return self.seat is None or not self._match.secrets

    @property
    def position(self) -> AbstractPosition:
        """The match's position, read-only; if information is hidden, a sampled consistent one."""
        if self.whole:
            return self._match.position
        made = tuple(turn.move for turn in self._match.turns)
        if self._possible is None or self._possible[0] != made:
            self._possible = (made, self.replica())
        return self._possible[1]

    def replica(self, plies: int | None = None) -> AbstractPosition:
        """An independent copy of `position` to search on, or of the position after `plies` moves.

        If information is hidden from this seat, only the current position is available.
        """
        match = self._match
        if self.whole:
            return match.replica(plies)
        if plies not in (None, len(match.turns)):
            raise ValueError("a view of an imperfect-information game knows only the current position")
        rng = Random(match.lot("view", self.seat))
        position: AbstractPosition = match.ask("determinize()", match.position.determinize, self.seat, rng)
        return position

    def moves(self) -> Sequence[int]:
        """The legal moves; none if another player is to move and information is hidden."""
        return self._match.moves() if self.whole or self.seat == self.turn else []

    @property
    def turns(self) -> Sequence[Turn]:
        """The moves made, see `redacted`."""
        return self._match.turns if self.whole else list(map(self._redacted, self._match.turns))

    def redacted(self, turn: Turn) -> Turn:
        """A turn without the reports of other players, and without a move hidden from the seat."""
        return turn if self.whole else self._redacted(turn)

    def _redacted(self, turn: Turn) -> Turn:
        """`redacted` for a seat with hidden information, which the caller has tested once for all turns."""
        if turn.player == self.seat:
            return turn
        if self.seat in turn.unseen:
            return structs.replace(turn, move=-1, word=HIDDEN_MOVE, report=None, news=())
        return turn if turn.report is None else structs.replace(turn, report=None)

    def words(self) -> list[str]:
        """The moves made since the start, in the game's notation."""
        return [turn.word for turn in self.turns]

    def spell(self, line: Sequence[int], plies: int | None = None) -> list[str]:
        """A line of moves in words, from the position after so many moves (None: now)."""
        if not self.whole and plies not in (None, len(self._match.turns)):
            return []  # earlier samples are not stored
        return self._match.spell(line, plies) if self.whole else format_line(self.replica(), line)

    def board(self) -> Board | None:
        """The drawing of the position, without information hidden from the seat."""
        return self._match.board(None if self.whole else self.seat)

    def show(self) -> str:
        """The position as text, without information hidden from the seat."""
        return self._match.show(None if self.whole else self.seat)

    # -- actions other than moves ----------------------------------------------------------------

    def undo(self, plies: int = 1) -> int:
        """Take back up to `plies` moves; returns how many were taken back."""
        return self._match.undo(plies)

    def redo(self, plies: int = 1) -> int:
        """Make again up to `plies` of the moves that were taken back; returns how many."""
        return self._match.redo(plies)

    def restart(self) -> None:
        """Return to the start."""
        self._match.restart()

    def check_resignation(self, player: int) -> None:
        """Raises Usage if the payoffs would be undefined, or if resigning is not possible now."""
        self._match.check_resignation(player)

    def resign(self, player: int) -> None:
        """Resign. Raises Usage as `check_resignation`."""
        self._match.resign(player)

    def draw(self, claimed: bool = False) -> None:
        """End the match as a draw, agreed or claimed by a rule. Raises Usage as `resign`."""
        self._match.draw(claimed)

    def count(self, payoffs: Sequence[float], margin: float, note: str) -> None:
        """Replace the payoffs by agreed ones, as `Match.count`."""
        self._match.count(payoffs, margin, note)

    def leave(self) -> None:
        """End the match without a result."""
        self._match.leave()
