"""The client side of UCI and UGI.

UCI: Stefan Meyer-Kahlen and Rudolf Huber, the Universal Chess Interface, 2006. UGI: the same for any
two-player game, with different keywords for the players
(https://github.com/kz04px/cutegames/blob/master/ugi.md). Extensions here: keywords for more players, `p3time`
and so on, and games of imperfect information, in which a move hidden from the program's seat is `?`, and the
program receives before each `go`

    view seat p1                its seat
    view moves check bet3       its legal moves
    view news 12 TEXT           the effects of the twelfth move, see `Position.news`
    view text TEXT              the position as text, line by line
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.catalogue import name_of
from gameplay.errors import Fault, Usage, unknown_name
from gameplay.notation import in_uci
from gameplay.protocols.channel import Broken, Channel
from gameplay.protocols.pondering import PonderingTalk
from gameplay.protocols.talk import Info, Moves, ReportPacer
from gameplay.search.limit import MAX_LIMIT, Limit
from gameplay.spans import abridge

if TYPE_CHECKING:
    from gameplay.players.player import ClockView, MatchView
    from gameplay.position import AbstractPosition

MOVETIME = 1.0  # seconds per move without a limit or clock
CHESS960 = "UCI_Chess960"
PONDER = "ponder"
TB_WIN_CENTIPAWNS = 20_000  # centipawns that chess programs report for a tablebase win


class Uci(PonderingTalk):
    """A connection to a UCI engine."""

    name = "UCI"
    hit_word, final = "ponderhit", "bestmove"
    hello, welcome = "uci", "uciok"
    new = "ucinewgame"
    times: tuple[str, ...] = ("wtime", "btime")  # by seat
    increments: tuple[str, ...] = ("winc", "binc")
    own_notation = True  # moves differ from the game's notation

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel)
        self.options: list[str] = []
        self.special = False  # UCI_Chess960 is set: castling is king takes rook

    def greet(self, options: dict[str, str], deadline: float) -> None:
        """Initialize the engine and set options. Raises Broken, or Fault for an unknown option."""
        self.channel.send(self.hello, deadline)
        while True:
            line = self._line(deadline, self.welcome)
            tokens = line.split()
            if tokens[:1] == [self.welcome]:
                break
            if tokens[:2] == ["option", "name"] and "type" in tokens:
                self.options.append(" ".join(tokens[2 : tokens.index("type")]))
        names = {option.lower(): option for option in self.options}
        if self.ponders and PONDER not in names:
            raise Fault("does not ponder: it has no option Ponder. Try: without ponder=on", "start")
        if self.ponders and PONDER not in map(str.lower, options):
            options = {**options, PONDER: "true"}
        for name, text in options.items():
            if name.lower() not in names:
                raise Fault(f"cannot be configured: {unknown_name('option', name, self.options)}", "start")
            self.channel.send(f"setoption name {names[name.lower()]} value {text}", deadline)
        self.ping(deadline)

    def begin(self, deadline: float) -> None:
        """Start a new game."""
        self.channel.send(self.new, deadline)
        self.ping(deadline)

    def ping(self, deadline: float) -> None:
        """Wait until the engine is ready, discarding late answers to earlier commands."""
        self.channel.reset_answer_size()
        self.channel.send("isready", deadline)
        while self._line(deadline, "readyok").split()[:1] != ["readyok"]:
            pass

    def start(self, position: "AbstractPosition", text: str) -> str:
        """The start position in the engine's notation, "" for the standard one."""
        return str(position.text()) if (text or is_chess960(position)) and in_uci(position) else text

    def prepare(self, position: "AbstractPosition", deadline: float) -> None:
        """Set the castling rules before a game. Raises Broken if the engine supports one kind only."""
        wanted = is_chess960(position)
        if wanted == self.special:
            return
        if CHESS960 not in self.options:
            raise Broken("start", "does not play Chess960")
        self.channel.send(f"setoption name {CHESS960} value {str(wanted).lower()}", deadline)
        self.special = wanted

    def format_move(self, position: "AbstractPosition", move: int) -> str:
        """A move in the engine's notation."""
        return format_move(position, move)

    def parse_move(self, position: "AbstractPosition", word: str) -> int:
        """Parse a move. Raises IllegalMove."""
        return parse_move(position, word)

    def position(self, start: str, moves: Moves, deadline: float) -> None:
        """Send the position."""
        tokens = ["position", *(["fen", start] if start else ["startpos"])]
        if moves:
            tokens += ["moves"] * ("moves" not in start.split()) + [word for _, word in moves]
        self.channel.send(" ".join(tokens), deadline)
        self.ping(deadline)

    def launch(
        self, player: int, limit: Limit, clock: "ClockView | None", deadline: float, ponder: bool = False
    ) -> None:
        """Begin a search for the move of `player`."""
        tokens = _limit_tokens(limit)
        if clock is not None and clock.each(player):  # time per move has no other keyword
            tokens = _limit_tokens(
                limit.with_(seconds=min(clock.seconds(player), limit.seconds or float("inf")))
            )
        elif clock is not None:
            tokens = self._times(player, clock) + tokens
        if not tokens:
            tokens = ["movetime", str(int(1000 * MOVETIME))]
        self.info, self.expected = {}, ""
        self.channel.reset_answer_size()
        self.channel.send(" ".join(["go", *["ponder"] * ponder, *tokens]), deadline)

    def _times(self, player: int, clock: "ClockView") -> list[str]:
        """The clock arguments; delay and byo-yomi have no keywords and are added to the time."""
        tokens = []
        for seat, name in enumerate(self.times):
            if clock.runs(seat):
                seconds = clock.allowance(seat) if seat == player else clock.remaining(seat)
                tokens += [name, str(max(1, int(1000 * seconds)))]
        for seat, name in enumerate(self.increments):
            if clock.runs(seat) and clock.bonus(seat):
                tokens += [name, str(int(1000 * clock.bonus(seat)))]
        if clock.moves_to_go(player):
            tokens += ["movestogo", str(clock.moves_to_go(player))]
        return tokens

    def answer(self, deadline: float, watch: Callable[[Info], bool]) -> str | None:
        """The word of the best move; None if there is none by `deadline`."""
        latest, pacer = "", ReportPacer(watch, lambda: self.halt(deadline))
        for line in self.lines(deadline):
            if line.startswith("bestmove"):
                tokens = line.split()
                if tokens[0] == "bestmove":
                    self.info.update(parse_info(latest))
                    self.expected = tokens[3] if tokens[2:3] == [PONDER] and len(tokens) > 3 else ""
                    return tokens[1] if len(tokens) > 1 else ""
            if line.startswith("info ") and " score " in line and not line.startswith("info string"):
                if latest and "bound" in line:  # a bound, with an incomplete line
                    continue
                latest = line  # parsed lazily: engines may send many lines
                if pacer.due():
                    self.info.update(parse_info(latest))
                    pacer.report(self.info)
        return None

    def _line(self, deadline: float, wanted: str) -> str:
        line = self.channel.receive(deadline)
        if line is None:
            raise Broken("hang", f"did not send '{wanted}' in time")
        return line


