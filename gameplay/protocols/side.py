"""The base of protocol servers, for programs that use our engines.

Input and output, searching while reading input, and options. Errors are reported by `info string`. After an
invalid `position` there is no position, and `go` is refused with `bestmove (none)`.
"""

import os
import queue
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from gameplay.errors import GameplayError, TryLater, Usage, brief, describe_exception, unknown_name
from gameplay.protocols.uci import format_score
from gameplay.search import threads
from gameplay.search.limit import MAX_LIMIT, Limit
from gameplay.search.options import MAX_THREADS
from gameplay.search.report import Candidate, Report

if TYPE_CHECKING:
    from gameplay.matches.match import Event
    from gameplay.players.player import ClockView, MatchControl, Player

MAX_LINE = 4 * 1024 * 1024  # bytes; longer lines are dropped
CHUNK = 64 * 1024
STOP_POLL = 0.05  # seconds between checks for input while a finished search waits for `stop`
NO_MOVE = "(none)"  # the best move if there is none
NO_POSITION = "go is refused: the last position was invalid. Try: send another"
UNLIMITED = Limit(seconds=MAX_LIMIT)  # until stopped or the search is complete
RESIGN = "resign"  # instead of a move
EMPTY = "<empty>"  # the value of an option that is an empty string

Times = tuple[tuple[float, float] | None, tuple[float, float] | None, int]
"""Per player the seconds left and the increment, None without a clock; moves to go, 0 if unknown."""


def one_line(text: str) -> str:
    """An error message as one line."""
    return brief(" ".join(text.split()), 500)


class MatchHost(Protocol):
    """Creates matches from positions in notation, and clocks."""

    def match(self, start: str, words: list[str]) -> "MatchControl":
        """The match at the position after the moves `words` from `start`. Raises BadInput."""
        ...

    def view(self) -> "MatchControl":
        """The last requested match, as seen by the side to move."""
        ...

    def clock(self, times: Times) -> "ClockView":
        """Clocks with these remaining times."""
        ...

    def configure(self, times: Times | None, listener: Callable[["Event"], object] | None) -> None:
        """Set or clear the clocks and the listener of the last requested match."""
        ...


@dataclass
class GoRequest:
    """The limits of a search. endless: search until `stop`."""

    limit: Limit = field(default_factory=Limit)
    times: Times | None = None
    endless: bool = False


