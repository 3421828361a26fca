"""The base of protocol clients, which control external programs."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from gameplay.catalogue import name_of
from gameplay.errors import Usage
from gameplay.protocols.channel import MAX_LINE, Channel
from gameplay.search.limit import Limit

if TYPE_CHECKING:
    from gameplay.players.player import ClockView, MatchView
    from gameplay.position import AbstractPosition

INTERVAL = 0.05  # minimum seconds between reports

Info = dict[str, Any]
"""The info of a search: depth, seldepth, nodes, hashfull, `value` on our scale, `pv` as text.

For simulations also `bound`, `visits`, and in `lines` the best moves: `value`, `visits`, `pv`.
"""
Moves = Sequence[tuple[int, str]]  # (player, word)


class ReportPacer:
    """Forwards search info every INTERVAL seconds; calls `halt` if `watch` returns true."""

    def __init__(self, watch: Callable[[Info], bool], halt: Callable[[], None]) -> None:
        self.watch = watch
        self.halt = halt
        self.shown = 0.0
        self.halted = False

    def due(self) -> bool:
        """True if the next report is due."""
        now = time.monotonic()
        if self.halted or now - self.shown < INTERVAL:
            return False
        self.shown = now
        return True

    def report(self, info: Info) -> None:
        """Forward the info, and halt the search if requested."""
        if self.watch(info):
            self.stop()

    def stop(self) -> None:
        """Halt the search, once."""
        if not self.halted:
            self.halted = True
            self.halt()


class Talk:
    """A connection to a program. Every wait has a deadline on the monotonic clock.

    Methods raise Broken if the program has ended, hangs or violates the protocol.
    """

    name: ClassVar[str] = ""
    quit_command: ClassVar[str] = "quit"
    can_stop: ClassVar[bool] = True  # the protocol can stop a search
    draw_offered = False  # the program offers a draw
    startup_seconds: ClassVar[float | None] = None  # seconds to start, if not the default
    max_line: ClassVar[int] = MAX_LINE  # maximum bytes of a line

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.info: Info = {}  # of the current or last search

    @classmethod
    def check(cls, position: "AbstractPosition", limit: Limit) -> None:
        """Raise Usage if the protocol does not support this game or limit."""
        game = name_of(position)
        if position.players != 2:
            raise Usage(f"{cls.name} is for two players, and {game} has {position.players}")
        if position.hidden:
            raise Usage(f"{cls.name} does not support imperfect information, as {game} has")
        cls.check_simulations(limit)

    @classmethod
    def check_simulations(cls, limit: Limit) -> None:
        """Raise Usage for a limit of simulations, which no protocol has."""
        if limit.simulations is not None:
            raise Usage(f"{cls.name} cannot limit simulations. Try: name the player, as in mcts:sims=400")

    @classmethod
    def check_start(cls, position: "AbstractPosition", start: str) -> None:
        """Raise Usage if the protocol does not support this start position ("": the standard one)."""

    # -- commands -------------------------------------------------------------------------------

    def set_game(self, position: "AbstractPosition") -> None:
        """Store what the protocol needs of the game; called before `greet` with one of its positions."""

    def greet(self, options: dict[str, str], deadline: float) -> None:
        """Initialize the program and set options. Raises Broken, or Fault for an unknown option."""
        raise NotImplementedError

    @property
    def reusable(self) -> bool:
        """False if it must be restarted for each game."""
        return True

    def begin(self, deadline: float) -> None:
        """Start a new game."""
        self.ping(deadline)

    def ping(self, deadline: float) -> None:
        """Wait until the program is ready, discarding late answers to earlier commands."""
        raise NotImplementedError

    def prepare(self, position: "AbstractPosition", deadline: float) -> None:
        """Send the settings of the game before its moves."""

    def position(self, start: str, moves: Moves, deadline: float) -> None:
        """Send the position."""
        raise NotImplementedError

    def send_view(self, match: "MatchView", deadline: float) -> None:
        """Send the program its information set in a game of imperfect information, when it is to move."""
        raise NotImplementedError

    def limit(self, seconds: float | None) -> float | None:
        """Round a time limit to what the protocol can express."""
        return seconds

    def go(self, player: int, limit: Limit, clock: "ClockView | None", deadline: float) -> None:
        """Request the move of `player`."""
        raise NotImplementedError

    def answer(self, deadline: float, watch: Callable[[Info], bool]) -> str | None:
        """The best move as text; None if none arrives by `deadline`.

        `watch` is called with search info at most twenty times a second; true stops the search.
        """
        raise NotImplementedError

    def stop(self, deadline: float) -> str | None:
        """Stop the search; returns its move as text, None if none arrives by `deadline`."""
        if not self.can_stop:
            return None
        self.halt(deadline)
        return self.answer(deadline, lambda info: False)

    def lines(self, deadline: float) -> Iterator[str]:
        """The lines that the program sends by `deadline`."""
        while (line := self.channel.receive(deadline)) is not None:
            yield line

    def halt(self, deadline: float) -> None:
        """Request the program to end its search with a move."""
        self.channel.send("stop", deadline)

    # -- pondering -----------------------------------------------------------------------------

    ponders = False  # pondering is enabled; set before `greet`
    expected = ""  # the expected reply to its move, in its notation; "": none
    needs_reply: ClassVar[bool] = True  # it ponders only on the expected reply

    @property
    def pondering(self) -> bool:
        """True while the program ponders."""
        return False

    def ponder(
        self, start: str, moves: Moves, player: int, limit: Limit, clock: "ClockView | None", deadline: float
    ) -> None:
        """Ponder the position after `moves`."""

    def is_pondering_on(self, start: str, moves: Moves) -> bool:
        """True if the pondering search is a search of this position."""
        return False

    def ponder_hit(
        self, moves: Moves, player: int, limit: Limit, clock: "ClockView | None", deadline: float
    ) -> None:
        """Request the move, after the expected reply was played."""

    def stop_pondering(self, deadline: float) -> None:
        """Stop pondering. Raises Broken if the program does not stop by `deadline`."""

    # -- queries --------------------------------------------------------------------------------

    answers_queries: ClassVar[bool] = False  # it answers queries about a position

    def query(self, question: str, deadline: float) -> str | None:
        """The program's answer to a query about the position; None if it gives none."""
        return None

    # -- notation ---------------------------------------------------------------------------------

    own_notation: ClassVar[bool] = False  # it differs from the game's: see `start` and `format_move`

    def start(self, position: "AbstractPosition", text: str) -> str:
        """The start position in the program's notation, "" for the standard one.

        position: the start position; text: its text in the game's notation.
        """
        return text

    def format_move(self, position: "AbstractPosition", move: int) -> str:
        """A move in the program's notation."""
        return str(position.format(move))

    def parse_move(self, position: "AbstractPosition", word: str) -> int:
        """Parse a move. Raises IllegalMove."""
        return int(position.parse(word))

    def resigns(self, word: str) -> bool:
        """True if the answer resigns."""
        return False

    def claims_draw(self, word: str) -> bool:
        """True if the answer claims a draw."""
        return False

    def offer_draw(self, deadline: float) -> bool:
        """Offer the program a draw; true if it also offers one, which accepts it."""
        return False
