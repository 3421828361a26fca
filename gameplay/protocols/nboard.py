"""The client side of NBoard, version 2, for Othello programs.

See `gameplay.protocols.nboard_side`. Options are sent with `set`: `contempt=0` is sent as `set contempt 0`.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from gameplay.capabilities import OthelloBoard
from gameplay.errors import Usage
from gameplay.protocols import ggf
from gameplay.protocols.channel import Broken, Channel
from gameplay.protocols.talk import Info, Moves, ReportPacer, Talk
from gameplay.search.limit import MAX_LIMIT, Limit
from gameplay.value import MAX_PLY

if TYPE_CHECKING:
    from gameplay.players.player import ClockView
    from gameplay.position import AbstractPosition

DEFAULT_DEPTH = 8  # default depth in plies


class NBoard(Talk):
    """A connection to an NBoard engine."""

    name = "NBoard"
    own_notation = True

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel)
        self.pings = 0
        self.depth = 0
        self.unit = 1

    @classmethod
    def check(cls, position: "AbstractPosition", limit: Limit) -> None:
        super().check(position, limit)
        if not isinstance(position, OthelloBoard) or position.size != 8:
            raise Usage("NBoard is only for Othello on 8x8 squares")
        if limit.nodes is not None or limit.seconds is not None:
            raise Usage("NBoard cannot limit nodes or time a move. Try: depth=N")

    def greet(self, options: dict[str, str], deadline: float) -> None:
        """Initialize the engine and set options. Raises Broken."""
        self.channel.send("nboard 2", deadline)
        for name, text in options.items():
            self.channel.send(f"set {name} {text}", deadline)
        self._deepen(DEFAULT_DEPTH, deadline)
        self.ping(deadline)

    def ping(self, deadline: float) -> None:
        """Wait until the engine is ready, discarding late answers to earlier commands."""
        self.pings += 1
        self.channel.reset_answer_size()
        self.channel.send(f"ping {self.pings}", deadline)
        while True:
            line = self.channel.receive(deadline)
            if line is None:
                raise Broken("hang", f"did not send 'pong {self.pings}' in time")
            if line.split() == ["pong", str(self.pings)]:
                return

    def prepare(self, position: "AbstractPosition", deadline: float) -> None:
        """Store the unit of the game's values, in parts of a disc."""
        self.unit = position.unit

    def start(self, position: "AbstractPosition", text: str) -> str:
        """The start in the engine's notation."""
        return str(position.text())

    def parse_move(self, position: "AbstractPosition", word: str) -> int:
        """Parse a move. Raises IllegalMove."""
        return int(position.parse(ggf.from_ggf(word)))

    def position(self, start: str, moves: Moves, deadline: float) -> None:
        """Send the position."""
        self.channel.send(f"set game {ggf.write(start, moves)}", deadline)
        self.ping(deadline)

    def go(self, player: int, limit: Limit, clock: "ClockView | None", deadline: float) -> None:
        """Request a move for the side to move; the protocol has only a depth limit."""
        self._deepen(limit.depth or DEFAULT_DEPTH, deadline)
        self.info = {}
        self.channel.reset_answer_size()
        self.channel.send("go", deadline)

    def answer(self, deadline: float, watch: Callable[[Info], bool]) -> str | None:
        """The word of the move; None if there is none by `deadline`."""
        pacer = ReportPacer(watch, lambda: self.halt(deadline))
        for line in self.lines(deadline):
            tokens = line.split()
            if tokens[:1] == ["==="]:
                best, _, rest = "".join(tokens[1:]).partition("/")
                self._value(rest.partition("/")[0])
                return best
            if tokens[:1] == ["nodestats"] and tokens[1:2]:
                self.info["nodes"] = _parse_whole(tokens[1])
            elif tokens[:1] == ["search"] and len(tokens) > 2:
                self._value(tokens[2])
                pv = tokens[1].replace("-", "")
                self.info["pv"] = [pv[at : at + 2] for at in range(0, len(pv), 2)]
                self.info["depth"] = min(MAX_PLY, _parse_whole("".join(tokens[4:5]).rstrip("%")))
                if pacer.due():
                    pacer.report(self.info)
        return None

    def halt(self, deadline: float) -> None:
        """End a search by a `ping`."""
        self.pings += 1
        self.channel.send(f"ping {self.pings}", deadline)

    def _deepen(self, depth: int, deadline: float) -> None:
        if depth != self.depth:
            self.channel.send(f"set depth {depth}", deadline)
        self.depth = depth

    def _value(self, text: str) -> None:
        with suppress(ValueError, OverflowError):  # a pair of values, or no number
            self.info["value"] = max(-64 * self.unit, min(64 * self.unit, round(self.unit * float(text))))


def _parse_whole(text: str) -> int:
    try:
        return max(0, min(MAX_LIMIT, int(float(text))))
    except (ValueError, OverflowError):
        return 0
