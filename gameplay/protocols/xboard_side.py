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
from typing import TYPE_CHECKING, ClassVar

from gameplay import value as scale
from gameplay.capabilities import HasClaims
from gameplay.errors import GameplayError, IllegalMove, Usage, brief
from gameplay.protocols.side import RESIGN, Asked, Times, message
from gameplay.protocols.uci import UNCOUNTED
from gameplay.protocols.uci_side import UciSide, Wish
from gameplay.protocols.xboard import FISCHER, MATE, spell
from gameplay.search.limit import Limit, numeral
from gameplay.value import MAX_PLY

if TYPE_CHECKING:
    from gameplay.players.player import MatchControl
    from gameplay.position import AbstractPosition
    from gameplay.search.report import Report

DRAWISH = 20  # hundredths of a pawn: accept a draw if ahead by no more ...
PATIENT = 8  # ... for this number of consecutive moves
RESULTS = ("1/2-1/2", "1-0", "0-1")
OTHERS = ("hash", "threads", "syzygypath", "ponder", "uci_chess960")  # options set by commands

_BARE = re.compile(r"[a-h][1-8][a-h][1-8][qrbnQRBN]?|O-O(?:-O)?|0-0(?:-0)?")
_LEVEL = re.compile(r"(\d{1,4}) (\d{1,6})(?::([0-5]?\d))? (\d{1,6}(?:\.\d{1,6})?)")
_OFFER = re.compile(r"(.+) type (\w+)(?: default (.*?))?(?: min (-?\d+) max (-?\d+))?((?: var .+)*)")


def points(value: float, unit: int) -> int:
    """Convert a value on our scale for `post`: hundredths of a pawn; a mate in N moves is MATE + N."""
    if not scale.is_win(value):
        return round(100 * value / unit) if isinstance(value, float) else int(value)
    if not scale.is_counted(value):
        return UNCOUNTED if value > 0 else -UNCOUNTED
    moves = MATE + (scale.plies(value) + 1) // 2
    return moves if value > 0 else -moves


