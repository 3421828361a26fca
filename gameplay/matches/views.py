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

HIDDEN_MOVE = "?"  # the word of a move hidden from a seat


def format_line(position: AbstractPosition, line: Sequence[int]) -> list[str]:
    """The legal beginning of a line of moves, in notation; the moves are made on `position`."""
    words = []
    for move in line:
        if position.outcome() is not None or move not in position.moves():
            break
        words.append(position.format(move))
        position.make(move)
    return words


class Referee(MatchControl, Protocol):
    """The interface of a match that a view requires, in addition to `MatchControl`."""

    @property
    def position(self) -> AbstractPosition: ...

    def replica(self, plies: int | None = None) -> AbstractPosition: ...

    @property
    def clock(self) -> "Clock | None": ...

    def seed_for(self, *parts: object) -> int:
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
        self._sample: tuple[tuple[int, ...], AbstractPosition] | None = None  # sampled after these moves

    # -- public information --------------------------------------------------------------------

    # As in the match, see `MatchControl`.
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
        return self._match.seed if self.sees_all else self._match.seed_for("player", self.seat)

    def over(self) -> bool:
        """True if the match is over."""
        return self._match.over()

    def side(self, player: int) -> str:
        """The name of a player's side in this game."""
        return self._match.side(player)

    def call_game(self, what: str, call: Callable[..., Answer], *arguments: object) -> Answer:
        """Call the game's own code, as `Match.call_game`."""
        return self._match.call_game(what, call, *arguments)

    def watch(self, report: "Report") -> bool:
        """Called by engines: pass a report to every listener; true if the search should stop."""
        return self._match.watch(report)

    # -- information of the seat -----------------------------------------------------------------

    @property
    def sees_all(self) -> bool:
        """True if nothing is hidden from this seat."""
        return self.seat is None or not self._match.secrets

    @property
    def position(self) -> AbstractPosition:
        """The match's position, read-only; if information is hidden, a sampled consistent one."""
        if self.sees_all:
            return self._match.position
        moves = tuple(turn.move for turn in self._match.turns)
        if self._sample is None or self._sample[0] != moves:
            self._sample = (moves, self.replica())
        return self._sample[1]

    def replica(self, plies: int | None = None) -> AbstractPosition:
        """An independent copy of `position` to search on, or of the position after `plies` moves.

        If information is hidden from this seat, only the current position is available.
        """
        match = self._match
        if self.sees_all:
            return match.replica(plies)
        if plies not in (None, len(match.turns)):
            raise ValueError("a view of an imperfect-information game has only the current position")
        rng = Random(match.seed_for("view", self.seat))
        position: AbstractPosition = match.call_game(
            "determinize()", match.position.determinize, self.seat, rng
        )
        return position

    def moves(self) -> Sequence[int]:
        """The legal moves; none if another player is to move and information is hidden."""
        return self._match.moves() if self.sees_all or self.seat == self.turn else []

    @property
    def turns(self) -> Sequence[Turn]:
        """The moves made, without those hidden from the seat and without the reports of other players."""
        return self._match.turns if self.sees_all else list(map(self._redact, self._match.turns))

    def _redact(self, turn: Turn) -> Turn:
        if turn.player == self.seat:
            return turn
        if self.seat in turn.unseen:
            return structs.replace(turn, move=-1, word=HIDDEN_MOVE, report=None, news=())
        return turn if turn.report is None else structs.replace(turn, report=None)

    def words(self) -> list[str]:
        """The moves made, in the game's notation."""
        return [turn.word for turn in self.turns]

    def spell(self, line: Sequence[int], plies: int | None = None) -> list[str]:
        """A line of moves in notation, from the position after `plies` moves (None: the current one)."""
        if not self.sees_all and plies not in (None, len(self._match.turns)):
            return []  # earlier samples are not stored
        return self._match.spell(line, plies) if self.sees_all else format_line(self.replica(), line)

    def board(self) -> Board | None:
        """The drawing of the position, without information hidden from the seat."""
        return self._match.board(None if self.sees_all else self.seat)

    def show(self) -> str:
        """The position as text, without information hidden from the seat."""
        return self._match.show(None if self.sees_all else self.seat)

    # -- actions other than moves ----------------------------------------------------------------

    def undo(self, plies: int = 1) -> int:
        """Take back up to `plies` moves; returns their number."""
        return self._match.undo(plies)

    def redo(self, plies: int = 1) -> int:
        """Make again up to `plies` moves that were taken back; returns their number."""
        return self._match.redo(plies)

    def restart(self) -> None:
        """Return to the start."""
        self._match.restart()

    def decided(self) -> bool:
        """True if a forfeit defines the payoffs of all players."""
        return self._match.decided()

    def check_resignation(self, player: int) -> None:
        """Raise Usage if the payoffs would be undefined, or if resigning is not possible now."""
        self._match.check_resignation(player)

    def resign(self, player: int) -> None:
        """Resign for a player. Raises Usage as `check_resignation`."""
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
