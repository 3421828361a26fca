"""The DamExchange Protocol, DXP (1998), for games between two draughts programs over TCP.

A message is a letter and fields of a fixed width, and ends with a NUL. W is white, Z black:

    GAMEREQ  R 01 name(32) colour(1) minutes(3) moves(3) and
               A                                   the standard start; the receiver plays the colour
               B mover(1) squares(50)              this position: w, z men, W, Z kings, e empty
    GAMEACC  A name(32) code(1)                    0: yes, 1: wrong version, 2: cannot be played
    MOVE     M seconds(4) from(2) to(2) count(2) captured(2)...
    GAMEEND  E reason(1) stop(1)                   reason 0: unknown, 1: I lose, 2: draw, 3: I win;
                                                   stop 1: no more games
    CHAT     C text
    BACKREQ  B move(3) mover(1)                    go back to this move
    BACKACC  K code(1)                             0: yes, 1: never, 2: not now

The protocol was designed for international draughts. As in pydraughts, it is also used for English draughts,
on squares 1 to 32, the other 18 being empty. It does not name the game: both programs must be set to the same
one. Moves are as in Hub: a capture names its captured squares. There are no draw offers: GAMEEND ends the
game, and is answered with the other side's result.
"""

import re
import select
import socket
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gameplay.capabilities import PlaysDraughts
from gameplay.errors import BadInput, Usage
from gameplay.protocols import hub
from gameplay.protocols.channel import Broken

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition

HOST, PORT = "127.0.0.1", 27531
VERSION = "01"
SQUARES = 50
MAX_MESSAGE = 128  # bytes of a message
MAX_QUEUED = 1000  # maximum queued messages
LOST, DRAWN, WON = 1, 2, 3  # results in GAMEEND, from the sender's view
YES, OTHER_VERSION, UNPLAYABLE = 0, 1, 2  # answers to a game request
NEVER = 1  # answer to a BACKREQ

_TO_DXP = str.maketrans("Bb", "Zz")
_TO_HUB = str.maketrans("Zz", "Bb")


class Message:
    """A message; its text is `layout` filled with its fields, unless `__str__` is overridden."""

    layout: ClassVar[str]

    def __str__(self) -> str:
        return self.layout.format(self)


@dataclass(frozen=True)
class GameRequest(Message):
    """GAMEREQ. colour: the receiver's, W or B; start: in Hub's notation, "" the standard one."""

    name: str
    colour: str
    minutes: int = 0
    moves: int = 0
    start: str = ""
    version: str = VERSION

    def __str__(self) -> str:
        colour = self.colour.translate(_TO_DXP)
        text = f"R{self.version}{self.name:32.32}{colour}{self.minutes:03}{self.moves:03}"
        if not self.start:
            return text + "A"
        squares = self.start[1:].translate(_TO_DXP).ljust(SQUARES, "e")
        return f"{text}B{self.start[0].translate(_TO_DXP)}{squares}"


@dataclass(frozen=True)
class Acceptance(Message):
    """GAMEACC."""

    layout = "A{0.name:32.32}{0.code}"
    name: str
    code: int


@dataclass(frozen=True)
class MoveMessage(Message):
    """MOVE. seconds: time taken by the move."""

    seconds: int
    start: int
    end: int
    captured: tuple[int, ...] = ()

    def __str__(self) -> str:
        squares = "".join(f"{square:02}" for square in self.captured)
        return f"M{self.seconds % 10000:04}{self.start:02}{self.end:02}{len(self.captured):02}{squares}"

    @property
    def word(self) -> str:
        """The move in Hub's notation."""
        if not self.captured:
            return f"{self.start}-{self.end}"
        return "x".join(map(str, (self.start, self.end, *self.captured)))


@dataclass(frozen=True)
class End(Message):
    """GAMEEND. `stop`: the sender wants no further game."""

    layout = "E{0.reason}{0.stop:d}"
    reason: int
    stop: bool = False


@dataclass(frozen=True)
class Chat(Message):
    """CHAT."""

    layout = "C{0.text}"
    text: str