class Ugi(Uci):
    """A connection to a UGI engine."""

    name = "UGI"
    hello, welcome = "ugi", "ugiok"
    new = "uginewgame"
    times: tuple[str, ...] = ("p1time", "p2time")
    increments: tuple[str, ...] = ("p1inc", "p2inc")
    own_notation = False
    answers_queries = True

    @classmethod
    def check(cls, position: "AbstractPosition", limit: Limit) -> None:
        """All games are supported: a program receives only the information of its seat."""
        cls.check_simulations(limit)

    @classmethod
    def check_start(cls, position: "AbstractPosition", start: str) -> None:
        if start and position.hidden:
            game = name_of(position)
            raise Usage(
                f"a UGI start position would reveal hidden information of {game}. Try: the usual start"
            )

    def parse_move(self, position: "AbstractPosition", word: str) -> int:
        return int(position.parse(word))

    def prepare(self, position: "AbstractPosition", deadline: float) -> None:
        """Prepare the keywords for the game's players."""
        seats = [f"p{seat + 1}" for seat in range(position.players)]
        self.times = tuple(f"{seat}time" for seat in seats)
        self.increments = tuple(f"{seat}inc" for seat in seats)

    def send_view(self, match: "MatchView", deadline: float) -> None:
        """Send the program its information in a game of imperfect information, when it is to move."""
        position = match.position
        lines = [
            f"seat p{position.turn + 1}",
            f"moves {' '.join(map(position.format, abridge(match.moves())))}",
        ]
        for number, turn in enumerate(match.turns, 1):
            lines += [f"news {number} {' '.join(text.split())}" for text in turn.news]
        lines += [f"text {line}" for line in match.show().splitlines()]
        for line in lines:
            self.channel.send(f"view {line}".rstrip(), deadline)

    def query(self, question: str, deadline: float) -> str | None:
        """The engine's answer to a query: gameover, p1turn or result. None if it gives none."""
        self.channel.send(f"query {question}", deadline)
        self.channel.send("isready", deadline)  # so that an engine that ignores `query` does not block
        answer = None
        while True:
            line = self.channel.receive(deadline)
            tokens = line.split() if line is not None else ["readyok"]
            if tokens[:1] == ["readyok"]:
                return answer
            if tokens[:1] == ["response"]:
                answer = " ".join(tokens[1:])


