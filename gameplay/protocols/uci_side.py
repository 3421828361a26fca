"""The server side of UCI, for chess programs that use our engines.

The Universal Chess Interface (Stefan Meyer-Kahlen and Rudolf Huber, 2006); for other games see
`gameplay.protocols.ugi`.

    uci                                          id, option ..., uciok
    isready                                      readyok, also during a search
    setoption name NAME value VALUE              Hash, Level, ..., and the engine's options
    ucinewgame
    position startpos|fen FEN [moves WORD ...]   moves as e2e4, e7e8q
    go [wtime MS btime MS winc MS binc MS movestogo N] [movetime MS] [depth N] [nodes N] [mate N]
       [infinite] [ponder] [searchmoves WORD ...]
                                                 info ..., bestmove WORD [ponder WORD], or bestmove (none)
    go perft N                                   the perft count of each move, and the total
    stop                                         end the search with its best move so far
    ponderhit                                    the expected move was played: the clock starts
    bench [N]                                    searches of N plies along a game; prints nodes
    d                                            print the board
    debug, register                              ignored
    quit                                         also at the end of input

Unknown words are skipped, as the protocol requires, and reported by `info string`; a `go` with only unknown
words is refused. A number too small for a limit is reported and ignored. Limits of the command line
(`--engine selective:nodes=5000`) apply in addition to those of `go`; `go infinite` then stops at that limit
and answers at `stop`. `go mate N` searches N moves deep, a selective engine twice as deep. A second `go` ends
an endless search.
"""

import dataclasses
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gameplay import value as scale
from gameplay.adapter import kernel_of
from gameplay.errors import Usage, brief, unknown_name
from gameplay.notation import in_uci
from gameplay.protocols.side import EMPTY, NO_POSITION, UNLIMITED, GoRequest, MatchHost, Side
from gameplay.protocols.uci import format_move, parse_move
from gameplay.search.engine import DEEPENING
from gameplay.search.limit import MAX_LIMIT, Limit, numeral
from gameplay.search.options import MAX_THREADS
from gameplay.search.report import Report
from gameplay.value import MAX_PLY

if TYPE_CHECKING:
    from gameplay.knowledge.knowledge import Knowledge
    from gameplay.players.engine import EnginePlayer
    from gameplay.players.player import MatchControl
    from gameplay.position import AbstractPosition
    from gameplay.search.engine import Engine

NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes", "mate", "perft")
CLOCKS = ("wtime", "btime", "winc", "binc")
POSITIVE = ("depth", "nodes", "mate")  # limits that must be at least 1
FLAGS = ("infinite", "ponder", "searchmoves")
HASH = 65536  # maximum megabytes of a table
KNOWLEDGE = {  # UCI options, and the names of the knowledge sources
    "BookFile": "book",
    "SyzygyPath": "syzygy",
    "TablesPath": "tables",
}
MAX_OPTION = 2**31 - 1  # maximum of an option: clients use 32 bits
MULTIPV = 500  # more moves than any position has
BENCH_PLIES, BENCH_DEPTH = 12, 6


@dataclass
class UciRequest(GoRequest):
    """The limits of a UCI `go`; 0: not set.

    mate: maximum moves to mate; moves: search only these; perft: depth of a perft count instead of a search.
    """

    ponder: bool = False
    mate: int = 0
    perft: int = 0
    moves: Sequence[str] = ()