@dataclass(frozen=True)
class BackRequest(Message):
    """BACKREQ: go back to before move `number`, from 1, of `colour`, W or B."""

    number: int
    colour: str

    def __str__(self) -> str:
        return f"B{self.number % 1000:03}{self.colour.translate(_TO_DXP)}"

    def ply(self, first: str) -> int:
        """The number of plies before that move, if the colour `first` began."""
        return 2 * (self.number - 1) + (self.colour != first)

    @staticmethod
    def at(ply: int, first: str) -> "BackRequest":
        """The inverse of `ply`."""
        return BackRequest(ply // 2 + 1, first if ply % 2 == 0 else "WB"[first == "W"])


@dataclass(frozen=True)
class BackAnswer(Message):
    """BACKACC."""

    layout = "K{0.code}"
    code: int


_PATTERNS = {
    "R": re.compile(
        r"R(\d\d)(.{32})([WZ])(\d{3})(\d{3})(?:A|B([WZ])([wzWZe]{32,50}))\s*", re.ASCII | re.DOTALL
    ),
    "A": re.compile(r"A(.{32})(\d)\s*", re.A | re.S),
    "M": re.compile(r"M(\d{4})(\d\d)(\d\d)(\d\d)((?:\d\d)*)\s*", re.A),
    "E": re.compile(r"E([0-3])([01])\s*", re.A),
    "C": re.compile(r"C(.*)", re.S),
    "B": re.compile(r"B(\d{3})([WZ])\s*", re.A),
    "K": re.compile(r"K([0-2])\s*", re.A),
}


def decode(text: str) -> Message:
    """Parse a message. Raises Broken for an invalid one."""
    pattern = _PATTERNS.get(text[:1])
    match = pattern.fullmatch(text) if pattern is not None else None
    message = None if match is None else _build_message(text[0], match)
    if message is None:
        raise Broken("protocol_error", f"sent an invalid DXP message: '{text[:60]}'")
    return message


def _build_message(kind: str, match: "re.Match[str]") -> Message | None:
    parts = match.groups()
    if kind == "R":
        version, name, colour, minutes, moves, mover, squares = parts
        start = "" if squares is None else (mover + squares).translate(_TO_HUB)
        side = colour.translate(_TO_HUB)
        return GameRequest(name.strip(), side, int(minutes), int(moves), start, version)
    if kind == "A":
        return Acceptance(parts[0].strip(), int(parts[1]))
    if kind == "M":
        captured = tuple(int(parts[4][at : at + 2]) for at in range(0, len(parts[4]), 2))
        move = MoveMessage(int(parts[0]), int(parts[1]), int(parts[2]), captured)
        return move if int(parts[3]) == len(captured) else None
    if kind == "E":
        return End(int(parts[0]), parts[1] == "1")
    if kind == "C":
        return Chat(parts[0])
    if kind == "B":
        return BackRequest(int(parts[0]), parts[1].translate(_TO_HUB)) if parts[0] != "000" else None
    return BackAnswer(int(parts[0]))


def move_message(position: "AbstractPosition", move: int, seconds: float = 0.0) -> MoveMessage:
    """A move of a position as a message."""
    assert isinstance(position, PlaysDraughts)
    return MoveMessage(int(seconds), *position.route(move))


def colour_of(position: "AbstractPosition", player: int) -> str:
    """W or B, the colour of a player."""
    return position.sides[player][0].upper()


def player_of(position: "AbstractPosition", colour: str) -> int:
    """The player of a colour, W or B."""
    return [side[0].upper() for side in position.sides].index(colour)


def to_fen(start: str, squares: int) -> str:
    """The position of a request as a PDN FEN, for a board of `squares` squares. Raises BadInput."""
    if start[1 + squares :].strip("e"):
        raise BadInput(f"the position has pieces beyond square {squares}")
    return hub.to_fen(start[: 1 + squares], squares)


def check_game(position: "AbstractPosition") -> None:
    """Raise Usage if the protocol does not support this game."""
    hub.check_game(position, "DXP")


def parse_address(text: str, owner: str, least: int = 1) -> tuple[str, int]:
    """Parse `HOST:PORT`, `HOST` or `:PORT`; an IPv6 host is in brackets. Raises Usage, naming the owner.

    least: minimum port; 0 allows "any free port".
    """
    match = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[^\s:\[\]]*)(?::(\d{1,5}))?", text, re.A)
    if not text or match is None or not least <= int(match[2] or PORT) < 65536:
        raise Usage(f"{owner}: '{text[:60]}' is not an address; expected HOST:PORT. Try: {HOST}:{PORT}")
    return match[1].strip("[]") or HOST, int(match[2] or PORT)


class DxpLink:
    """A connection. Methods raise Broken once it is closed."""

    def __init__(self, connected: socket.socket) -> None:
        connected.setblocking(False)
        self.socket = connected
        self.rest = b""
        self.waiting: deque[str] = deque()

    @staticmethod
    def connect(host: str, port: int, seconds: float) -> "DxpLink":
        """Connect within `seconds`. Raises OSError."""
        return DxpLink(socket.create_connection((host, port), seconds))

    def send(self, message: Message, deadline: float) -> None:
        """Send a message."""
        data = str(message).encode("ascii", "replace")[: MAX_MESSAGE - 1] + b"\0"
        while data:
            try:
                data = data[self.socket.send(data) :]
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise Broken("hang", "does not read its messages") from None
                select.select([], [self.socket], [], 0.05)
            except OSError:
                raise Broken("crash", "closed the connection") from None

    def receive(self, deadline: float) -> Message | None:
        """The next message; None if none arrives by `deadline` (monotonic clock)."""
        while not self.waiting:
            remaining = deadline - time.monotonic()
            if not select.select([self.socket], [], [], max(0.0, min(remaining, 0.1)))[0]:
                if remaining <= 0:
                    return None
                continue
            self._hear()
        return decode(self.waiting.popleft())

    def close(self) -> None:
        """Close the connection."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def _hear(self) -> None:
        try:
            data = self.socket.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            raise Broken("crash", "closed the connection")
        *messages, self.rest = (self.rest + data).split(b"\0")
        self.waiting.extend(text.decode("latin-1") for text in messages if text.strip())
        if len(self.rest) > MAX_MESSAGE or any(len(text) > MAX_MESSAGE for text in messages):
            raise Broken("protocol_error", f"sent a message of more than {MAX_MESSAGE} bytes")
        if len(self.waiting) > MAX_QUEUED:
            raise Broken("protocol_error", f"sent more than {MAX_QUEUED} messages at once")