class Side:
    """Serves one connection.

    host: creates the match of a position; player: chooses the moves; send: sends a line; fixed: the strength
    of the player is fixed, so that only time limits are accepted.
    """

    commands: ClassVar[tuple[str, ...]] = ()
    during: ClassVar[tuple[str, ...]] = ("isready",)  # executed at once, even during a search
    halts: ClassVar[tuple[str, ...]] = ("stop",)  # end the running search
    starts: ClassVar[tuple[str, ...]] = ("go",)  # start a search

    def __init__(
        self,
        title: str,
        player: "Player",
        host: MatchHost,
        send: Callable[[str], object],
        fixed: bool = False,
    ) -> None:
        self.title = title
        self.player = player
        self.host = host
        self.send = send
        self.fixed = fixed
        self.inbox: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.queued: list[str | None] = []  # input queued during a search
        self.stopping = False
        self.input_ended = False  # end of input was reached
        self.depth = 0
        self.request = GoRequest()  # the limits of the last search
        self._begin()

    def listen(self, source: int) -> None:
        """Process the lines of the file descriptor `source` until its end or `quit`.

        A descriptor rather than a stream, because a thread blocked in a stream would hold its lock at
        interpreter exit. Raises TryLater if no thread can be started.
        """
        if threads.start(partial(self._read, source), "input") is None:
            raise TryLater("cannot start the thread that reads the input. Try: close other programs")
        while True:
            line = self.queued.pop(0) if self.queued else self.inbox.get()
            if line is None or not self.execute(line):
                return

    def execute(self, line: str) -> bool:
        """Process one line; false if it ends the connection."""
        tokens = self._parse_command(line.split())
        if not tokens:
            return True
        if tokens[0] == "quit":
            return False
        with self._reporting_errors():
            getattr(self, f"_{tokens[0].replace('-', '_')}")(tokens[1:])
        return True

    # -- commands --------------------------------------------------------------------------------

    def _parse_command(self, tokens: list[str]) -> list[str]:
        """The tokens of a command; empty, with an error message, if it is unknown."""
        if tokens and tokens[0] not in self.commands:
            self._send_notice(unknown_name("command", tokens[0], self.commands))
            return []
        return tokens

    def _introduce(self, welcome: str) -> None:
        """Send the name, the author and the options."""
        self.send(f"id name {self.title}")
        self.send("id author the gameplay developers")
        for line in self._option_lines():
            self.send(f"option name {line}")
        self.send(welcome)

    def _isready(self, tokens: list[str]) -> None:
        self.player.reserve()
        self.send("readyok")

    def _setoption(self, tokens: list[str]) -> None:
        at = tokens.index("value") if "value" in tokens else len(tokens)
        name, text = " ".join(tokens[1:at]), " ".join(tokens[at + 1 :])
        if tokens[:1] != ["name"]:
            raise Usage("setoption has no name; expected setoption name NAME value VALUE")
        self._set_option(name, "" if text == EMPTY else text)

    def _begin(self) -> None:
        """Begin a new game: drop the state of the last one."""
        self.place: tuple[str, list[str]] | None = ("", [])
        self._clear_memory()

    def _position(self, tokens: list[str]) -> None:
        self.place = None
        at = tokens.index("moves") if "moves" in tokens else len(tokens)
        start = " ".join(tokens[1:at])
        if tokens[:1] == ["startpos"] and at == 1:
            start = ""
        elif tokens[:1] != ["fen"] or not start:
            raise Usage("position has no start; expected startpos or fen TEXT, then moves WORD ...")
        self._check_start(start)
        moves = tokens[at + 1 :]
        self.host.match(start, moves)
        self.place = (start, moves)

    def _check_start(self, start: str) -> None:
        """Raise Usage for a malformed start; "" is the standard one."""

    def _match(self) -> "MatchControl":
        """The match at the last position sent. Raises Usage if there is none or it is over."""
        if self.place is None:
            raise Usage(NO_POSITION)
        match = self.host.match(*self.place)
        if match.payoffs is not None:
            raise Usage("the game is over")
        return match

    def _go(self, tokens: list[str]) -> None:
        answer = NO_MOVE
        request = GoRequest()
        self.stopping = False
        with self._reporting_errors():
            request = self._parse_go(tokens)
            match = self._match()
            if not 0 <= match.position.turn < 2:
                raise Usage("it is chance's turn: send the dice or cards first, as a move")
            answer = self._search(match, request)
        self._wait(request)
        self.send(f"bestmove {answer}")

    def _wait(self, request: GoRequest) -> None:
        """Wait for `stop` if an endless search has ended by itself or there was nothing to search.

        Clients do not expect `bestmove` before `stop`.
        """
        self.request = request
        while request.endless and not (self.stopping or self.input_ended):
            self._poll_input(STOP_POLL)

    def _stop(self, tokens: list[str]) -> None:
        """Ignore `stop`: no search runs."""

    def _parse_go(self, tokens: list[str]) -> GoRequest:
        """Parse the words after `go`. Raises Usage."""
        raise NotImplementedError

    # -- searching -------------------------------------------------------------------------------

    def _search(self, match: "MatchControl", request: GoRequest) -> str:
        """Search; returns the best move as text, or RESIGN if allowed."""
        player = self.player
        self.request = request
        player.resigns = self._may_resign(request)
        self.stopping = False
        self.depth = 0
        times = None if request.endless else request.times
        self.host.configure(times, lambda event: self._watch(match, event.report))
        own = player.limit
        if own is not None:
            player.limit = self._limit(own, request)
        try:
            choice = player.choose(self.host.view())
        finally:
            self.host.configure(None, None)
            if own is not None:
                player.limit = own
        if choice is None and match.reason == "resigned":
            match.undo(1)
            return RESIGN
        move = match.moves()[0] if choice is None else choice.move
        report = choice.report if choice is not None else None
        if report is not None and report.engine:
            self._send_info(match, report)
        self._wait(request)
        return self._best(match, move, report)

    def _may_resign(self, request: GoRequest) -> bool:
        """True if the player may resign instead of moving; most protocols cannot express it."""
        return False

    def _limit(self, own: Limit, request: GoRequest) -> Limit:
        """The limits of the search: the player's `own` and the requested ones combined."""
        if self.fixed:
            return own.within(Limit(seconds=request.limit.seconds))
        return own.within(UNLIMITED if request.endless else request.limit)

    def _best(self, match: "MatchControl", move: int, report: Report | None) -> str:
        return self._format_line(match, [move])[0]

    def _watch(self, match: "MatchControl", report: Report | None) -> bool:
        """Called about twenty times a second during a search; true stops it."""
        if report is not None and report.depth > self.depth:
            self.depth = report.depth
            self._send_info(match, report)
        self._poll_input(0)
        return self.stopping or self.input_ended

    def _poll_input(self, seconds: float) -> None:
        """Handle input received during a search: immediate commands at once, `stop` and `quit` by stopping.

        Other commands are queued, as is everything after the next `go`, which refers to that search. A `go`
        ends an endless search, which can no longer be stopped otherwise.
        """
        with suppress(queue.Empty):
            while True:
                self.queued.append(self.inbox.get(timeout=seconds) if seconds else self.inbox.get_nowait())
                seconds = 0
        remaining: list[str | None] = []
        immediate = True
        for line in self.queued:
            word = " ".join((line or "").split()[:1])
            self.input_ended = self.input_ended or line is None
            immediate = immediate and word not in self.starts
            if immediate and word in self.during:
                getattr(self, f"_{word.replace('-', '_')}")([])
                continue
            if (
                word == "quit"
                or (immediate and word in self.halts)
                or (word in self.starts and self.request.endless)
            ):
                self.stopping = True
            if not immediate or word != "stop":
                remaining.append(line)
        self.queued = remaining

    def _send_info(self, match: "MatchControl", report: Report) -> None:
        lines: Sequence[Report | Candidate] = report.candidates if len(report.candidates) > 1 else (report,)
        for number, result in enumerate(lines, 1):
            value = format_score(result.value, match.position.unit)
            value += f" {result.bound}bound" if result.bound in ("lower", "upper") else ""
            tokens = [f"info depth {report.depth} seldepth {report.seldepth}"]
            tokens += [f"multipv {number}"] if len(lines) > 1 else []
            tokens += [f"score {value}"] if result.bound != "unknown" else []
            tokens.append(f"time {int(1000 * report.seconds)} nodes {report.nodes} nps {round(report.nps)}")
            tokens.append(f"hashfull {int(1000 * report.fill)}")
            line = self._format_line(match, result.pv)
            self.send(" ".join([*tokens, *(["pv", *line] if line else [])]))

    def _format_line(self, match: "MatchControl", line: Sequence[int]) -> list[str]:
        """A line of moves in the protocol's notation."""
        return list(match.spell(line))

    # -- options ---------------------------------------------------------------------------------

    def _options(self) -> dict[str, Any]:
        """The options of the engine; empty if the player is not an engine."""
        engine = self.player.engine
        return {} if engine is None else dict(engine.options())

    def _option_lines(self) -> Iterator[str]:
        """The available options, as text after `option name`."""
        for name, option in self._options().items():
            default = getattr(self.player.engine, name)
            if isinstance(default, bool):
                yield f"{name} type check default {str(default).lower()}"
            elif name == "threads":
                yield f"{name} type spin default {default} min 1 max {MAX_THREADS}"
            elif isinstance(default, int):
                yield f"{name} type spin default {default} min 0 max {2**63 - 1}"
            else:
                yield f"{name} type string default {default or option.default or EMPTY}"

    def _set_option(self, name: str, text: str) -> None:
        """Set an option. Raises Usage for an unknown name or invalid value."""
        names = {option.lower(): option for option in self._options()}
        if name.lower() not in names:
            raise Usage(unknown_name("option", name, names.values()))
        name = names[name.lower()]
        engine = self.player.engine
        assert engine is not None
        changed = engine.from_options({**engine.written(), name: text})
        changed.check(self.host.match("", []).position)
        self.player.use(changed)

    def _clear_memory(self) -> None:
        """Clear the state that the engine keeps between searches."""
        engine = self.player.engine
        if engine is not None and engine.options():
            self.player.use(engine)

    # -- inside ----------------------------------------------------------------------------------

    @contextmanager
    def _reporting_errors(self) -> Iterator[None]:
        """Report an internal error to the other program, and continue."""
        try:
            yield
        except GameplayError as error:
            self._send_notice(str(error))
        except Exception as error:  # uncaught exception of a game's own code
            self._send_notice(describe_exception(error))

    def _send_notice(self, text: str) -> None:
        self.send("info string " + one_line(text))

    def _read(self, source: int) -> None:
        rest = b""
        while True:
            try:
                data = os.read(source, CHUNK)
            except OSError:
                data = b""
            *lines, rest = (rest + data).split(b"\n")
            for line in lines if data else [rest]:
                self.inbox.put(line.decode("utf-8", "replace"))
            if not data:
                self.inbox.put(None)
            self.player.nudge()  # a running search checks its input twenty times a second
            if not data:
                return
            if len(rest) > MAX_LINE:
                rest = b"line"  # too long; answered as an unknown command
