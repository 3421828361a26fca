"""The client side of the Chess Engine Communication Protocol (xboard, WinBoard).

Protocol versions 1 and 2 (Tim Mann and H.G. Muller, https://www.gnu.org/software/xboard/engine-intf.html). An
engine that sends no `feature` within INTRODUCTION speaks version 1. Our clock and our rules decide, so an
engine thinks only between our `go` and its move: it gets moves in force mode. A pondering engine (`hard`) is
left out of force mode after its move: it may think on the opponent's time, and thinks about its own move when
it gets the reply.

Engines differ in move notation (`e2e4`, `Nf3`, `O-O`), in how they report unknown commands (some as an
illegal move), and in extra output, which is ignored. Some support neither `sd` nor fractions of a second: `?`
ends a search that is too deep or too long.
"""

import re
import time
from collections.abc import Callable, Sequence
from math import ceil
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.errors import Fault, IllegalMove, Usage, brief, unknown_name
from gameplay.notation import in_uci
from gameplay.protocols.channel import Broken, Channel
from gameplay.protocols.talk import Info, Moves, ReportPacer, Talk
from gameplay.protocols.uci import MOVETIME, is_chess960
from gameplay.search.limit import MAX_LIMIT, Limit, numeral

if TYPE_CHECKING:
    from gameplay.players.player import ClockView
    from gameplay.position import AbstractPosition

FEATURE_TIMEOUT = 4.0  # seconds to wait for features; 2 by the protocol, but GNU Chess takes longer
LOAD_TIMEOUT = 60.0  # seconds to load after done=0
QUIET = 0.02  # seconds without a line after which an engine without `ping` counts as ready
UNLIMITED_SECONDS = 86_400  # seconds per move if only the depth is limited
MATE = 100_000  # a value of MATE + n is a mate in n moves
RESIGNED, DRAWN = "resign", "1/2-1/2"  # instead of a move
RESULTS = {"1-0": 0, "0-1": 1}  # and the seat of the winner
FISCHER = "fischerandom"

FEATURES = {  # and their defaults
    **dict.fromkeys(("ping", "setboard", "playother", "san", "usermove", "ics", "name", "pause", "nps"), "0"),
    **dict.fromkeys(("memory", "smp", "exclude", "setscore", "highlight", "debug", "xedit"), "0"),
    **dict.fromkeys(("time", "draw", "sigterm", "reuse", "analyze", "colors"), "1"),
    **dict.fromkeys(("myname", "variants", "egt", "option", "done", "sigint"), ""),
}

_FEATURE = re.compile(r"""([\w-]+)=("[^"]*"|'[^']*'|\S*)""")
_THINKING = re.compile(r"(-?\d{1,9})[.+&?]?\s+([+-]?\d{1,9})\s+(\d{1,18})\s+(\d{1,18})(?:\s+(.*))?", re.ASCII)
_MOVE = re.compile(r"(?:move|My move is\s*:?)(?:\s+(.*))?$")
_ECHO = re.compile(r"\d+\.\s*\.\.\.\s*(\S+)")  # an engine move in version 1
_RESULT = re.compile(r"(?:result\s+)?(1-0|0-1|1/2-1/2)(?![\w/-])")
_REFUSAL = re.compile(r"(?:illegal|invalid) move", re.IGNORECASE)
_COMPLAINT = re.compile(r"error\b|tellusererror\b|telluser\b|illegal|invalid", re.IGNORECASE)
_MOVE_NUMBER = re.compile(r"\d+\.+")  # move numbers in a line
_FEN_ITEM = re.compile(r"[KQRBNPkqrbnp]|\d")


