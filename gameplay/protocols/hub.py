"""The client side of Hub, version 2, for draughts programs.

See `gameplay.protocols.hub_side`. If a program lists variants, the game's is selected. Options are sent with
`set-param`: `threads=2` as `set-param name=threads value=2`. This module also has the notation of positions,
moves and scores for both sides.
"""

import re
import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING

from gameplay import value as scale
from gameplay.capabilities import PlaysDraughts
from gameplay.catalogue import name_of
from gameplay.errors import BadInput, Fault, IllegalMove, Usage, brief, unknown_name
from gameplay.protocols.channel import Broken, Channel
from gameplay.protocols.pondering import PonderingTalk
from gameplay.protocols.talk import Info, Moves, ReportPacer
from gameplay.search.limit import Limit, numeral

if TYPE_CHECKING:
    from gameplay.players.player import ClockView
    from gameplay.position import AbstractPosition

# The parameter `variant`, by the first number of the PDN GameType.
VARIANTS = {"20": "normal", "21": "english"}
MOVE = re.compile(r"(\d{1,2})(?:-(\d{1,2})|x(\d{1,2})((?:x\d{1,2})*))", re.ASCII)
MOVETIME = 1.0  # seconds per move without a limit or clock
WIN_SCORE = 100  # the score of a won position; a win in n plies is n hundredths less


class Hub(PonderingTalk):
    """A connection to a Hub engine."""

    name = "Hub"
    hit_word, final = "ponder-hit", "done"
    own_notation = True

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel)
        self.params: dict[str, dict[str, str]] = {}  # offered by the engine, by name
        self.unit = 1
        self.variant = VARIANTS["20"]

    @classmethod
    def check(cls, position: "AbstractPosition", limit: Limit) -> None:
        super().check(position, limit)
        check_game(position, cls.name)

    # -- commands ---------------------------------------------------------------------------------

    def set_game(self, position: "AbstractPosition") -> None:
        """Store the variant."""
        self.variant = variant_of(position)

    def greet(self, options: dict[str, str], deadline: float) -> None:
        """Initialize the engine and set options. Raises Broken, or Fault for an unknown option."""
        self.channel.send("hub", deadline)
        for received in iter(lambda: self._line(deadline, "wait"), ("wait", {})):
            if received[0] == "param" and "name" in received[1]:
                self.params[received[1]["name"]] = received[1]
        variants = self.params.get("variant", {}).get("values", "").split()
        if variants and self.variant not in variants:
            raise Fault(
                f"does not play the variant {self.variant}: its variants are {' '.join(variants)}", "start"
            )
        names = {name.lower(): name for name in self.params}
        for name, text in options.items():
            if name.lower() not in names:
                raise Fault(f"cannot be configured: {unknown_name('parameter', name, self.params)}", "start")
            self._set(names[name.lower()], text, deadline)
        if variants and "variant" not in map(str.lower, options):
            self._set("variant", self.variant, deadline)
        self.channel.send("init", deadline)
        try:
            self._wait("ready", deadline)
        except Broken as broken:
            if broken.kind == "protocol_error":
                raise Fault(str(broken), "start") from None
            raise

    def begin(self, deadline: float) -> None:
        """Start a new game."""
        self.channel.send("new-game", deadline)
        self.ping(deadline)

    def ping(self, deadline: float) -> None:
        """Wait until the engine is ready, discarding late answers to earlier commands."""
        self.channel.reset_answer_size()
        self.channel.send("ping", deadline)
        self._wait("pong", deadline)

    def prepare(self, position: "AbstractPosition", deadline: float) -> None:
        """Store the unit of the game's values, in parts of a man."""
        self.unit = position.unit

    def start(self, position: "AbstractPosition", text: str) -> str:
        """The start in the engine's notation."""
        return format_position(position)

    def format_move(self, position: "AbstractPosition", move: int) -> str:
        """A move in the engine's notation."""
        return format_move(position, move)

    def parse_move(self, position: "AbstractPosition", word: str) -> int:
        """Parse a move. Raises IllegalMove."""
        return parse_move(position, word)

    def position(self, start: str, moves: Moves, deadline: float) -> None:
        """Send the position."""
        line = " ".join(word for _, word in moves)
        self.channel.send(f"pos pos={start}" + (f' moves="{line}"' if line else ""), deadline)
        self.ping(deadline)

    def launch(
        self, player: int, limit: Limit, clock: "ClockView | None", deadline: float, ponder: bool = False
    ) -> None:
        """Begin a search for the move of `player`."""
        self.channel.reset_answer_size()
        self.channel.send(f"level {_level_arguments(player, limit, clock)}", deadline)
        self.channel.send("go ponder" if ponder else "go think", deadline)
        self.info, self.expected = {}, ""

    def answer(self, deadline: float, watch: Callable[[Info], bool]) -> str | None:
        """The word of the move; None if there is none by `deadline`. Raises Broken for `error`."""
        latest, pacer = "", ReportPacer(watch, lambda: self.halt(deadline))
        for line in self.lines(deadline):
            word = line.partition(" ")[0]
            if word == "done":
                self.info.update(parse_info(latest, self.unit))
                answer = _lenient_arguments(line)
                self.expected = answer.get("ponder", "")
                return answer.get("move", "")
            if word == "error":
                raise _error_report(line)
            if word == "info":
                latest = line  # parsed lazily: engines may send many lines
                if pacer.due():
                    self.info.update(parse_info(latest, self.unit))
                    pacer.report(self.info)
        return None

    # -- inside ----------------------------------------------------------------------------------

    def _set(self, name: str, text: str, deadline: float) -> None:
        plain = text.replace('"', "'")
        self.channel.send(f'set-param name={name} value="{plain}"', deadline)

    def _wait(self, wanted: str, deadline: float) -> None:
        """Wait for a line. Raises Broken on timeout or after `error`."""
        while self._line(deadline, wanted)[0] != wanted:
            pass

    def _line(self, deadline: float, wanted: str) -> tuple[str, dict[str, str]]:
        """The next line, as its first word and its arguments."""
        line = self.channel.receive(deadline)
        if line is None:
            raise Broken("hang", f"did not send '{wanted}' in time")
        word = line.partition(" ")[0]
        if word == "error":
            raise _error_report(line)
        return word, _lenient_arguments(line) if word == "param" else {}


