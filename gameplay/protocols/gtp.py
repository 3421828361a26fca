"""Their side of GTP, the Go Text Protocol, version 2 (Gunnar Farneback, 2002).

For games in which a move is one word of the game's own, as in Go or Hex: `play black d4`, `genmove white`.
The first player is black. Options are commands: `boardsize=9` is sent as `boardsize 9`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gameplay.errors import Fault, Usage
from gameplay.protocols.channel import Broken, Channel
from gameplay.protocols.talk import Info, Moves, Talk
from gameplay.search.limit import Limit

if TYPE_CHECKING:
    from gameplay.players.player import ClockView

COLORS = ("black", "white")


class Gtp(Talk):
    """A conversation with an engine that speaks GTP."""

    name = "GTP"

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel)  # `info` stays empty: GTP tells nothing of the search
        self.number = 0
        self.known: list[tuple[int, str]] = []  # the moves on the engine's board
        self.player = 0

    @classmethod
    def check(cls, position: Any, limit: Limit) -> None:
        super().check(position, limit)
        if position.chance:
            raise Usage(f"GTP has no word for chance, and {type(position).__name__} has chance in it")
        if limit:
            raise Usage("GTP has no word for depth, nodes or time a move: give the game a clock")

    @classmethod
    def check_start(cls, start: str) -> None:
        if start:
            raise Usage("GTP knows no way to set a position up: begin from the usual start")

    def greet(self, options: dict[str, str], deadline: float) -> None:
        """Begin the conversation and set options. Raises Broken, or Fault for an option it refuses."""
        self._ask("protocol_version", deadline)
        self.title = self._ask("name", deadline)[1]
        for name, text in options.items():
            done, answer = self._ask(f"{name} {text}", deadline)
            if not done:
                raise Fault(f"refuses '{name} {text}': {answer}", "start")

    def begin(self, deadline: float) -> None:
        """A new game begins."""
        self._must("clear_board", deadline)
        self.known = []

    def ping(self, deadline: float) -> None:
        """Wait until the engine is ready."""
        self._ask("protocol_version", deadline)

    def position(self, start: str, moves: Moves, deadline: float) -> None:
        """Bring the engine's board to the position, by the moves that are new."""
        self.check_start(start)
        if [(player, word.lower()) for player, word in moves[: len(self.known)]] != self.known:
            self.begin(deadline)
        for player, word in moves[len(self.known) :]:
            self._must(f"play {COLORS[player]} {word}", deadline)
            self.known.append((player, word.lower()))

    def go(self, player: int, limit: Limit, clock: "ClockView | None", deadline: float) -> None:
        """Ask for the move of `player`; the clock is told, limits have no word."""
        if clock is not None and clock.runs(player):
            left = max(1, int(clock.allowance(player)))
            self._ask(f"time_left {COLORS[player]} {left} {clock.moves_to_go(player)}", deadline)
        self.player = player
        self.channel.listen_anew()
        self._send(f"genmove {COLORS[player]}", deadline)

    def answer(self, deadline: float, watch: Callable[[Info], bool]) -> str | None:
        """The word of the move; None where it has not come by `deadline`."""
        reply = self._reply(deadline)
        if reply is None:
            return None
        done, word = reply
        if done:
            self.known.append((self.player, word.lower()))
        return word if done else ""

    def resigns(self, word: str) -> bool:
        return word.lower() == "resign"

    def _must(self, command: str, deadline: float) -> None:
        done, answer = self._ask(command, deadline)
        if not done:
            raise Broken("protocol_error", f"refused '{command}': {answer}")

    def _ask(self, command: str, deadline: float) -> tuple[bool, str]:
        self._send(command, deadline)
        reply = self._reply(deadline)
        if reply is None:
            raise Broken("hang", f"did not answer '{command}' in time")
        return reply

    def _send(self, command: str, deadline: float) -> None:
        self.number += 1
        self.channel.send(f"{self.number} {command}", deadline)

    def _reply(self, deadline: float) -> tuple[bool, str] | None:
        """Whether the last command was obeyed, and the first line of what it says; None if it is late.

        Replies to earlier commands, and the further lines of a reply, are dropped.
        """
        while True:
            line = self.channel.receive(deadline)
            if line is None:
                return None
            head, _, rest = line.partition(" ")
            if head[1:] == str(self.number) and head[0] in "=?":
                return head[0] == "=", rest.strip()