class Xboard(Talk):
    """A connection to an xboard engine."""

    name = "xboard"
    own_notation = True
    needs_reply = False  # the engine chooses what to ponder on

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel)
        self.features = dict(FEATURES)
        self.options: dict[str, str] = {}  # engine options and their types: spin, check, ...
        self.modern = False  # protocol version 2
        self.pings = 0
        self.board: AbstractPosition  # the current position
        self.special = False  # Chess960
        self.place: tuple[str, list[str]] | None = None  # the start and moves on the engine's board
        self.timed = False  # the time control was sent
        self.player = 0
        self.hurry: float | None = None  # time at which to send `?`
        self.deepest: int | None = None  # depth beyond which to send `?`
        self.draw_offered = False  # the engine has offered a draw
        self.free = False  # the engine may ponder until `force`

    @classmethod
    def check(cls, position: "AbstractPosition", limit: Limit) -> None:
        super().check(position, limit)
        if in_uci(position) is None:
            raise Usage("xboard is supported for chess only")
        if limit.nodes is not None:
            raise Usage("xboard cannot limit nodes. Try: time=SECONDS, depth=N, or a clock")

    @property
    def reusable(self) -> bool:
        return self.features["reuse"] != "0"

    # -- beginning -------------------------------------------------------------------------------

    def greet(self, options: dict[str, str], deadline: float) -> None:
        """Initialize the engine and set options. Raises Broken, or Fault for an unknown option."""
        self.channel.send("xboard", deadline)
        self.channel.send("protover 2", deadline)
        ends = min(deadline, time.monotonic() + FEATURE_TIMEOUT)
        while self.features["done"] != "1":
            line = self.channel.receive(ends)
            if line is None:
                if self.features["done"] == "0":
                    raise Broken("hang", "said 'feature done=0', and 'done=1' did not follow in time")
                break
            self._note(line)
            if self.features["done"] == "0":
                ends = time.monotonic() + LOAD_TIMEOUT
        for name, text in options.items():
            self._option(name, text, deadline)
        for command in ("post", "hard" if self.ponders else "easy"):
            self.channel.send(command, deadline)
        self.ping(time.monotonic() + LOAD_TIMEOUT if options else deadline)

    def _feature(self, name: str, text: str) -> None:
        supported, deadline = name in FEATURES, time.monotonic() + FEATURE_TIMEOUT
        if name == "option":
            title, dash, kind = text.partition(" -")
            self.options[title.strip()] = kind.split()[0] if dash and kind.strip() else "string"
        elif supported:
            self.features[name] = text
        if name != "done":
            self.channel.send(f"{'accepted' if supported else 'rejected'} {name}", deadline)

    def _option(self, name: str, text: str, deadline: float) -> None:
        """Set an option of the engine, or its memory, processors or tables. Raises Fault."""
        names = {option.lower(): option for option in self.options}
        word = name.lower()
        if word in names:
            name = names[word]
            kind = self.options[name]
            if kind == "check":
                text = {"true": "1", "on": "1", "false": "0", "off": "0"}.get(text.lower(), text)
            self.channel.send(f"option {name}" + ("" if kind in ("button", "save") else f"={text}"), deadline)
            return
        common: dict[str, str] = {}
        if self.features["memory"] == "1":
            common |= {"hash": "memory", "memory": "memory"}
        if self.features["smp"] == "1":
            common |= {"threads": "cores", "cores": "cores"}
        common |= {
            f"{kind}path": f"egtpath {kind}" for kind in self.features["egt"].lower().split(",") if kind
        }
        if word not in common:
            raise Fault(
                f"cannot be configured: {unknown_name('option', name, [*self.options, *common])}", "start"
            )
        if " " not in common[word] and not numeral(text):
            raise Fault(
                f"cannot be configured: {name} must be a whole number from 1 up, not '{brief(text)}'", "start"
            )
        self.channel.send(f"{common[word]} {text}", deadline)

    def begin(self, deadline: float) -> None:
        """Start a new game: the engine's last one is over."""
        self.place = None
        self.channel.send("force", deadline)
        self.ping(deadline)

    def ping(self, deadline: float) -> None:
        """Wait until the engine is ready, discarding late answers to earlier commands."""
        self.channel.reset_answer_size()
        if self.features["ping"] != "1":
            while (line := self.channel.receive(min(deadline, time.monotonic() + QUIET))) is not None:
                self._note(line)
            return
        self.pings += 1
        self.channel.send(f"ping {self.pings}", deadline)
        while (line := self.channel.receive(deadline)) is not None:
            if line.split() == ["pong", str(self.pings)]:
                return
            self._note(line)
        raise Broken("hang", f"did not send 'pong {self.pings}' in time")

    # -- positions -------------------------------------------------------------------------------

    def prepare(self, position: "AbstractPosition", deadline: float) -> None:
        """Set the position. Raises Broken for Chess960 if the engine does not support it."""
        self.board, self.special = position, is_chess960(position)
        if self.special and FISCHER not in self.features["variants"].split(","):
            raise Broken("start", "does not play Chess960")

    def start(self, position: "AbstractPosition", text: str) -> str:
        """The start position in the engine's notation, "" for the standard one."""
        return str(position.text()) if text or is_chess960(position) else ""

    def format_move(self, position: "AbstractPosition", move: int) -> str:
        """A move in the engine's notation."""
        if self.features["san"] == "1":
            return str(position.format(move))
        return format_move(position, move)

    def parse_move(self, position: "AbstractPosition", word: str) -> int:
        """Parse a move. Raises IllegalMove."""
        return parse_move(position, word)

    def position(self, start: str, moves: Moves, deadline: float) -> None:
        """Send the position: only the new moves, or a new game with all moves."""
        words = [word for _, word in moves]
        place = self.place
        self.place = None
        if place is None or place[0] != start or place[1] != words[: len(place[1])]:
            self._new_game(start, deadline)
            place = start, []
        else:
            self.channel.send("force", deadline)
        for word in words[len(place[1]) :]:
            self._send_move(word, deadline)
        self.place = start, words
        self.ping(deadline)

    def _new_game(self, start: str, deadline: float) -> None:
        self.timed = False
        self.channel.send("new", deadline)
        if self.special:
            self.channel.send(f"variant {FISCHER}", deadline)
        self.channel.send("force", deadline)
        if start and self.features["setboard"] == "1":
            self.channel.send(f"setboard {start}", deadline)
        elif start:
            for line in self._edit_lines(start):
                self.channel.send(line, deadline)

    def _edit_lines(self, fen: str) -> list[str]:
        """The lines of `edit` that make a position. Raises Broken for one that `edit` cannot express."""
        rows, turn, castling, passing = fen.split()[:4]
        if passing != "-" or castling != _home_castling_rights(rows):
            why = "it has no setboard, and edit expresses neither lost castling rights nor en passant"
            raise Broken("start", f"cannot be given the position {fen}: {why}")
        pieces: tuple[list[str], list[str]] = [], []
        for number, row in zip("87654321", rows.split("/"), strict=True):
            column = 0
            for sign in _FEN_ITEM.findall(row):
                if sign.isdecimal():
                    column += int(sign)
                else:
                    pieces[sign.islower()].append(f"{sign.upper()}{'abcdefgh'[column]}{number}")
                    column += 1
        # `edit` keeps the side to move, which is White until White has moved.
        moved = [self._worded("a2a3")] if turn == "b" else []
        return [*moved, "edit", "#", *pieces[0], "c", *pieces[1], "."]

    def _worded(self, word: str) -> str:
        return f"usermove {word}" if self.features["usermove"] == "1" else word

    def _send_move(self, word: str, deadline: float) -> None:
        self.channel.send(self._worded(word), deadline)

    # -- searching -------------------------------------------------------------------------------

    def go(self, player: int, limit: Limit, clock: "ClockView | None", deadline: float) -> None:
        """Request the move of `player`."""
        self._launch("go", player, limit, clock, deadline)

    @property
    def pondering(self) -> bool:
        return self.free

    def ponder(
        self, start: str, moves: Moves, player: int, limit: Limit, clock: "ClockView | None", deadline: float
    ) -> None:
        """Let it ponder: stay out of force mode after its move, if its board is in sync."""
        self.free = self.place == (start, [word for _, word in moves])

    def is_pondering_on(self, start: str, moves: Moves) -> bool:
        """True if one reply has been played since its move."""
        return self.free and self.place == (start, [word for _, word in moves[:-1]])

    def ponder_hit(
        self, moves: Moves, player: int, limit: Limit, clock: "ClockView | None", deadline: float
    ) -> None:
        """Send the reply, which the engine answers with its move."""
        assert self.place is not None
        self.free = False
        word = moves[-1][1]
        self.place = self.place[0], [*self.place[1], word]
        self._launch(self._worded(word), player, limit, clock, deadline)

    def stop_pondering(self, deadline: float) -> None:
        """Stop pondering. Raises Broken if the program is not ready by `deadline`."""
        if self.free:
            self.free = False
            self.channel.send("force", deadline)
            self.ping(deadline)

    def _launch(
        self, command: str, player: int, limit: Limit, clock: "ClockView | None", deadline: float
    ) -> None:
        """Send the limits of the move of `player`, and the command to move."""
        assert self.place is not None
        self.player = player
        seconds = limit.seconds
        if clock is not None and clock.each(player):
            seconds = min(clock.seconds(player), seconds or float("inf"))
            clock = None
        if seconds is None and clock is None and limit.depth is None:
            seconds = MOVETIME
        if not self.timed:
            for line in self._times(player, limit.depth, seconds, clock):
                self.channel.send(line, deadline)
            self.timed = True
        if clock is not None and self.features["time"] != "0":
            hundredths = max(1, int(100 * clock.allowance(player)))
            self.channel.send(f"time {hundredths}", deadline)
            if clock.runs(1 - player):
                self.channel.send(f"otim {max(1, int(100 * clock.remaining(1 - player)))}", deadline)
        self.info = {}
        self.channel.reset_answer_size()
        self.hurry = None if seconds is None else time.monotonic() + seconds
        self.deepest = limit.depth
        self.draw_offered = False
        self.channel.send(command, deadline)

    def _times(
        self, player: int, depth: int | None, seconds: float | None, clock: "ClockView | None"
    ) -> list[str]:
        """The commands that limit the moves of a game. `st` takes whole seconds; `?` enforces fractions."""
        if clock is not None:
            assert self.place is not None
            moves = clock.moves_to_go(player)
            if moves:  # engines count all moves of the game; more moves to go are safer
                moves += len(self.place[1]) // 2
            minutes, rest = divmod(max(1, int(clock.remaining(player))), 60)
            base = f"{minutes}:{rest:02}" if rest else str(minutes)
            lines = [f"level {moves} {base} {clock.bonus(player):g}"]
        else:
            lines = [f"st {UNLIMITED_SECONDS if seconds is None else ceil(seconds)}"]
        return [*lines, f"sd {depth}"] if depth is not None else lines

    def answer(self, deadline: float, watch: Callable[[Info], bool]) -> str | None:
        """The best move as text, RESIGNED or DRAWN; None if none arrives by `deadline`.

        Raises Broken for a claim to have won: our rules would have ended the game.
        """
        latest, pacer = "", ReportPacer(watch, lambda: self.halt(deadline))
        while True:
            line = self.channel.receive(deadline if self.hurry is None else min(deadline, self.hurry))
            if line is None:
                if self.hurry is None or time.monotonic() >= deadline:
                    return None
                self.halt(deadline)
                continue
            if (word := self._parse_move(line)) is not None:
                self.info |= parse_info(latest)
                self._store_move(word)
                if self.place is not None and not self._leads(self.info.get("pv", ())):
                    self.info["pv"] = [word]  # stopped between two root moves
                return word
            if (claim := self._parse_claim(line)) is not None:
                return claim
            if _THINKING.match(line):
                if self._too_deep(line):
                    pacer.stop()
                    continue
                latest = line  # parsed lazily: engines may send many lines
                if pacer.due():
                    self.info |= parse_info(latest)
                    pacer.report(self.info)
            else:
                self._note(line)

    def resigns(self, word: str) -> bool:
        """True if the answer resigns."""
        return word == RESIGNED

    def claims_draw(self, word: str) -> bool:
        return word == DRAWN

    def offer_draw(self, deadline: float) -> bool:
        if self.features["draw"] == "0":
            return False
        self.draw_offered = False
        self.channel.send("draw", deadline)
        self.ping(deadline)
        return self.draw_offered

    # -- inside ----------------------------------------------------------------------------------

    def halt(self, deadline: float) -> None:
        """Request the move at once."""
        self.hurry = None
        if self.features["sigint"] == "1":  # only if requested: it kills other programs
            self.channel.interrupt()
        self.channel.send("?", deadline)

    def _too_deep(self, line: str) -> bool:
        match = _THINKING.match(line)
        return self.deepest is not None and match is not None and int(match[1]) > self.deepest

    def _parse_move(self, line: str) -> str | None:
        """The engine's move in a line, or None."""
        match = _MOVE.match(line) or (None if self.modern else _ECHO.match(line))
        return (match[1] or "") if match else None

    def _store_move(self, word: str) -> None:
        """Store a move that the engine has made; if it is invalid, its board is unknown."""
        if self.place is None:
            return
        start, words = self.place
        self.place = None
        try:
            word = self.format_move(self.board, self.parse_move(self.board, word))
        except IllegalMove:
            return
        self.place = start, [*words, word]

    def _leads(self, line: Sequence[str]) -> bool:
        """True if a line begins with the engine's last move."""
        assert self.place is not None
        try:
            first = self.format_move(self.board, self.parse_move(self.board, line[0])) if line else ""
        except IllegalMove:
            return False
        return first == self.place[1][-1]

    def _parse_claim(self, line: str) -> str | None:
        """RESIGNED or DRAWN for a line that ends the game; None for any other."""
        if line.split()[:1] in (["resign"], ["resigns"]) or line == "tellics resign":
            return RESIGNED
        match = _RESULT.match(line)
        if match is None:
            return None
        if match[1] == DRAWN:
            return DRAWN
        if RESULTS[match[1]] == self.player:
            raise Broken("protocol_error", f"claims '{brief(line)}' instead of a move")
        return RESIGNED

    def _note(self, line: str) -> None:
        """Handle a line that is not a move. Raises Broken if it refuses a legal move."""
        if line.startswith("feature "):
            self.modern = True
            for name, text in _FEATURE.findall(line):
                self._feature(name, text.strip("\"'"))
        elif line in ("offer draw", "tellics draw"):
            self.draw_offered = True
        elif _COMPLAINT.match(line) and not line.endswith("?"):  # `?` may come too late
            self.channel.tail.append(line[:500])
        words = self.place[1] if self.place is not None else []
        if words and _REFUSAL.match(line) and words[-1] in re.split(r"[\s:'\"]+", line):
            raise Broken("protocol_error", f"refuses a legal move: '{brief(line)}'")