def _level_arguments(player: int, limit: Limit, clock: "ClockView | None") -> str:
    """The arguments of `level` for the limits of a search.

    Hub adds the increment before the move, so it is subtracted from the remaining time.
    """
    tokens = []
    if clock is not None and clock.each(player):
        limit = limit.with_(seconds=min(clock.seconds(player), limit.seconds or float("inf")))
    elif clock is not None:
        left = clock.allowance(player)
        more = min(clock.bonus(player), left)
        moves = clock.moves_to_go(player)
        tokens += [f"moves={moves}"] if moves else []
        tokens += [f"time={left - more:.3f}"] + ([f"inc={more:.3f}"] if more else [])
    tokens += [] if limit.depth is None else [f"depth={limit.depth}"]
    tokens += [] if limit.nodes is None else [f"nodes={limit.nodes}"]
    tokens += [] if limit.seconds is None else [f"move-time={max(0.001, limit.seconds):.3f}"]
    return " ".join(tokens) or f"move-time={MOVETIME:g}"


def _error_report(line: str) -> Broken:
    text = _lenient_arguments(line).get("message", line.partition(" ")[2])
    return Broken("protocol_error", f"reports an error: {brief(text, 200)}")


def _lenient_arguments(line: str) -> dict[str, str]:
    """Parse a line of the engine; empty if it is malformed."""
    try:
        return parse_arguments(line.split()[1:])
    except Usage:
        return {}


# -- notation of both sides -------------------------------------------------------------------------