class UciSide(Side):
    """A UCI server; serves one connection.

    level: `level(n, engine)` creates the player of level n, up to `levels`; None: no levels. opens:
    functions that open a path, by kind of knowledge of the game (`book`, `syzygy`).
    """

    commands: ClassVar[tuple[str, ...]] = (
        *("uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop"),
        *("ponderhit", "quit", "d", "bench"),
    )
    during = ("isready", "ponderhit")
    player: "EnginePlayer"

    def __init__(
        self,
        title: str,
        player: "EnginePlayer",
        host: MatchHost,
        send: Callable[[str], object],
        level: "Callable[[int, Engine], EnginePlayer] | None" = None,
        levels: int = 0,
        opens: "Mapping[str, Callable[[str], Knowledge]] | None" = None,
    ) -> None:
        super().__init__(title, player, host, send)
        self.level = level
        self.levels = self.chosen = levels
        self.always = False  # castling as king takes rook, even from the standard start
        self.opens = opens or {}
        self.own = True  # OwnBook: the book may be used
        self.multipv = 1  # lines reported by a search
        self.go_request = UciRequest()
        self.deadline = 0.0

    # -- commands --------------------------------------------------------------------------------

    def _parse_command(self, tokens: list[str]) -> list[str]:
        for at, word in enumerate(tokens):
            if word in self.commands:
                return tokens[at:]
        return super()._parse_command(tokens)

    def _uci(self, tokens: list[str]) -> None:
        self._introduce("uciok")

    def _ucinewgame(self, tokens: list[str]) -> None:
        self._begin()

    def _debug(self, tokens: list[str]) -> None:
        """Ignore `debug`: there is nothing more to report."""

    def _register(self, tokens: list[str]) -> None:
        """Ignore `register`: the engine needs no registration."""

    def _ponderhit(self, tokens: list[str]) -> None:
        """The expected move was played: continue the pondering search within the limits of the move."""
        request = self.go_request
        if not request.ponder:
            return
        request.ponder = request.endless = False
        seconds = request.limit.seconds
        if request.times is not None and request.times[self.turn] is not None:
            share = self.host.clock(request.times).seconds(self.turn)
            seconds = min(share, seconds or share)
        if seconds is None and not request.limit:
            seconds = DEEPENING
        if seconds is not None:
            self.deadline = time.monotonic() + seconds

    def _check_start(self, start: str) -> None:
        if start and start.split()[0].count("/") != 7:
            fields = "eight rows parted by /, then side to move, castling, en passant"
            raise Usage(f"'{start[:80]}' is not a FEN: {fields}")

    def _d(self, tokens: list[str]) -> None:
        if self.place is None:
            raise Usage("there is no board to draw: the last position was invalid")
        position = self.host.match(*self.place).position
        for line in [*str(position).splitlines(), position.text() or ""]:
            self.send(line.rstrip())

    def _bench(self, tokens: list[str]) -> None:
        depth = numeral("".join(tokens[:1])) or 0
        limit = Limit(depth=depth if 1 <= depth <= MAX_PLY else BENCH_DEPTH)
        own = self.player.engine
        assert own is not None
        engine = dataclasses.replace(own)
        position = self.host.match("", []).replica()
        nodes, began = 0, time.monotonic()
        self.stopping = False
        for ply in range(BENCH_PLIES):
            if position.outcome() is not None or self.stopping:
                break
            report = engine.search(position, limit, self._glance)
            assert report.move is not None
            nodes += report.nodes
            self.send(f"ply {ply}: {format_move(position, report.move, self.always)}, {report.nodes} nodes")
            position.make(report.move)
        seconds = max(time.monotonic() - began, 1e-6)
        self.send(f"{nodes} nodes {round(nodes / seconds)} nps")

    def _parse_go(self, tokens: list[str]) -> UciRequest:
        numbers: dict[str, int] = {}
        flags: set[str] = set()
        moves: list[str] = []
        wrong: list[str] = []
        small: list[str] = []
        at = 0
        while at < len(tokens):
            word = tokens[at]
            at += 1
            if word == "searchmoves":
                while at < len(tokens) and tokens[at] not in NUMBERS + FLAGS:
                    moves.append(tokens[at])
                    at += 1
            elif word in FLAGS:
                flags.add(word)
            elif word not in NUMBERS:
                wrong.append(unknown_name("limit", word, NUMBERS + FLAGS))
            elif at < len(tokens) and re.fullmatch(r"-?[0-9]+", tokens[at]):
                number = min(int(tokens[at][:18]), MAX_LIMIT)
                at += 1
                if number >= (word in POSITIVE) or word in CLOCKS:  # a clock may be negative
                    numbers[word] = max(0, number)
                else:
                    small.append(f"{word} must be a number from {int(word in POSITIVE)} up, not {number}")
            elif at < len(tokens) and tokens[at] not in NUMBERS + FLAGS:
                wrong.append(f"{word} must be a whole number, not '{tokens[at][:80]}'")
                at += 1
            else:
                wrong.append(f"{word} must be followed by a whole number")
        if wrong and not (numbers or flags or moves or small):
            raise Usage(f"go is refused: {wrong[0]}")
        for complaint in wrong:
            self._send_notice(complaint)
        for complaint in small:
            self._send_notice(f"{complaint}: it is ignored")
        depth, nodes, movetime = (numbers.get(name) for name in ("depth", "nodes", "movetime"))
        limit = Limit(
            None if depth is None else min(depth, MAX_PLY),
            nodes,
            None if movetime is None else max(movetime, 1) / 1000,
        )
        hands = [
            (numbers[clock] / 1000, numbers.get(increment, 0) / 1000) if clock in numbers else None
            for clock, increment in (("wtime", "winc"), ("btime", "binc"))
        ]
        times = (hands[0], hands[1], numbers.get("movestogo", 0)) if any(hands) else None
        mate = numbers.get("mate", 0)
        self.go_request = UciRequest(
            limit,
            times,
            endless=bool(flags & {"infinite", "ponder"}),
            ponder="ponder" in flags,
            mate=mate,
            perft=numbers.get("perft", 0),
            moves=moves,
        )
        return self.go_request

    # -- searching -------------------------------------------------------------------------------

    def _go(self, tokens: list[str]) -> None:
        if "perft" in tokens:
            self._count(self._parse_go(tokens).perft)
        else:
            super()._go(tokens)

    def _count(self, depth: int) -> None:
        if self.place is None:
            raise Usage(NO_POSITION)
        position = self.host.match(*self.place).replica()
        total = 0
        self.stopping = False
        for move in position.moves() if position.outcome() is None and depth else []:
            word = format_move(position, move, self.always)
            position.make(move)
            lines = kernel_of(position).perft(depth - 1) if depth > 1 else 1
            position.unmake()
            self.send(f"{word}: {lines}")
            total += lines
            self._poll_input(0)
            if self.stopping:
                return
        self.send(f"\nNodes searched: {total}\n")

    def _search(self, match: "MatchControl", request: GoRequest) -> str:
        if self.go_request.moves:
            position = match.position
            chosen = tuple(parse_move(position, word) for word in self.go_request.moves)
            request.limit = request.limit.with_(moves=chosen)
        self.turn = match.position.turn
        self.deadline = 0.0
        knowledge = self.player.knowledge
        last = self.go_request
        if last.moves or last.mate or (last.endless and not last.ponder):  # search without knowledge sources
            self.player.knowledge = {}
        elif not self.own:
            self.player.knowledge = {name: source for name, source in knowledge.items() if name != "book"}
        try:
            return super()._search(match, request)
        finally:
            self.player.knowledge = knowledge

    def _limit(self, own: Limit, request: GoRequest) -> Limit:
        if self.fixed:
            return super()._limit(own, request)
        limit = own.within(request.limit.with_(seconds=None) if request.endless else request.limit)
        if self.go_request.mate:
            limit = limit.within(self._mate_limit())
        if request.endless and not limit:
            limit = limit.within(UNLIMITED)
        return limit.with_(multipv=self.multipv)

    def _mate_limit(self) -> Limit:
        """The depth that finds every mate in the requested moves; more for searches that reduce and prune.

        No limit for an engine that does not search by plies.
        """
        engine = self.player.engine
        if engine.simulates or engine.view != "mover":
            return Limit()
        plies = (2 if engine.theorem else 4) * self.go_request.mate
        return Limit(depth=max(1, min(MAX_PLY, plies - 1)))

    def _watch(self, match: "MatchControl", report: Report | None) -> bool:
        if super()._watch(match, report):
            return True
        if self.deadline and time.monotonic() >= self.deadline:
            return True
        value = report.value if report is not None and self.go_request.mate else 0
        return value >= scale.WIN - 2 * self.go_request.mate + 1

    def _glance(self, report: Report) -> bool:
        self._poll_input(0)
        return self.stopping

    def _send_info(self, match: "MatchControl", report: Report) -> None:
        super()._send_info(match, report)
        if report.known:
            self._send_notice(f"by the {report.source}" + (f": {report.facts}" if report.facts else ""))

    def _best(self, match: "MatchControl", move: int, report: Report | None) -> str:
        line = report.pv[:2] if report is not None and report.pv[:1] == (move,) else (move,)
        return " ponder ".join(self._format_line(match, line))

    def _format_line(self, match: "MatchControl", line: Sequence[int]) -> list[str]:
        position = match.replica()
        words = []
        for move in line:
            if position.outcome() is not None or move not in position.moves():
                break
            words.append(self._word(position, move))
            position.make(move)
        return words

    def _word(self, position: "AbstractPosition", move: int) -> str:
        """A move in UCI notation."""
        return format_move(position, move, self.always)

    # -- options ---------------------------------------------------------------------------------

    def _option_lines(self) -> Iterator[str]:
        position = self.host.match("", []).position
        options = self._options()
        if "table" in options:
            yield f"Hash type spin default {self._megabytes()} min 1 max {HASH}"
            yield "Clear Hash type button"
        if "threads" in options:
            yield f"Threads type spin default {self.player.engine.threads} min 1 max {MAX_THREADS}"
        if self.player.engine.thinks:
            yield f"MultiPV type spin default {self.multipv} min 1 max {MULTIPV}"
        yield "Ponder type check default false"
        if in_uci(position) is not None:
            yield "UCI_Chess960 type check default false"
        if self.level is not None:
            yield f"Level type spin default {self.chosen} min 1 max {self.levels}"
        knowledge = self.player.knowledge
        if "book" in self.opens:
            yield "OwnBook type check default true"
        for name, key in KNOWLEDGE.items():
            if key in self.opens:
                yield f"{name} type string default {knowledge[key].path if key in knowledge else EMPTY}"
        for line in super()._option_lines():
            name = line.partition(" ")[0]
            if name == "eval" and len(position.evaluations) > 1:
                names = list(position.evaluations)
                chosen = self.player.engine.eval or names[0]
                names += [] if chosen in names else [chosen]
                yield " var ".join([f"eval type combo default {chosen}", *names])
            elif name not in ("table", "threads"):
                yield line.replace(f" max {2**63 - 1}", f" max {MAX_OPTION}")

    def _set_option(self, name: str, text: str) -> None:
        word = name.lower()
        if word == "ponder":
            return  # requested by each `go ponder`
        if word == "uci_chess960":
            self.always = text.lower() == "true"
        elif word == "ownbook" and "book" in self.opens:
            self.own = text.lower() == "true"
        elif (key := self._known_by(word)) is not None:
            others = {name: source for name, source in self.player.knowledge.items() if name != key}
            self.player.set_knowledge(others | {key: self.opens[key](text)} if text else others)
        elif word == "multipv" and self.player.engine.thinks:
            self.multipv = self._within("MultiPV", text, MULTIPV)
        elif word == "clear hash":
            self._clear_memory()
        elif word == "hash" and "table" in self._options():
            super()._set_option("table", f"{text}MB")
        elif word == "level" and self.level is not None:
            self.chosen = self._within("Level", text, self.levels)
            knowledge = self.player.knowledge
            self.player = self.level(self.chosen, self.player.engine)
            self.player.knowledge = knowledge
            self.fixed = self.chosen < self.levels
        else:
            super()._set_option(name, text)

    @staticmethod
    def _within(name: str, text: str, most: int) -> int:
        """Parse an option with the range 1 to `most`. Raises Usage."""
        number = numeral(text)
        if number is None or not 1 <= number <= most:
            raise Usage(f"{name} must be from 1 to {most}, not '{brief(text)}'")
        return number

    def _known_by(self, word: str) -> str | None:
        """The name of the knowledge source that a UCI option opens; None if it opens none."""
        option = {name.lower(): key for name, key in KNOWLEDGE.items()}.get(word)
        return option if option in self.opens else None

    def _megabytes(self) -> int:
        digits = self.player.engine.table[:-2]
        return int(digits) if digits.isdecimal() and self.player.engine.table.endswith("MB") else 16