def format_move(position: "AbstractPosition", move: int, always: bool = False) -> str:
    """A move as `e2e4`, `e7e8q`; in Chess960, or with `always`, castling is `O-O`."""
    chess = in_uci(position)
    assert chess is not None
    if always or chess.chess960:
        word = str(position.format(move)).rstrip("+#")
        if word.startswith("O-O"):
            return word
    return chess.uci(move)


def parse_move(position: "AbstractPosition", word: str) -> int:
    """Parse a move in coordinate notation or SAN. Raises IllegalMove."""
    chess = in_uci(position)
    assert chess is not None
    try:
        return chess.from_uci(word)
    except IllegalMove:
        return int(position.parse(word))


def parse_info(line: str) -> Info:
    """Parse a line of thinking output: depth, value, nodes and `pv`; {} for any other line.

    `ply value hundredths nodes pv`; there may be further numbers, separated by tabs, before the moves.
    """
    match = _THINKING.match(line)
    if match is None:
        return {}
    depth, points, _, nodes, rest = match.groups()
    words = (rest or "").rpartition("\t")[2].split()
    pv = [word for word in (_MOVE_NUMBER.sub("", word).strip("<>(),") for word in words) if word.strip("!?.")]
    return {
        "depth": max(0, min(scale.MAX_PLY, int(depth))),
        "value": parse_score(int(points)),
        "nodes": min(MAX_LIMIT, int(nodes)),
        "pv": pv,
    }


def parse_score(points: int) -> int:
    """Convert a value in hundredths of a pawn to a `gameplay.value`; from MATE on it is a mate distance in
    moves.
    """
    if abs(points) < MATE:
        return max(-scale.MAX_EVAL, min(scale.MAX_EVAL, points))
    moves = abs(points) - MATE
    plies = min(scale.MAX_PLY, max(1, 2 * moves - 1) if points > 0 else 2 * moves)
    return scale.WIN - plies if points > 0 else plies - scale.WIN


def _home_castling_rights(rows: str) -> str:
    """The castling rights implied by kings and rooks on their home squares, in FEN notation."""
    rights = ""
    for row, king, signs in ((rows.split("/")[7], "K", "KQ"), (rows.split("/")[0], "k", "kq")):
        squares = re.sub(r"\d", lambda digits: "." * int(digits[0]), row)
        rook = "R" if king == "K" else "r"
        if squares[4] == king:
            rights += signs[0] * (squares[7] == rook) + signs[1] * (squares[0] == rook)
    return rights or "-"
