"""The client side of protocols: talks to external programs."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from gameplay.catalogue import name_of
from gameplay.errors import Usage
from gameplay.protocols.channel import LINE, Channel
from gameplay.search.limit import Limit

if TYPE_CHECKING:
    from gameplay.players.player import ClockView, MatchView
    from gameplay.position import AbstractPosition

INTERVAL = 0.05  # seconds between two reports handed on

Info = dict[str, Any]
"""The info of a search: depth, seldepth, nodes, hashfull, `value` on our scale, `pv` in words.

For simulations also `bound`, `visits`, and in `lines` the best moves: `value`, `visits`, `pv`.
"""
Moves = Sequence[tuple[int, str]]  # (player, word)


class ReportPacer:
    """Passes on search info every INTERVAL; if `watch` returns true it calls `halt`."""

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
        """Pass it on, and halt the search if requested."""
        if self.watch(info):
            self.stop()

    def stop(self) -> None:
        """Halt the search, once."""
        if not self.halted:
            self.halted = True
            self.halt()


class Talk:
    """A conversation with a program. Every wait has a deadline on the monotonic clock.

    Methods raise Broken once the conversation is over: the program has ended, hung or broken the protocol.
    """

    name: ClassVar[str] = ""
    farewell: ClassVar[str] = "quit"
    stops: ClassVar[bool] = True  # the protocol can stop a search
    offered = False  # it offers a draw
    start_up: ClassVar[float | None] = None  # seconds to introduce itself, if not the usual ones
    longest: ClassVar[int] = LINE  # bytes of a line at most

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.info: Info = {}  # of the search that runs or ran last

    @classmethod
    def check(cls, position: "AbstractPosition", limit: Limit) -> None:
        """Raises Usage if the protocol does not support this game, or a limit of its moves."""
        game = name_of(position)
        if position.players != 2:
            raise Usage(f"{cls.name} is for two players, and {game} has {position.players}")
        if position.hidden:
            raise Usage(f"{cls.name} does not support imperfect information, as {game} has")

    @classmethod
    def check_start(cls, position: "AbstractPosition", start: str) -> None:
        """Raises Usage if the protocol does not support this start position ("": the usual one)."""

    # -- what is said --------------------------------------------------------------------------

    def introduce(self, position: "AbstractPosition") -> None:
        """Note a position of the coming game, before `greet`."""

    def greet(self, options: dict[str, str], deadline: float) -> None:
        """Begin the conversation and set options. Raises Broken, or Fault for an option there is not."""
        raise NotImplementedError

    @property
    def reusable(self) -> bool:
        """False if it must be restarted for each game."""
        return True

    def begin(self, deadline: float) -> None:
        """A new game begins."""
        self.ping(deadline)

    def ping(self, deadline: float) -> None:
        """Wait until the program is ready; late answers to earlier questions are dropped on the way."""
        raise NotImplementedError

    def prepare(self, position: "AbstractPosition", deadline: float) -> None:
        """Exchange what is needed of the game before its moves."""

    def position(self, start: str, moves: Moves, deadline: float) -> None:
        """Send the position."""
        raise NotImplementedError

    def look(self, match: "MatchView", deadline: float) -> None:
        """Send the program its information in a game of imperfect information, when it is to move."""
        raise NotImplementedError

    def limit(self, seconds: float | None) -> float | None:
        """A time limit as the protocol can express it."""
        return seconds

    def go(self, player: int, limit: Limit, clock: "ClockView | None", deadline: float) -> None:
        """Request the move of `player`."""
        raise NotImplementedError

    def answer(self, deadline: float, watch: Callable[[Info], bool]) -> str | None:
        """The word of the best move; None if there is none by `deadline`.

        `watch` is called with search info at most twenty times a second; true stops the search.
        """
        raise NotImplementedError

    def stop(self, deadline: float) -> str | None:
        """Stop the search; returns the word of its move, None if there is none by `deadline`."""
        if not self.stops:
            return None
        self.halt(deadline)
        return self.answer(deadline, lambda info: False)

    def lines(self, deadline: float) -> Iterator[str]:
        """The lines that the program sends by `deadline`."""
        while (line := self.channel.receive(deadline)) is not None:
            yield line

    def halt(self, deadline: float) -> None:
        """Ask the program to end its search with a move."""
        self.channel.send("stop", deadline)

    # -- pondering -----------------------------------------------------------------------------

    ponders = False  # pondering is requested: set before `greet`
    expected = ""  # the reply to its move that it expects, in its words; "": none
    needs_reply: ClassVar[bool] = True  # it ponders on the expected reply only

    @property
    def pondering(self) -> bool:
        """True while it ponders."""
        return False

    def ponder(
        self, start: str, moves: Moves, player: int, limit: Limit, clock: "ClockView | None", deadline: float
    ) -> None:
        """Ponder the position after `moves`."""

    def expects(self, start: str, moves: Moves) -> bool:
        """True if what it ponders on is the search for a move in this position."""
        return False

    def take_up(
        self, moves: Moves, player: int, limit: Limit, clock: "ClockView | None", deadline: float
    ) -> None:
        """The expected reply was played: request its move."""

    def rest(self, deadline: float) -> None:
        """Stop pondering. Raises Broken if the program does not by `deadline`."""

    # -- opinions ------------------------------------------------------------------------------

    believes: ClassVar[bool] = False  # it can be asked what it believes of a position

    def query(self, question: str, deadline: float) -> str | None:
        """The program's claim about the position; None if it makes none."""
        return None

    # -- moves and positions in the protocol's words -------------------------------------------

    own_words: ClassVar[bool] = False  # moves have another notation: see `start` and `spell`

    def start(self, position: "AbstractPosition", text: str) -> str:
        """The start as the program understands it, "" for the usual one: `text`, where `position` is."""
        return text

    def spell(self, position: "AbstractPosition", move: int) -> str:
        """A move in words."""
        return str(position.format(move))

    def understand(self, position: "AbstractPosition", word: str) -> int:
        """The move that a word is. Raises IllegalMove."""
        return int(position.parse(word))

    def resigns(self, word: str) -> bool:
        """True if the word of the best move resigns."""
        return False

    def draws(self, word: str) -> bool:
        """True if the word of the best move claims a draw."""
        return False

    def agrees(self, deadline: float) -> bool:
        """Offer the program a draw; true if it offers one, too, which accepts it."""
        return False
