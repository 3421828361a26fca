"""A game at a lichess server, played by a person on the screens of `play`."""

import queue
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from msgspec import structs

from gameplay import specs
from gameplay.cli.common.session.game_session import GameSession
from gameplay.cli.common.session.seating import Seating
from gameplay.cli.common.width import echo_err
from gameplay.display.terminal.prompt import LineReader
from gameplay.display.terminal.screen import Screen
from gameplay.lichess.board import ALLOWED, SEAT, BoardGame, BoardInterpreter, BoardSeat
from gameplay.lichess.link import Link
from gameplay.players.commands import Command
from gameplay.store import saved, setups

if TYPE_CHECKING:
    from gameplay.display.theme import Theme
    from gameplay.matches.match import Match
    from gameplay.players.player import Player
    from gameplay.registry import Game

RECENT = 4  # lines of chat and offers beside the board
POLL_INTERVAL = 0.1  # seconds between two looks for news while a line is read
RULES = ("chess:automatic=off",)  # only the server ends a game as drawn


class LichessSession(GameSession):
    """One game, that of `link`, which is open."""

    def __init__(self, theme: "Theme", link: Link, full: bool = False) -> None:
        self.link = link
        shown = RECENT if theme.interactive else 0
        self.board = BoardGame(link, theme.interactive or sys.stdin.isatty(), shown)
        assert link.full is not None
        game, words = link.game(RULES)
        players = [str(player) for player in link.full.players]
        seated = [SEAT, SEAT]
        seated[link.seat] = specs.HUMAN
        table = Seating(game, seated, start=link.full.start, moves=words, names=players)
        table.path = saved.folder() / f"lichess-{link.name}.json"
        super().__init__(theme, table, full=full, notice=f"lichess {link.name}: {link.full.control}")
        if isinstance(self.input, LineReader):
            self.input.source = _NewsLines(sys.stdin, link.has_news)  # type: ignore[assignment]
            self.input.news = link.has_news

    def _interpreter(self) -> BoardInterpreter:
        interpreter = BoardInterpreter(self._session_commands(), setups)
        interpreter.table |= {command.name: command for command in self.board.commands()}
        leave = interpreter.table["quit"]
        interpreter.table["quit"] = structs.replace(leave, help="leave; the game goes on at the server")
        return interpreter

    def _session_commands(self) -> tuple[Command, ...]:
        shared = [command for command in super()._session_commands() if command.name in ALLOWED]
        return tuple(shared)

    def _set_up_view(self, full: bool) -> None:
        super()._set_up_view(full)
        self.view.news = self.link.has_news  # type: ignore[union-attr]

    def _new_match(self) -> "Match":
        match = super()._new_match()
        match.clock = self.link.clock()
        self.board.match = match
        if isinstance(self.view, Screen):
            self.view.heading = f"lichess {self.link.name}"
        table = self.interpreter.table
        self.interpreter.withheld = frozenset(name for name in table if name not in ALLOWED)
        return match

    def _player(self, spec: str, number: int, game: "Game", name: str = "") -> "Player":
        assert isinstance(self.interpreter, BoardInterpreter)
        return BoardSeat(self.board, spec == specs.HUMAN, self.input, self.interpreter, name)

    @property
    def over(self) -> bool:
        """True if the game is over, at the server or by the rules; the server may report it later."""
        return self.link.state.over or self.board.match.position.outcome() is not None

    def _print_resume_hint(self) -> None:
        if not self.over:
            back = self.link.server.suggest("play", self.link.name)
            echo_err(f"the game is still in progress; return to it: {back}")


class _NewsLines:
    """The lines of a stream, read on a thread; an empty line means news."""

    def __init__(self, source: TextIO, news: Callable[[], bool]) -> None:
        self.source, self.news = source, news
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="input", daemon=True).start()

    def _read(self) -> None:
        while line := self.source.readline():
            self.lines.put(line)
        self.lines.put("")

    def readline(self) -> str:
        """The next line; "" at the end of the input."""
        while True:
            try:
                line = self.lines.get(timeout=POLL_INTERVAL)
            except queue.Empty:
                if self.news():
                    return "\n"
                continue
            if not line:
                self.lines.put("")  # the end stays the end
            return line

    def isatty(self) -> bool:
        """As the stream."""
        return self.source.isatty()