def parse_info(line: str, unit: int) -> Info:
    """Parse an `info` line: numbers, `value` on our scale, `pv` as text. Malformed parts are omitted."""
    given = _lenient_arguments(line)
    fields: Info = {}
    for name in ("depth", "nodes"):
        number = numeral(given.get(name, ""))
        if number is not None:
            fields[name] = min(number, scale.MAX_PLY) if name == "depth" else number
    if re.fullmatch(r"[-+]?\d{1,9}(\.\d{0,9})?", given.get("score", ""), re.ASCII):
        fields["value"] = parse_score(float(given["score"]), unit)
    if given.get("pv"):
        fields["pv"] = given["pv"].split()
    return fields


def parse_score(score: float, unit: int) -> int:
    """Convert a Hub score, in men, to our scale."""
    plies = round(100 * (WIN_SCORE - abs(score)))
    if 0 <= plies <= scale.MAX_PLY:
        return scale.WIN - plies if score > 0 else plies - scale.WIN
    return max(-scale.MAX_EVAL, min(scale.MAX_EVAL, round(unit * score)))


def format_score(value: float, unit: int) -> float:
    """Convert a value on our scale to a Hub score, in men."""
    if not scale.is_win(value):
        return value / unit
    return (WIN_SCORE - scale.plies(value) / 100) * (1 if value > 0 else -1)


def check_game(position: "AbstractPosition", protocol: str) -> None:
    """Raise Usage if the protocol does not support this game."""
    if not isinstance(position, PlaysDraughts) or _game_type_number(position) not in VARIANTS:
        raise Usage(
            f"{protocol} is for international draughts and checkers, not for {name_of(position)}"
            + (f" of GameType {position.game_type}" if isinstance(position, PlaysDraughts) else "")
        )


def variant_of(position: "AbstractPosition") -> str:
    """The Hub parameter `variant` of a game."""
    assert isinstance(position, PlaysDraughts)
    return VARIANTS[_game_type_number(position)]


def _game_type_number(position: PlaysDraughts) -> str:
    return position.game_type.split(",")[0]


def format_position(position: "AbstractPosition") -> str:
    """The position in Hub's notation, side to move and squares: `Bbbb...www`."""
    assert isinstance(position, PlaysDraughts)
    return position.fen()[0] + position.squares()


def parse_arguments(tokens: list[str]) -> dict[str, str]:
    """Parse `a=1 b="2 3" c` into a dict; a bare word has an empty value. Raises Usage for an open quote."""
    try:
        parts = shlex.split(" ".join(tokens))
    except ValueError:
        raise Usage("a quotation is not closed") from None
    return {name: value for name, _, value in (part.partition("=") for part in parts)}


def to_fen(board: str, squares: int) -> str:
    """Convert a Hub position, `Bbbb...www`, to a PDN FEN. Raises BadInput."""
    if not re.fullmatch(rf"[WwBb][wbWBe]{{{squares}}}", board):
        raise BadInput(f"'{board[:60]}' is not a position: W or B, then {squares} of w, b, W, B and e")
    sides = []
    for colour in "WB":
        pieces = [
            f"{'K' * letter.isupper()}{square}"
            for square, letter in enumerate(board[1:], 1)
            if letter.upper() == colour
        ]
        sides.append(colour + ",".join(pieces))
    return ":".join([board[0].upper(), *sides])


def format_move(position: "AbstractPosition", move: int) -> str:
    """A move in Hub's notation: `11-15`, `22x15x18`."""
    assert isinstance(position, PlaysDraughts)
    start, end, captured = position.route(move)
    return "x".join(map(str, (start, end, *captured))) if captured else f"{start}-{end}"


def parse_move(position: "AbstractPosition", word: str) -> int:
    """Parse a move in Hub's notation, captured squares in any order. Raises IllegalMove."""
    assert isinstance(position, PlaysDraughts)
    parts = MOVE.fullmatch(word)
    if parts is None:
        raise IllegalMove(f"'{word[:60]}' is not a Hub move such as 32-28 or 28x19x23")
    captured = tuple(sorted(map(int, (parts[4] or "").split("x")[1:])))
    wanted = int(parts[1]), int(parts[2] or parts[3]), captured
    for move in position.moves():
        if position.route(move) == wanted:
            return int(move)
    raise IllegalMove(f"'{word}' is not a legal move here")
