"""The server side of the xboard protocol, for xboard, WinBoard and other chess programs.

The Chess Engine Communication Protocol, version 2 (https://www.gnu.org/software/xboard/engine-intf.html);
programs of version 1 send moves without `usermove`:

    xboard, protover 2                  feature ..., the engine's options among them, feature done=1
    new, variant fischerandom           a new game, in which we play Black; Chess960
    setboard FEN, undo, remove          set a position; undo one move, or two
    usermove MOVE, or MOVE              a move of the opponent, answered by ours except in force mode
    force, go, playother                stop playing; play the side to move; play the other side
    level N M:SS INC, st N, sd N        time control, seconds per move, depth
    time N, otim N                      our and the opponent's time in hundredths of a second
    ?                                   move now
    post, nopost                        thinking output: depth, value, hundredths of a second, nodes, moves
    hard, easy                          pondering on, off
    analyze, ., exit                    analysis mode; report status; leave analysis mode
    draw                                offer draw, unless we were ahead recently
    ping N                              pong N
    hint                                Hint: the expected reply
    option NAME=VALUE, memory MB, cores N, egtpath syzygy FOLDER
    result ..., quit                    end of the game; end of the connection

Moves are `e2e4`, `e7e8q`, and in Chess960 `O-O`. A mate in N moves has the value 100000 + N. We resign and
claim draws as our engine does in play: a draw is claimed if a rule allows it and we are not ahead. Unknown
lines are answered by `Error (unknown command)`, illegal moves by `Illegal move`.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty
from typing import TYPE_CHECKING, ClassVar

from gameplay import value as scale
from gameplay.capabilities import HasClaims
from gameplay.errors import GameplayError, IllegalMove, Usage, brief
from gameplay.protocols.side import RESIGN, GoRequest, Times, one_line
from gameplay.protocols.uci import TB_WIN_CENTIPAWNS
from gameplay.protocols.uci_side import UciRequest, UciSide
from gameplay.protocols.xboard import FISCHER, MATE, format_move
from gameplay.search.limit import Limit, numeral
from gameplay.value import MAX_PLY

if TYPE_CHECKING:
    from gameplay.players.player import MatchControl
    from gameplay.position import AbstractPosition
    from gameplay.search.report import Report

DRAW_MARGIN = 20  # hundredths of a pawn: accept a draw if ahead by no more ...
DRAW_MOVES = 8  # ... for this number of consecutive moves
RESULTS = ("1/2-1/2", "1-0", "0-1")
COMMAND_OPTIONS = ("hash", "threads", "syzygypath", "ponder", "uci_chess960")  # options set by commands

_BARE = re.compile(r"[a-h][1-8][a-h][1-8][qrbnQRBN]?|O-O(?:-O)?|0-0(?:-0)?")
_LEVEL = re.compile(r"(\d{1,4}) (\d{1,6})(?::([0-5]?\d))? (\d{1,6}(?:\.\d{1,6})?)")
_OFFER = re.compile(r"(.+) type (\w+)(?: default (.*?))?(?: min (-?\d+) max (-?\d+))?((?: var .+)*)")


def format_points(value: float, unit: int) -> int:
    """Convert a value on our scale for `post`: hundredths of a pawn; a mate in N moves is MATE + N."""
    if not scale.is_win(value):
        return round(100 * value / unit) if isinstance(value, float) else int(value)
    if not scale.is_counted(value):
        return TB_WIN_CENTIPAWNS if value > 0 else -TB_WIN_CENTIPAWNS
    moves = MATE + (scale.plies(value) + 1) // 2
    return moves if value > 0 else -moves


def format_feature(offer: str) -> str:
    """Convert the text of a UCI option, after `option name`, to a feature value."""
    match = _OFFER.fullmatch(offer)
    assert match is not None, offer
    name, kind, default, least, most, choices = match.groups()
    default = "" if default in (None, "<empty>") else default
    if kind == "check":
        default = str(int(default == "true"))
    if kind == "spin":
        default = f"{default} {least} {most}"
    if kind == "combo":
        words = choices.split(" var ")[1:]
        default = " /// ".join(f"*{word}" if word == default else word for word in words)
    return f"{name} -{kind}" + (f" {default}" if kind != "button" else "")


class XboardSide(UciSide):
    """An xboard server; serves one connection."""

    commands: ClassVar[tuple[str, ...]] = (
        *("xboard", "protover", "accepted", "rejected", "new", "variant", "quit", "random", "force", "go"),
        *("playother", "level", "st", "sd", "time", "otim", "usermove", "?", "ping", "draw", "result"),
        *("setboard", "hint", "undo", "remove", "hard", "easy", "post", "nopost", "analyze", "exit", "."),
        *("name", "rating", "computer", "memory", "cores", "egtpath", "option"),
    )
    ends = ("force", "new", "result", "setboard", "undo", "remove", "variant", "exit")
    line = ""  # the current command
    posting = hard = analysing = False
    dropped = False  # the move of this search is no longer needed
    searching_move = False  # a search for a move runs
    report: "Report | None" = None  # of the last move or analysis
    clock = (0, 300.0, 0.0)  # moves, seconds and increment
    seconds: float | None = None  # per move, set by `st`
    plies: int | None = None  # depth limit, set by `sd`

    def execute(self, line: str) -> bool:
        """Process one line, then analyse or ponder until the next; false if it ends the connection."""
        self.line = line.strip()
        if not super().execute(line):
            return False
        if self.queued or not self.inbox.empty():
            return True
        if self.analysing:
            self._search_until_input()
        elif self.hard and self.seat is not None and self.report is not None:
            self._search_until_input(self.report.pv[1:2])
        return True

    def _parse_command(self, tokens: list[str]) -> list[str]:
        if not tokens or tokens[0] in self.commands:
            return [{"?": "move_now", ".": "status"}.get(tokens[0], tokens[0]), *tokens[1:]] if tokens else []
        if _BARE.fullmatch(tokens[0]) and len(tokens) == 1:
            return ["usermove", *tokens]
        self.send(f"Error (unknown command): {brief(one_line(self.line), 200)}")
        return []

    def _send_notice(self, text: str) -> None:
        self.send(f"Error ({brief(one_line(text), 300)}): {brief(one_line(self.line), 150)}")

    # -- beginning -------------------------------------------------------------------------------

    def _protover(self, tokens: list[str]) -> None:
        options = self._options()
        self.send("feature done=0")
        self.send(
            "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=1 reuse=1"
        )
        self.send(f'feature analyze=1 colors=0 name=1 nps=0 debug=1 variants="normal,{FISCHER}"')
        self.send(f"feature memory={int('table' in options)} smp={int('threads' in options)}")
        if "syzygy" in self.opens:
            self.send('feature egt="syzygy"')
        self.send(f'feature myname="{self.title}"')
        for offer in self._option_lines():
            if offer.partition(" type ")[0].lower() not in COMMAND_OPTIONS:
                self.send(f'feature option="{format_feature(offer)}"')
        self.send("feature done=1")

    def _new(self, tokens: list[str]) -> None:
        self._begin()

    def _begin(self) -> None:
        super()._begin()
        self.always, self.analysing = False, False
        self.seat: int | None = 1  # the seat that we play; None: force mode
        self.plies = None
        self.left: list[float | None] = [None, None]  # seconds: our clock, the opponent's
        self.report = None
        self.points: list[int] = []  # of our moves in this game

    def _variant(self, tokens: list[str]) -> None:
        if tokens not in (["normal"], [FISCHER]):
            raise Usage(f"the variants are normal and {FISCHER}")
        self.always = tokens == [FISCHER]

    def _ignore(self, tokens: list[str]) -> None:
        """Ignore a command without effect."""

    _xboard = _accepted = _rejected = _random = _name = _rating = _computer = _ignore

    # -- options ---------------------------------------------------------------------------------

    def _memory(self, tokens: list[str]) -> None:
        self._set_option("Hash", "".join(tokens))

    def _cores(self, tokens: list[str]) -> None:
        self._set_option("Threads", "".join(tokens))

    def _egtpath(self, tokens: list[str]) -> None:
        if tokens[:1] != ["syzygy"]:
            raise Usage("the tables are syzygy")
        self._set_option("SyzygyPath", " ".join(tokens[1:]))

    def _option(self, tokens: list[str]) -> None:
        name, _, text = " ".join(tokens).partition("=")
        offered = {offer.partition(" type ")[0].lower(): offer for offer in self._option_lines()}
        if " type check " in offered.get(name.strip().lower(), ""):
            text = {"1": "true", "0": "false"}.get(text.strip(), text)
        self._set_option(name.strip(), text.strip())

    # -- times -----------------------------------------------------------------------------------

    def _level(self, tokens: list[str]) -> None:
        match = _LEVEL.fullmatch(" ".join(tokens))
        if match is None:
            raise Usage("level is MOVES MINUTES[:SECONDS] INCREMENT, as in level 40 5 0")
        moves, minutes, seconds, increment = match.groups()
        self.clock = int(moves), 60.0 * int(minutes) + int(seconds or 0), float(increment)
        self.seconds = None
        self.left = [None, None]

    def _st(self, tokens: list[str]) -> None:
        text = "".join(tokens)
        if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", text) or not float(text):
            raise Usage(f"st must be a number of seconds over 0, not '{brief(text)}'")
        self.seconds = float(text)

    def _sd(self, tokens: list[str]) -> None:
        depth = numeral("".join(tokens))
        if not depth:
            raise Usage(f"sd must be a number of plies from 1 up, not '{brief(' '.join(tokens))}'")
        self.plies = min(depth, MAX_PLY)

    def _time(self, tokens: list[str]) -> None:
        self._set_time(0, tokens)

    def _otim(self, tokens: list[str]) -> None:
        self._set_time(1, tokens)

    def _set_time(self, side: int, tokens: list[str]) -> None:
        text = "".join(tokens)
        number = numeral(text.removeprefix("-"))
        if number is None:
            raise Usage(f"a time must be a number of hundredths of a second, not '{brief(text)}'")
        self.left[side] = 0.0 if text.startswith("-") else number / 100

    def _request(self, turn: int) -> UciRequest:
        """The limits of the next search by `level`, `st` and `sd`."""
        limit = Limit(depth=self.plies, seconds=self.seconds)
        moves, main, increment = self.clock
        if self.seconds is not None or (self.plies is not None and self.left[0] is None):
            return UciRequest(limit)
        made = len(self.place[1]) // 2 if self.place is not None else 0
        own, other = (max(0.01, main if seconds is None else seconds) for seconds in self.left)
        hands = (own, increment), (other, increment)
        first, second = hands if turn == 0 else hands[::-1]
        times: Times = (first, second, moves - made % moves if moves else 0)
        return UciRequest(limit, times)

    # -- positions -------------------------------------------------------------------------------

    def _setboard(self, tokens: list[str]) -> None:
        start = " ".join(tokens)
        self.report, self.points = None, []
        previous, self.place = self.place, None
        try:
            if not start:
                raise Usage("setboard is followed by a FEN")
            self._check_start(start)
            self.host.match(start, [])
        except GameplayError as error:
            self.place = previous
            self.send(f"tellusererror Illegal position: {one_line(str(error))}")
            return
        self.place = start, []

    def _usermove(self, tokens: list[str]) -> None:
        word = "".join(tokens)
        try:
            match = self._make_move(word)
        except (IllegalMove, Usage) as error:
            why = brief(one_line(str(error)), 300)
            self.send(f"Illegal move ({why}): {brief(one_line(word))}")
            return
        self.report = None
        if (
            self.analysing
            or self._send_result_if_over(match)
            or self.seat is None
            or match.position.turn != self.seat
        ):
            return
        self._move()

    def _make_move(self, word: str) -> "MatchControl":
        """Make a move and return the match. Raises IllegalMove or Usage without changing the position."""
        match = self._match()
        assert self.place is not None
        start, words = self.place
        try:
            match = self.host.match(start, [*words, word])
        except IllegalMove as error:
            raise IllegalMove(re.sub(r"^move \d+: ", "", str(error))) from None
        self.place = start, [*words, word]
        return match

    def _undo(self, tokens: list[str]) -> None:
        self._undo_moves(1)

    def _remove(self, tokens: list[str]) -> None:
        self._undo_moves(2)

    def _undo_moves(self, count: int) -> None:
        if self.place is None or len(self.place[1]) < count:
            raise Usage("there is no move to undo")
        start, words = self.place
        self.place = start, words[:-count]
        self.report = None
        if self.points:
            self.points.pop()

    def _send_result_if_over(self, match: "MatchControl") -> bool:
        """Send the result if the game is over; true if it is."""
        payoffs = match.payoffs
        if payoffs is None:
            return False
        sign = (payoffs[0] > payoffs[1]) - (payoffs[0] < payoffs[1])
        why = ("Drawn by the rules", "White mates", "Black mates")[sign]
        self.send(f"{RESULTS[sign]} {{{why}}}")
        return True

    # -- moves -----------------------------------------------------------------------------------

    def _force(self, tokens: list[str]) -> None:
        self.seat, self.analysing = None, False

    def _result(self, tokens: list[str]) -> None:
        self._force(tokens)

    def _exit(self, tokens: list[str]) -> None:
        self._force(tokens)

    def _playother(self, tokens: list[str]) -> None:
        self.analysing = False
        self.seat = 1 - self._match().position.turn

    def _go(self, tokens: list[str]) -> None:
        self.analysing = False
        assert self.place is not None
        match = self.host.match(*self.place)
        if self._send_result_if_over(match):
            return
        self.seat = match.position.turn
        self._move()

    def _move(self) -> None:
        """Search, then make and send the move, unless it is no longer needed."""
        match = self._match()
        self.go_request = self._request(match.position.turn)
        self.dropped, self.searching_move = False, True
        try:
            best = self._search(match, self.go_request)
        finally:
            self.searching_move = False
        if self.dropped or self.input_ended:
            return
        if best == RESIGN:
            self.send("resign")
            return
        if self.report is not None:
            self.points.append(format_points(self.report.value, match.position.unit))
            if self._claim_draw(match):
                return
        self.send(f"move {best}")
        self._send_result_if_over(self._make_move(best))

    def _claim_draw(self, match: "MatchControl") -> bool:
        """Claim a draw if a rule allows it and we are not ahead; true if claimed."""
        position = match.position
        reason = position.claim() if isinstance(position, HasClaims) and self.points[-1] <= 0 else ""
        if reason:
            self.send(f"{RESULTS[0]} {{{one_line(reason)}}}")
        return bool(reason)

    def _draw(self, tokens: list[str]) -> None:
        last = self.points[-DRAW_MOVES:]
        if len(last) == DRAW_MOVES and all(value <= DRAW_MARGIN for value in last):
            self.send("offer draw")

    def _may_resign(self, request: GoRequest) -> bool:
        return not request.endless

    def _best(self, match: "MatchControl", move: int, report: "Report | None") -> str:
        self.report = report
        return self._word(match.position, move)

    def _word(self, position: "AbstractPosition", move: int) -> str:
        return format_move(position, move, self.always)

    # -- searching -------------------------------------------------------------------------------

    def _search_until_input(self, expected: Sequence[int] = ()) -> None:
        """Analyse, or ponder on the expected reply, until a line arrives."""
        with suppress(GameplayError):
            match = self._match()
            if not self.analysing:
                if not expected or expected[0] not in match.moves():
                    return
                start, words = self.place or ("", [])
                match = self.host.match(start, [*words, self._word(match.position, expected[0])])
                if match.payoffs is not None:
                    return
            self.go_request = UciRequest(endless=True, ponder=not self.analysing)
            self.dropped = False
            report = self.report
            self._search(match, self.go_request)
            if not self.analysing:
                self.report = report

    def _analyze(self, tokens: list[str]) -> None:
        self.seat, self.analysing = None, True

    def _move_now(self, tokens: list[str]) -> None:
        """Ignore `?`: no search for a move runs."""

    def _status(self, tokens: list[str]) -> None:
        if self.analysing and self.report is not None:
            report = self.report
            self.send(f"stat01: {int(100 * report.seconds)} {report.nodes} {report.depth} 0 0")

    def _ping(self, tokens: list[str]) -> None:
        self.player.reserve()
        self.send(" ".join(["pong", *tokens[:1]]))

    def _hard(self, tokens: list[str]) -> None:
        self.hard = True

    def _easy(self, tokens: list[str]) -> None:
        self.hard = False

    def _post(self, tokens: list[str]) -> None:
        self.posting = True

    def _nopost(self, tokens: list[str]) -> None:
        self.posting = False

    def _hint(self, tokens: list[str]) -> None:
        report = self.report
        match = self._match()
        for move in reversed(report.pv[:2] if report is not None else ()):  # our move may have been made
            if move in match.moves():
                self.send(f"Hint: {self._word(match.position, move)}")
                return

    def _poll_input(self, seconds: float) -> None:
        """Handle input during a search: `ping` and `.` of an analysis at once; the rest is queued."""
        with suppress(Empty):
            while True:
                self.queued.append(self.inbox.get(timeout=seconds) if seconds else self.inbox.get_nowait())
                seconds = 0
        remaining: list[str | None] = []
        for line in self.queued:
            word, *rest = (line or "").split() or [""]
            self.input_ended = self.input_ended or line is None
            if not self.searching_move and word == ".":
                self._status([])
            elif not self.searching_move and word == "ping":
                self._ping(rest)
            elif word == "?":
                self.stopping = True
            else:
                remaining.append(line)
                if word in self.ends or word == "quit":
                    self.stopping = self.dropped = True
                elif word and not self.searching_move:
                    self.stopping = True
        self.queued = remaining

    def _watch(self, match: "MatchControl", report: "Report | None") -> bool:
        if report is not None and self.analysing:
            self.report = report
        return super()._watch(match, report)

    def _send_info(self, match: "MatchControl", report: "Report") -> None:
        if not self.posting or self.dropped or self.go_request.ponder or report.bound == "unknown":
            return
        lines = report.candidates if len(report.candidates) > 1 else (report,)
        for line in lines:
            numbers = format_points(line.value, match.position.unit), int(100 * report.seconds), report.nodes
            self.send(" ".join(map(str, (report.depth, *numbers, *self._format_line(match, line.pv)))))