def _limit_tokens(limit: Limit) -> list[str]:
    """The arguments of `go` for a limit."""
    tokens = []
    if limit.depth is not None:
        tokens += ["depth", str(limit.depth)]
    if limit.nodes is not None:
        tokens += ["nodes", str(limit.nodes)]
    if limit.seconds is not None:
        tokens += ["movetime", str(max(1, int(1000 * limit.seconds)))]
    return tokens


NUMBERS = ("depth", "seldepth", "nodes", "nps", "hashfull", "time")


def parse_info(line: str) -> Info:
    """Parse an `info` line: numbers, `value` on our scale, `pv` as text. Malformed parts are omitted."""
    tokens = line.split()
    fields: Info = {}
    at = 1
    while at < len(tokens):
        word = tokens[at]
        at += 1
        if word == "string":
            break
        if word == "pv":
            fields["pv"] = tokens[at:]
            break
        if word == "multipv" and tokens[at : at + 1] not in ([], ["1"]):
            return {}
        if word in NUMBERS and tokens[at : at + 1] and tokens[at].isdecimal():
            most = scale.MAX_PLY if word in ("depth", "seldepth") else MAX_LIMIT
            fields[word] = min(most, int(tokens[at][:18]))
        elif word == "score" and len(tokens) > at + 1:
            number = tokens[at + 1]
            if number.removeprefix("-").isdecimal() and tokens[at] in ("cp", "mate"):
                fields["value"] = parse_score(tokens[at], int(number[:18]))
    return fields


def parse_score(kind: str, number: int) -> int:
    """Convert a UCI score to a `gameplay.value`: `cp` unchanged, within bounds, `mate` as plies."""
    if kind == "cp":
        return max(-scale.MAX_EVAL, min(scale.MAX_EVAL, number))
    plies = min(scale.MAX_PLY, 2 * number - 1 if number > 0 else -2 * number)
    return scale.WIN - plies if number > 0 else plies - scale.WIN


def is_chess960(position: "AbstractPosition") -> bool:
    """True if castling is written as king takes rook."""
    chess = in_uci(position)
    return chess is not None and chess.chess960


def format_move(position: "AbstractPosition", move: int, always: bool = False) -> str:
    """A move in UCI notation: the game's UCI notation if it has one, otherwise its own.

    always: castling is king takes rook, even from the standard start.
    """
    chess = in_uci(position)
    if chess is None:
        return str(position.format(move))
    if always:
        chess.chess960 = True
    return chess.uci(move)


def parse_move(position: "AbstractPosition", word: str) -> int:
    """Parse a move in UCI notation. Raises IllegalMove."""
    chess = in_uci(position)
    return int(position.parse(word)) if chess is None else chess.from_uci(word)


def format_score(value: float, unit: int = 1) -> str:
    """Convert a value on our scale to a UCI score; an expectation is in hundredths of the game's `unit`."""
    if not scale.is_win(value):
        if isinstance(value, float):
            return f"cp {round(100 * value / unit)}"
        return f"cp {value}"
    if not scale.is_counted(value):
        return f"cp {TB_WIN_CENTIPAWNS if value > 0 else -TB_WIN_CENTIPAWNS}"
    plies = scale.plies(value)
    return f"mate {(plies + 1) // 2}" if value > 0 else f"mate -{(plies + 1) // 2}"
