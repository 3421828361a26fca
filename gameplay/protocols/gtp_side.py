"""The server side of GTP, for Go and other games whose moves are single words.

The Go Text Protocol, version 2 (Gunnar Farnebäck, 2002, draft 2). A command is `[NUMBER] NAME [ARGUMENTS]`;
the response is `=[NUMBER] TEXT` or, on failure, `?[NUMBER] REASON`, followed by an empty line. Comments after
`#` and control characters are ignored; a tab counts as a space. The first player is black.

    protocol_version, name, version, known_command NAME, list_commands, quit
    boardsize N, clear_board, play COLOUR WORD, undo, showboard
    genmove COLOUR, reg_genmove COLOUR       the move, or resign; reg_genmove does not make it
    time_settings MAIN PERIOD STONES         seconds; then PERIOD for each STONES moves; PERIOD 0: none
    kgs-time_settings none|absolute MAIN|byoyomi MAIN PERIOD PERIODS|canadian MAIN PERIOD STONES
    time_left COLOUR SECONDS STONES          sets a clock; otherwise it is kept here
    lz-analyze, kata-analyze [COLOUR] [HUNDREDTHS] [interval HUNDREDTHS]
                                             repeats info move WORD visits N winrate ... pv ... until the next
                                             line; then an empty line
    lz-genmove_analyze, kata-genmove_analyze the same while it thinks, then play WORD
    gogui-interrupt                          no effect; `# interrupt` ends a search with its best move

Commands for Go only are in `gameplay.protocols.gtp_go`. A winrate is a mean over simulations, or the
engine's value converted by `value.share`; depth-first engines report nodes as visits.
"""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty
from typing import TYPE_CHECKING, ClassVar

from gameplay import __version__
from gameplay import value as scale
from gameplay.errors import GameplayError, IllegalMove, Usage, describe_exception
from gameplay.protocols.gtp import COLORS
from gameplay.protocols.side import RESIGN, GoRequest, MatchHost, Side, Times, one_line
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report

if TYPE_CHECKING:
    from gameplay.players.player import MatchControl, Player

LINES = 10  # moves listed by an analysis
INTERVAL = 1.0  # default seconds between reports of an analysis
INTERVAL_WORDS = ("an interval", "hundredths of a second")
CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
NUMBER = re.compile(r"-?\d+(\.\d*)?|\.\d+", re.ASCII)

Seat = Callable[[dict[str, str]], "tuple[Player, MatchHost]"]
"""Creates the player and the host for changed parameters of the game. Raises BadInput."""
Place = tuple[str, tuple[str, ...]]


@dataclass
class TimeLeft:
    """A player's clock: seconds left, and the number of moves they must cover (0: all)."""

    seconds: float
    stones: int = 0


@dataclass
class TimeSettings:
    """The time control: main time, then a period per `moves` moves; 0 moves: unlimited."""

    main: float = 0.0
    period: float = 0.0
    stones: int = 0

    def initial_clock(self) -> TimeLeft | None:
        """A clock at the start of a game; None without a limit."""
        if self.period and not self.stones:
            return None  # as defined by the protocol
        if self.main:
            return TimeLeft(self.main)
        return TimeLeft(self.period, self.stones) if self.period else TimeLeft(0.0)

    def spend(self, clock: TimeLeft, seconds: float) -> None:
        """Subtract the time of a move."""
        clock.seconds -= seconds
        if clock.stones:
            clock.stones -= 1
            if not clock.stones:
                clock.seconds, clock.stones = self.period, self.stones
        elif clock.seconds <= 0 and self.period:
            clock.seconds, clock.stones = max(0.0, self.period + clock.seconds), self.stones
        clock.seconds = max(0.0, clock.seconds)