def feature(offer: str) -> str:
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
    """Answers one conversation in the protocol of xboard."""

    commands: ClassVar[tuple[str, ...]] = (
        *("xboard", "protover", "accepted", "rejected", "new", "variant", "quit", "random", "force", "go"),
        *("playother", "level", "st", "sd", "time", "otim", "usermove", "?", "ping", "draw", "result"),
        *("setboard", "hint", "undo", "remove", "hard", "easy", "post", "nopost", "analyze", "exit", "."),
        *("name", "rating", "computer", "memory", "cores", "egtpath", "option"),
    )
    ends = ("force", "new", "result", "setboard", "undo", "remove", "variant", "exit")
    line = ""  # the command that is obeyed
    posting = hard = analysing = False
    dropped = False  # the move of this search is not wanted
    thinks = False  # a search for a move runs
    report: "Report | None" = None  # of the last move or analysis
    clock = (0, 300.0, 0.0)  # moves, seconds and increment
    seconds: float | None = None  # a move, by `st`
    plies: int | None = None  # by `sd`

    def execute(self, line: str) -> bool:
        """Answer one line, and search on until the next; false if it ends the conversation."""
        self.line = line.strip()
        if not super().execute(line):
            return False
        if self.later or not self.inbox.empty():
            return True
        if self.analysing:
            self._search_on()
        elif self.hard and self.seat is not None and self.report is not None:
            self._search_on(self.report.pv[1:2])
        return True

    def _heard(self, tokens: list[str]) -> list[str]:
        if not tokens or tokens[0] in self.commands:
            return [{"?": "move_now", ".": "status"}.get(tokens[0], tokens[0]), *tokens[1:]] if tokens else []
        if _BARE.fullmatch(tokens[0]) and len(tokens) == 1:
            return ["usermove", *tokens]
        self.say(f"Error (unknown command): {brief(message(self.line), 200)}")
        return []

    def _send_notice(self, text: str) -> None:
        self.say(f"Error ({brief(message(text), 300)}): {brief(message(self.line), 150)}")

    # -- beginning -------------------------------------------------------------------------------

    def _protover(self, tokens: list[str]) -> None:
        options = self._options()
        self.say("feature done=0")
        self.say(
            "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=1 reuse=1"
        )
        self.say(f'feature analyze=1 colors=0 name=1 nps=0 debug=1 variants="normal,{FISCHER}"')
        self.say(f"feature memory={int('table' in options)} smp={int('threads' in options)}")
        if "syzygy" in self.opens:
            self.say('feature egt="syzygy"')
        self.say(f'feature myname="{self.title}"')
        for offer in self._offers():
            if offer.partition(" type ")[0].lower() not in OTHERS:
                self.say(f'feature option="{feature(offer)}"')
        self.say("feature done=1")

    def _new(self, tokens: list[str]) -> None:
        self._begin()

    def _begin(self) -> None:
        super()._begin()
        self.always, self.analysing = False, False
        self.seat: int | None = 1  # that we play; None: none, moves are only made
        self.plies = None
        self.left: list[float | None] = [None, None]  # seconds: ours, the opponent's
        self.report = None
        self.points: list[int] = []  # of our moves in this game

    def _variant(self, tokens: list[str]) -> None:
        if tokens not in (["normal"], [FISCHER]):
            raise Usage(f"the variants are normal and {FISCHER}")
        self.always = tokens == [FISCHER]

    def _ignore(self, tokens: list[str]) -> None:
        """Nothing follows from it."""

    _xboard = _accepted = _rejected = _random = _name = _rating = _computer = _ignore

    # -- options ---------------------------------------------------------------------------------

    def _memory(self, tokens: list[str]) -> None:
        self._choose("Hash", "".join(tokens))

    def _cores(self, tokens: list[str]) -> None:
        self._choose("Threads", "".join(tokens))

    def _egtpath(self, tokens: list[str]) -> None:
        if tokens[:1] != ["syzygy"]:
            raise Usage("the tables are syzygy")
        self._choose("SyzygyPath", " ".join(tokens[1:]))

    def _option(self, tokens: list[str]) -> None:
        name, _, text = " ".join(tokens).partition("=")
        offered = {offer.partition(" type ")[0].lower(): offer for offer in self._offers()}
        if " type check " in offered.get(name.strip().lower(), ""):
            text = {"1": "true", "0": "false"}.get(text.strip(), text)
        self._choose(name.strip(), text.strip())

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
            raise Usage("st is a number of seconds over 0")
        self.seconds = float(text)

    def _sd(self, tokens: list[str]) -> None:
        depth = numeral("".join(tokens))
        if not depth:
            raise Usage("sd is a number of plies from 1 up")
        self.plies = min(depth, MAX_PLY)

    def _time(self, tokens: list[str]) -> None:
        self._note_time(0, tokens)

    def _otim(self, tokens: list[str]) -> None:
        self._note_time(1, tokens)

    def _note_time(self, whose: int, tokens: list[str]) -> None:
        text = "".join(tokens)
        number = numeral(text.removeprefix("-"))
        if number is None:
            raise Usage("a time is a number of hundredths of a second")
        self.left[whose] = 0.0 if text.startswith("-") else number / 100

    def _wished(self, turn: int) -> Wish:
        """The limits of the next search by `level`, `st` and `sd`."""
        limit = Limit(depth=self.plies, seconds=self.seconds)
        moves, main, increment = self.clock
        if self.seconds is not None or (self.plies is not None and self.left[0] is None):
            return Wish(limit)
        made = len(self.place[1]) // 2 if self.place is not None else 0
        ours, other = (max(0.01, main if seconds is None else seconds) for seconds in self.left)
        hands = (ours, increment), (other, increment)
        first, second = hands if turn == 0 else hands[::-1]
        times: Times = (first, second, moves - made % moves if moves else 0)
        return Wish(limit, times)

    # -- positions -------------------------------------------------------------------------------

    def _setboard(self, tokens: list[str]) -> None:
        start = " ".join(tokens)
        self.report, self.points = None, []
        kept, self.place = self.place, None
        try:
            if not start:
                raise Usage("setboard is followed by a FEN")
            self._check_start(start)
            self.host.match(start, [])
        except GameplayError as error:
            self.place = kept
            self.say(f"tellusererror Illegal position: {message(str(error))}")
            return
        self.place = start, []

    def _usermove(self, tokens: list[str]) -> None:
        word = "".join(tokens)
        try:
            match = self._made(word)
        except (IllegalMove, Usage) as error:
            why = brief(message(str(error)), 300)
            self.say(f"Illegal move ({why}): {brief(message(word))}")
            return
        self.report = None
        if self.analysing or self._over(match) or self.seat is None or match.position.turn != self.seat:
            return
        self._move()

    def _made(self, word: str) -> "MatchControl":
        """The match after one more move. Raises IllegalMove or Usage, and the position stays as it was."""
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
        self._drop(1)

    def _remove(self, tokens: list[str]) -> None:
        self._drop(2)

    def _drop(self, count: int) -> None:
        if self.place is None or len(self.place[1]) < count:
            raise Usage("there is no move to take back")
        start, words = self.place
        self.place = start, words[:-count]
        self.report = None
        if self.points:
            self.points.pop()

    def _over(self, match: "MatchControl") -> bool:
        """True if the game is over; its result is sent."""
        payoffs = match.payoffs
        if payoffs is None:
            return False
        sign = (payoffs[0] > payoffs[1]) - (payoffs[0] < payoffs[1])
        why = ("Drawn by the rules", "White mates", "Black mates")[sign]
        self.say(f"{RESULTS[sign]} {{{why}}}")
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
        if self._over(match):
            return
        self.seat = match.position.turn
        self._move()

    def _move(self) -> None:
        """Search, and make and send the move, unless it is not wanted any more."""
        match = self._match()
        self.wish = self._wished(match.position.turn)
        self.dropped, self.thinks = False, True
        try:
            best = self._search(match, self.wish)
        finally:
            self.thinks = False
        if self.dropped or self.deserted:
            return
        if best == RESIGN:
            self.say("resign")
            return
        if self.report is not None:
            self.points.append(points(self.report.value, match.position.unit))
            if self._claims(match):
                return
        self.say(f"move {best}")
        self._over(self._made(best))

    def _claims(self, match: "MatchControl") -> bool:
        """Claim a draw if a rule gives one and we are not ahead; true if so."""
        position = match.position
        reason = position.claim() if isinstance(position, HasClaims) and self.points[-1] <= 0 else ""
        if reason:
            self.say(f"{RESULTS[0]} {{{message(reason)}}}")
        return bool(reason)

    def _draw(self, tokens: list[str]) -> None:
        last = self.points[-PATIENT:]
        if len(last) == PATIENT and all(value <= DRAWISH for value in last):
            self.say("offer draw")

    def _resigns(self, asked: Asked) -> bool:
        return not asked.endless

    def _best(self, match: "MatchControl", move: int, report: "Report | None") -> str:
        self.report = report
        return self._word(match.position, move)

    def _word(self, position: "AbstractPosition", move: int) -> str:
        return spell(position, move, self.always)

    # -- searching -------------------------------------------------------------------------------

    def _search_on(self, expected: Sequence[int] = ()) -> None:
        """Analyse, or search after the reply that we expect, until a line comes."""
        with suppress(GameplayError):
            match = self._match()
            if not self.analysing:
                if not expected or expected[0] not in match.moves():
                    return
                start, words = self.place or ("", [])
                match = self.host.match(start, [*words, self._word(match.position, expected[0])])
                if match.payoffs is not None:
                    return
            self.wish = Wish(endless=True, ponder=not self.analysing)
            self.dropped = False
            report = self.report
            self._search(match, self.wish)
            if not self.analysing:
                self.report = report

    def _analyze(self, tokens: list[str]) -> None:
        self.seat, self.analysing = None, True

    def _move_now(self, tokens: list[str]) -> None:
        """Ignore `?`: no search for a move runs."""

    def _status(self, tokens: list[str]) -> None:
        if self.analysing and self.report is not None:
            report = self.report
            self.say(f"stat01: {int(100 * report.seconds)} {report.nodes} {report.depth} 0 0")

    def _ping(self, tokens: list[str]) -> None:
        self.say(" ".join(["pong", *tokens[:1]]))

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
                self.say(f"Hint: {self._word(match.position, move)}")
                return

    def _look(self, seconds: float) -> None:
        """Handle input during a search: `ping` and `.` of an analysis at once; the rest is queued."""
        with suppress(Exception):
            while True:
                self.later.append(self.inbox.get(timeout=seconds) if seconds else self.inbox.get_nowait())
                seconds = 0
        kept: list[str | None] = []
        for line in self.later:
            word, *rest = (line or "").split() or [""]
            self.deserted = self.deserted or line is None
            if not self.thinks and word == ".":
                self._status([])
            elif not self.thinks and word == "ping":
                self._ping(rest)
            elif word == "?":
                self.stopping = True
            else:
                kept.append(line)
                if word in self.ends or word == "quit":
                    self.stopping = self.dropped = True
                elif word and not self.thinks:
                    self.stopping = True
        self.later = kept

    def _watch(self, match: "MatchControl", report: "Report | None") -> bool:
        if report is not None and self.analysing:
            self.report = report
        return super()._watch(match, report)

    def _inform(self, match: "MatchControl", report: "Report") -> None:
        if not self.posting or self.dropped or self.wish.ponder or report.bound == "unknown":
            return
        lines = report.candidates if len(report.candidates) > 1 else (report,)
        for one in lines:
            numbers = points(one.value, match.position.unit), int(100 * report.seconds), report.nodes
            self.say(" ".join(map(str, (report.depth, *numbers, *self._spelled(match, one.pv)))))
