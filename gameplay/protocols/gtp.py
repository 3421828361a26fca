"""The client side of GTP, the Go Text Protocol, version 2 (Gunnar Farnebäck, 2002).

For games whose moves are single words in the game's notation, such as Go or Hex: `play black d4`,
`genmove white`.
The first player is black. Options are commands: `boardsize=9` is sent as `boardsize 9`. In Go the board size,
komi, rules, handicap and setup stones are sent automatically.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gameplay.capabilities import GoBoard
from gameplay.catalogue import name_of
from gameplay.errors import Fault, Usage, brief
from gameplay.kernel import Kernel
from gameplay.protocols.channel import Broken, Channel
from gameplay.protocols.talk import Info, Moves, Talk
from gameplay.search.limit import Limit

if TYPE_CHECKING:
    from gameplay.players.player import ClockView
    from gameplay.position import AbstractPosition

COLORS = ("black", "white")


class Gtp(Talk):
    """A connection to a GTP engine."""

    name = "GTP"
    can_stop = False
    own_notation = True
    answers_queries = True

    def __init__(self, channel: Channel) -> None:
        super().__init__(channel)  # `info` stays empty: GTP has no search info
        self.number = 0
        self.terms: tuple[Any, ...] = ()  # the game settings last sent to the engine
        self.board_setup = ""  # the position set up on the engine's board
        self.known: list[tuple[int, str]] = []  # the moves sent since then
        self.player = 0
        self.timed = False  # the time settings of this game were sent

    @classmethod
    def check(cls, position: "AbstractPosition", limit: Limit) -> None:
        super().check(position, limit)
        if position.chance:
            raise Usage(f"GTP does not support chance, which {name_of(position)} has")
        if limit.depth or limit.nodes:
            raise Usage("GTP cannot limit depth or nodes. Try: time=SECONDS, or a clock")

    @classmethod
    def check_start(cls, position: "AbstractPosition", start: str) -> None:
        if start and not isinstance(position, GoBoard):
            raise Usage("GTP cannot set up a position. Try: the usual start")
        if "ko=" in start:
            raise Usage("GTP cannot express a ko ban in the start position")

    def greet(self, options: dict[str, str], deadline: float) -> None:
        """Initialize the engine and set options. Raises Broken, or Fault for an option it rejects."""
        self._ask("protocol_version", deadline)
        for name, text in options.items():
            done, answer = self._ask(f"{name} {text}".strip(), deadline)
            if not done:
                raise Fault(f"refuses '{name} {text}': {brief(answer)}", "start")

    def begin(self, deadline: float) -> None:
        """Start a new game."""
        self._must("clear_board", deadline)
        self.known, self.board_setup, self.timed = [], "", False

    def ping(self, deadline: float) -> None:
        """Wait until the engine is ready."""
        self._ask("protocol_version", deadline)

    def prepare(self, position: "AbstractPosition", deadline: float) -> None:
        """In Go, send board size, komi and rules if they have changed."""
        if not isinstance(position, GoBoard):
            return
        terms = (position.columns, position.rows, position.komi, position.rules)
        if terms == self.terms:
            return
        if position.columns == position.rows:
            self._must(f"boardsize {position.columns}", deadline)
        else:
            self._must(f"rectangular_boardsize {position.columns} {position.rows}", deadline)
        self._must(f"komi {position.komi:g}", deadline)
        if self._knows("kata-set-rules", deadline):
            self._ask(f"kata-set-rules {position.rules}", deadline)
        elif position.rules == "chinese" and self._knows("kgs-rules", deadline):
            self._ask("kgs-rules chinese", deadline)
        self.terms = terms
        timed = self.timed
        self.begin(deadline)
        self.timed = timed

    def start(self, position: "AbstractPosition", text: str) -> str:
        """The commands that set up the board, separated by `;`."""
        self.check_start(position, text)
        return ";".join(_setup_commands(position)) if isinstance(position, GoBoard) else ""

    def position(self, start: str, moves: Moves, deadline: float) -> None:
        """Synchronize the engine's board with the position, by new moves."""
        before = [(player, word.lower()) for player, word in moves[: len(self.known)]]
        if start != self.board_setup or before != self.known:
            timed = self.timed
            self.begin(deadline)
            for command in start.split(";") if start else ():
                self._must(command, deadline)
            self.board_setup, self.timed = start, timed
        for player, word in moves[len(self.known) :]:
            self._must(f"play {COLORS[player]} {word}", deadline)
            self.known.append((player, word.lower()))

    def limit(self, seconds: float | None) -> float | None:
        """Round up to at least a second."""
        return None if seconds is None else max(1.0, seconds)

    def go(self, player: int, limit: Limit, clock: "ClockView | None", deadline: float) -> None:
        """Send the time and request the move of `player`."""
        self._time(player, limit, clock, deadline)
        self.player = player
        self.channel.reset_answer_size()
        self._send(f"genmove {COLORS[player]}", deadline)

    def answer(self, deadline: float, watch: Callable[[Info], bool]) -> str | None:
        """The word of the move; None if there is none by `deadline`."""
        reply = self._reply(deadline)
        if reply is None:
            return None
        done, word = reply
        if not done:
            raise Broken("protocol_error", f"refused 'genmove {COLORS[self.player]}': {brief(word)}")
        self.known.append((self.player, word.lower()))
        return word

    def query(self, question: str, deadline: float) -> str | None:
        """The winner as the engine scores it, in Go; None if unknown.

        The score is only asked after two passes; before that it is an estimate.
        """
        if not self.terms or [word for _, word in self.known[-2:]] != ["pass", "pass"]:
            return None
        self._send("final_score", deadline)
        reply = self._reply(deadline)
        if reply is None or not reply[0] or not reply[1]:
            return None
        return {"B": "p1win", "W": "p2win", "0": "draw"}.get(reply[1][0].upper())

    def resigns(self, word: str) -> bool:
        return word.lower() == "resign"

    # -- inside ----------------------------------------------------------------------------------

    def _time(self, player: int, limit: Limit, clock: "ClockView | None", deadline: float) -> None:
        """Send the time settings, once, and the time left. Programs may ignore both."""
        seconds = limit.seconds
        if clock is not None and clock.runs(player):
            if clock.each(player):
                seconds = clock.allowance(player)
            else:
                left, stones = clock.remaining(player), clock.moves_to_go(player)
                more = clock.allowance(player) - left
                settings = (0.0, left, stones) if stones else (left, more, 1 if more else 0)
                hand = (left, stones) if left >= 1 or not more else (more, 1)
        elif seconds is None:
            return
        if seconds is not None:
            settings, hand = (0.0, seconds, 1), (seconds, 1)
        if not self.timed:
            main, period, count = settings
            self._ask(f"time_settings {int(main)} {_whole_seconds(period)} {count}", deadline)
            self.timed = True
        self._ask(f"time_left {COLORS[player]} {_whole_seconds(hand[0])} {hand[1]}", deadline)

    def _knows(self, name: str, deadline: float) -> bool:
        return self._ask(f"known_command {name}", deadline) == (True, "true")

    def _must(self, command: str, deadline: float) -> None:
        done, answer = self._ask(command, deadline)
        if not done:
            raise Broken("protocol_error", f"refused '{command}': {brief(answer)}")

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
        """True if the last command succeeded, and the first line of the reply; None if it is late.

        Replies to earlier commands and further lines of a reply are discarded.
        """
        while True:
            line = self.channel.receive(deadline)
            if line is None:
                return None
            head, _, rest = line.partition(" ")
            if head[1:] == str(self.number) and head[0] in "=?":
                return head[0] == "=", rest.strip()


def _whole_seconds(seconds: float) -> int:
    """Whole seconds, at least 1, because 0 has another meaning."""
    return max(1, int(seconds)) if seconds else 0


def _setup_commands(position: "AbstractPosition") -> list[str]:
    """The commands that set up a position on an empty Go board.

    The order of the stones does not matter: if all chains have a liberty in the end, every part of a chain
    has one before, because a point is still empty.
    """
    assert isinstance(position, Kernel)
    moves = []
    while position.made:
        move = position.made[-1]
        position.unmake()
        moves.append(f"play {COLORS[position.turn]} {position.format(move)}")
    board = position.board()
    assert board is not None and isinstance(position, GoBoard)
    stones: dict[str, list[str]] = {"X": [], "O": []}
    for y, row in enumerate(position.stones()):
        for x, stone in enumerate(row):
            if stone:
                stones[stone].append(f"{board.columns[x]}{board.rows[y]}")
    if position.handicap and position.start is None and stones["X"]:
        commands = [f"set_free_handicap {' '.join(stones['X'])}"]
    else:
        commands = [f"play {COLORS['XO'.index(stone)]} {word}" for stone in "XO" for word in stones[stone]]
    return commands + moves[::-1]