class GtpSide(Side):
    """A GTP server; serves one connection."""

    places: list[Place]  # positions of the game, the current one last
    commands: ClassVar[tuple[str, ...]] = (
        *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
        *("boardsize", "clear_board", "play", "genmove", "reg_genmove", "undo", "showboard"),
        *("time_settings", "kgs-time_settings", "time_left"),
        *("lz-analyze", "lz-genmove_analyze", "kata-analyze", "kata-genmove_analyze", "gogui-interrupt"),
    )

    def __init__(self, title: str, seat: Seat, send: Callable[[str], object], fixed: bool = False) -> None:
        self.seat = seat
        self.terms: dict[str, str] = {}  # parameters of the game set by commands
        self.times = TimeSettings(period=1.0)  # no limits
        player, host = seat(self.terms)
        super().__init__(title, player, host, send, fixed)
        self.interval = 0.0  # seconds between reports of an analysis; 0: no reports
        self.kata = False  # reports in KataGo's format
        self.analysing = False  # until the next line comes
        self.shown = 0.0
        self.width = LINES

    # -- the conversation --------------------------------------------------------------------------

    def execute(self, line: str) -> bool:
        """Process one line; false if it ends the connection."""
        words = CONTROL.sub("", line).partition("#")[0].split()
        number = words.pop(0) if words and words[0].isdecimal() and words[0].isascii() else ""
        if not words:
            return True
        name, *arguments = words
        self.number = number
        if name not in self.commands:
            self._answer("?", "unknown command")
            return True
        try:
            answer = getattr(self, f"_{name.replace('-', '_')}")(arguments)
        except GameplayError as error:
            self._answer("?", one_line(str(error)))
        except Exception as error:  # uncaught exception of a game's own code
            self._answer("?", describe_exception(error))
        else:
            if answer is not None:
                self._answer("=", answer)
        return name != "quit"

    def _answer(self, sign: str, text: str) -> None:
        """Respond to the last command; the text may begin on a new line but contains no empty line."""
        lines = [line.rstrip() for line in text.splitlines() if line.strip()]
        gap = "\n" if text.startswith("\n") else " " if lines else ""
        self.send(f"{sign}{self.number}{gap}" + "\n".join(lines))
        self.send("")

    def _poll_input(self, seconds: float) -> None:
        """Handle input during a search: any line ends an analysis, `# interrupt` a search for a move."""
        try:
            while True:
                line = self.inbox.get(timeout=seconds) if seconds else self.inbox.get_nowait()
                seconds = 0
                self.queued.append(line)
        except Empty:
            pass
        for line in self.queued:
            if line is None:
                self.input_ended = self.input_ended or self.analysing
            elif self.analysing or "".join(line.split()).lower() == "#interrupt":
                self.stopping = True

    # -- commands ----------------------------------------------------------------------------------

    def _protocol_version(self, words: list[str]) -> str:
        return "2"

    def _name(self, words: list[str]) -> str:
        return "gameplay " + self.player.name

    def _version(self, words: list[str]) -> str:
        return __version__

    def _known_command(self, words: list[str]) -> str:
        return str("".join(words[:1]) in self.commands).lower()

    def _list_commands(self, words: list[str]) -> str:
        return "\n".join(sorted(self.commands))

    def _quit(self, words: list[str]) -> str:
        return ""

    def _gogui_interrupt(self, words: list[str]) -> str:
        return ""

    def _boardsize(self, words: list[str]) -> str:
        size = self._size(words, 0, "the size of the board")
        try:
            self._begin_with({**self.terms, "size": str(size)})
        except GameplayError:
            board = self._match().board()
            if board is None or len(board.cells) != size:
                raise Usage("unacceptable size") from None
            self._begin()
        return ""

    def _clear_board(self, words: list[str]) -> str:
        self._begin()
        return ""

    def _play(self, words: list[str]) -> str:
        player = self._colour(words, 0)
        self._make(player, self._word(words, 1, "a move"))
        return ""

    def _undo(self, words: list[str]) -> str:
        if len(self.places) == 1:
            raise Usage("cannot undo")
        self.places.pop()
        return ""

    def _showboard(self, words: list[str]) -> str:
        return "\n" + str(self._match().position)

    def _genmove(self, words: list[str]) -> str:
        return self._think(self._colour(words, 0), play=True)

    def _reg_genmove(self, words: list[str]) -> str:
        return self._think(self._colour(words, 0), play=False)

    def _time_settings(self, words: list[str]) -> str:
        main, period = (self._duration(words, at) for at in (0, 1))
        self._set_times(TimeSettings(main, period, self._whole(words, 2, "a number of stones")))
        return ""

    def _kgs_time_settings(self, words: list[str]) -> str:
        kind = self._word(words, 0, "a kind of time")
        if kind == "none":
            self._set_times(TimeSettings(period=1.0))
        elif kind == "absolute":
            self._set_times(TimeSettings(self._duration(words, 1)))
        elif kind in ("byoyomi", "canadian"):
            main, period = self._duration(words, 1), self._duration(words, 2)
            count = self._whole(words, 3, "a number")
            self._set_times(TimeSettings(main, period, count if kind == "canadian" else 1))
        else:
            raise Usage("syntax error: write none, absolute MAIN, byoyomi ... or canadian ...")
        return ""

    def _time_left(self, words: list[str]) -> str:
        player = self._colour(words, 0)
        seconds = self._number(words, 1, "a time", "seconds")  # programs send less than 0 after an overrun
        stones = self._whole(words, 2, "a number of stones")
        self.clocks[player] = TimeLeft(max(0.0, seconds), stones)
        return ""

    def _lz_analyze(self, words: list[str]) -> None:
        self._analyse(words, kata=False)

    def _kata_analyze(self, words: list[str]) -> None:
        self._analyse(words, kata=True)

    def _lz_genmove_analyze(self, words: list[str]) -> None:
        self._analyse(words, kata=False, play=True)

    def _kata_genmove_analyze(self, words: list[str]) -> None:
        self._analyse(words, kata=True, play=True)

    # -- arguments ---------------------------------------------------------------------------------

    @staticmethod
    def _word(words: list[str], at: int, what: str) -> str:
        if at >= len(words):
            raise Usage(f"syntax error: {what} is missing")
        return words[at]

    def _whole(self, words: list[str], at: int, what: str) -> int:
        word = self._word(words, at, what)
        if not re.fullmatch(r"\d{1,9}", word, re.ASCII):
            raise Usage(f"syntax error: {what} must be a whole number, not '{word[:20]}'")
        return int(word)

    def _size(self, words: list[str], at: int, what: str) -> int:
        size = self._whole(words, at, what)
        if not size:  # a parameter of 0 stands for the default of the game
            raise Usage("unacceptable size")
        return size

    def _number(self, words: list[str], at: int, what: str, unit: str) -> float:
        word = self._word(words, at, what)
        if not NUMBER.fullmatch(word) or len(word) > 12:
            raise Usage(f"syntax error: {what} must be a number of {unit}, not '{word[:20]}'")
        return float(word)

    def _duration(self, words: list[str], at: int, what: str = "a time", unit: str = "seconds") -> float:
        duration = self._number(words, at, what, unit)
        if duration < 0:
            raise Usage(f"syntax error: {what} must be at least 0 {unit}, not '{words[at]}'")
        return duration

    def _colour(self, words: list[str], at: int) -> int:
        word = self._word(words, at, "a colour").lower()
        if word not in ("b", "w", *COLORS):
            raise Usage(f"syntax error: a colour must be black or white, not '{word[:20]}'")
        return "bw".index(word[0])

    # -- the game ----------------------------------------------------------------------------------

    def _begin_with(self, terms: dict[str, str], start: str = "", moves: Sequence[str] = ()) -> None:
        """Set up a new game with these parameters and moves. If it raises, nothing is changed."""
        player, host = self.seat(terms) if terms != self.terms else (self.player, self.host)
        host.match(start, list(moves))
        self.player, self.host, self.terms = player, host, terms
        self._begin()
        self.places = [(start, tuple(moves[:count])) for count in range(len(moves) + 1)]

    def _begin(self) -> None:
        """Begin a new game: drop the state of the last one."""
        self.places = [("", ())]
        self.clocks: list[TimeLeft | None] = [self.times.initial_clock(), self.times.initial_clock()]
        self._clear_memory()

    def _match(self) -> "MatchControl":
        """The match at the current position."""
        start, moves = self.places[-1]
        return self.host.match(start, list(moves))

    def _position_for(self, player: int) -> Place:
        """The current position with `player` to move."""
        match = self._match()
        if match.payoffs is not None:
            raise Usage("illegal move: the game is over")
        if match.position.turn != player:
            raise Usage(f"illegal move: it is the turn of {COLORS[1 - player]}")
        return self.places[-1]

    def _make(self, player: int, word: str) -> None:
        start, moves = self._position_for(player)
        try:
            match = self.host.match(start, [*moves, word])
        except IllegalMove as error:
            raise Usage(f"illegal move: {error}") from None
        self.places.append((start, (*moves, match.words()[-1])))

    def _set_times(self, times: TimeSettings) -> None:
        self.times = times
        self.clocks = [times.initial_clock(), times.initial_clock()]

    # -- thinking ----------------------------------------------------------------------------------

    def _think(self, player: int, play: bool) -> str:
        """The move for a player, optionally made on the board, or RESIGN, which does not end the game."""
        start, moves = self._position_for(player)
        match = self.host.match(start, list(moves))
        clock = self.clocks[player] if play else None
        began = time.monotonic()
        self._reopen()
        word = self._search(match, GoRequest(self._move_limit(match), self._search_times(player, clock)))
        if play and word != RESIGN:
            self.places.append((start, (*moves, word)))
            if clock is not None:
                self.times.spend(clock, time.monotonic() - began)
        return word

    def _move_limit(self, match: "MatchControl") -> Limit:
        """The limits of a search for a move, besides time."""
        return Limit()

    def _may_resign(self, request: GoRequest) -> bool:
        return not (request.endless or request.limit.moves)

    def _search_times(self, player: int, clock: TimeLeft | None) -> Times | None:
        """The clocks for a search; only that of the player to move runs."""
        if clock is None:
            return None
        extra = 0.0 if clock.stones or not self.times.stones else self.times.period / self.times.stones
        own_time = (max(0.01, clock.seconds), extra)
        return (own_time, None, clock.stones) if player == 0 else (None, own_time, clock.stones)

    def _analyse(self, words: list[str], kata: bool, play: bool = False) -> None:
        """Report the analysis of the moves until the next line arrives or a move is made."""
        player = self._match().position.turn
        if words and words[0].lower() in ("b", "w", *COLORS):
            player = self._colour(words, 0)
            words = words[1:]
        interval = INTERVAL
        if words and NUMBER.fullmatch(words[0]):
            interval = self._duration(words, 0, *INTERVAL_WORDS) / 100
        elif "interval" in words:
            interval = self._duration(words, words.index("interval") + 1, *INTERVAL_WORDS) / 100
        start, moves = self._position_for(player)
        self.host.match(start, list(moves))
        self.send(f"={self.number}")
        self.interval, self.kata, self.shown = max(0.01, interval), kata, time.monotonic()
        try:
            if play:
                self.send(f"play {self._think(player, play=True)}")
            else:
                self._reopen()
                self.analysing = True
                self._poll_input(0)
                if not (self.stopping or self.input_ended):
                    self._search(self.host.match(start, list(moves)), GoRequest(endless=True))
        except GameplayError as error:
            self._send_notice(str(error))
        finally:
            self.interval, self.analysing = 0.0, False
            self.send("")

    def _send_notice(self, text: str) -> None:
        """Ignore notices: the protocol has no message for them."""

    def _reopen(self) -> None:
        self.stopping = self.input_ended = False

    def _limit(self, own: Limit, request: GoRequest) -> Limit:
        limit = super()._limit(own, request)
        if self.interval:
            limit = limit.with_(multipv=self.width)
        return limit.with_(moves=request.limit.moves)

    def _watch(self, match: "MatchControl", report: Report | None) -> bool:
        now = time.monotonic()
        if self.interval and report is not None and now - self.shown >= self.interval:
            self.shown = now
            self._show(match, report)
        self._poll_input(0)
        return self.stopping or self.input_ended

    def _send_info(self, match: "MatchControl", report: Report) -> None:
        """Print the result of an analysis when the search has ended."""
        if self.interval:
            self._show(match, report)

    def _show(self, match: "MatchControl", report: Report) -> None:
        """Print a line of an analysis."""
        lines: Sequence[Report | Candidate] = report.candidates or (report,)
        rows = []
        for order, line in enumerate(lines[: self.width]):
            words = self._format_line(match, line.pv)
            if not words or line.bound == "unknown":
                continue
            rate = lower_bound = self._rate(match, line.value)
            if line.error:
                lower_bound = self._rate(match, line.value - line.error)
            visits = line.visits or max(1, report.nodes)
            rows.append(
                f"info move {words[0]} visits {visits} utility {2 * rate - 1:.4f} winrate {rate:.4f} "
                f"lcb {lower_bound:.4f} order {order} pv {' '.join(words)}"
                if self.kata
                else f"info move {words[0]} visits {visits} winrate {round(10000 * rate)} "
                f"lcb {round(10000 * lower_bound)} order {order} pv {' '.join(words)}"
            )
        if rows:
            self.send(" ".join(rows))

    @staticmethod
    def _rate(match: "MatchControl", value: float) -> float:
        """The mover's win probability, 0 to 1."""
        position = match.position
        if scale.is_win(value):
            return float(value > 0)
        if isinstance(value, float) and not position.scored:
            share = value / position.unit
        else:
            share = scale.squash(value, position.unit)
        return float(min(1.0, max(0.0, (1 + share) / 2)))
