"""Parses the messages of a lichess server into validated records, safe to display.

Every external text becomes one line of at most MAX_TEXT characters without control characters. A message
without a required field raises Malformed, which affects at most one game.
"""

import re
from dataclasses import dataclass
from typing import Any

from gameplay.errors import BadInput, brief
from gameplay.plural import plural
from gameplay.visible import one_line

MAX_TEXT = 200  # characters
MAX_MOVES = 2_000  # plies
MAX_SECONDS = 10_000_000.0
IN_PROGRESS = ("created", "started")
ABORTED = ("aborted", "noStart")
DRAWN = ("draw", "stalemate", "insufficientMaterialClaim")
TIMED_OUT = ("outoftime", "timeout")
VARIANTS = ("standard", "chess960", "fromPosition")
_ID = re.compile(r"[A-Za-z0-9]{4,16}$", re.ASCII)
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?$", re.ASCII)
STARTPOS = "startpos"


class Malformed(BadInput):
    """A message that violates the API."""


def text(value: object, max_length: int = MAX_TEXT) -> str:
    """An external text, safe to display; "" if it is not a string."""
    return brief(one_line(value), max_length) if isinstance(value, str) else ""


def parse_id(value: object) -> str:
    """The id of a game or a challenge. Raises Malformed."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise Malformed(f"{text(str(value), 20)!r} is not the id of a game")
    return value


def _object(message: dict[str, Any], name: str) -> dict[str, Any]:
    value = message.get(name)
    return value if isinstance(value, dict) else {}


def _seconds(value: object) -> float:
    """Milliseconds as seconds, within bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        return 0.0
    return min(MAX_SECONDS, value / 1000)


def _days(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 100 else None


def time_left(seconds: int) -> str:
    """The time for a move, in its largest unit: `2 days`, `5 hours`, `40 minutes`."""
    for unit, size in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            return plural(seconds // size, unit)
    return plural(seconds, "second")


def parse_count(value: object) -> int | None:
    """A number of an answer as an int from 0 to 10**9, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 10**9:
        return None
    return int(value)


@dataclass(frozen=True)
class Person:
    """A player at the server."""

    name: str
    title: str = ""
    rating: int | None = None

    @classmethod
    def of(cls, data: dict[str, Any]) -> "Person":
        """Parse a player, who may be the server's engine."""
        level = data.get("aiLevel", data.get("ai"))
        if isinstance(level, int):
            return cls(f"Stockfish level {level}")
        name = text(data.get("name") or data.get("username") or data.get("id"), 40) or "anonymous"
        rating = data.get("rating")
        return cls(name, text(data.get("title"), 10), rating if isinstance(rating, int) else None)

    def __str__(self) -> str:
        title = f"{self.title} " if self.title else ""
        return f"{title}{self.name}" + (f" ({self.rating})" if self.rating is not None else "")


@dataclass(frozen=True)
class GameState:
    """The state of a game. By seat (white, black): seconds left, draw offers, takeback requests."""

    moves: tuple[str, ...] = ()
    seconds_left: tuple[float, float] = (0.0, 0.0)
    status: str = "started"
    winner: int | None = None
    draw_offers: tuple[bool, bool] = (False, False)
    takeback_requests: tuple[bool, bool] = (False, False)

    @property
    def over(self) -> bool:
        """True if the server has ended the game."""
        return self.status not in IN_PROGRESS

    @classmethod
    def of(cls, data: dict[str, Any]) -> "GameState":
        """A `gameState`. Raises Malformed."""
        moves = data.get("moves")
        words = tuple(moves.split()) if isinstance(moves, str) else None
        status = data.get("status")
        if words is None or not isinstance(status, str) or len(words) > MAX_MOVES:
            raise Malformed("the server sent a state without moves or status")
        if invalid := next((word for word in words if not _MOVE.fullmatch(word)), ""):
            raise Malformed(f"the server sent the move '{text(invalid, 20)}'; expected one such as e2e4")
        winner = {"white": 0, "black": 1}.get(str(data.get("winner")))
        return cls(
            words,
            (_seconds(data.get("wtime")), _seconds(data.get("btime"))),
            text(status, 40),
            winner,
            (data.get("wdraw") is True, data.get("bdraw") is True),
            (data.get("wtakeback") is True, data.get("btakeback") is True),
        )


@dataclass(frozen=True)
class FullGame:
    """The first message of a game's stream. clock: main time and increment in seconds; None without a clock.

    days: per move of a correspondence game.
    """

    id: str
    variant: str
    speed: str
    rated: bool
    clock: tuple[float, float] | None
    players: tuple[Person, Person]
    ids: tuple[str, str]
    start: str
    state: GameState
    days: int | None = None

    @classmethod
    def of(cls, data: dict[str, Any]) -> "FullGame":
        """A `gameFull`. Raises Malformed."""
        white, black = _object(data, "white"), _object(data, "black")
        clock = _object(data, "clock")
        start = text(data.get("initialFen"), 120)
        return cls(
            parse_id(data.get("id")),
            text(_object(data, "variant").get("key"), 40) or "standard",
            text(data.get("speed"), 40),
            data.get("rated") is True,
            (_seconds(clock.get("initial")), _seconds(clock.get("increment"))) if clock else None,
            (Person.of(white), Person.of(black)),
            (text(white.get("id"), 40).lower(), text(black.get("id"), 40).lower()),
            "" if start == STARTPOS else start,
            GameState.of(_object(data, "state")),
            _days(data.get("daysPerTurn")),
        )

    @property
    def control(self) -> str:
        """The clock in words: `5+3`, `3 days a move`, `no clock`."""
        return control_text(self.clock, self.days)


def control_text(clock: tuple[float, float] | None, days: int | None = None) -> str:
    """Format a main time and an increment, in seconds: `5+3`, `0:30+0`; or days a move."""
    if clock is None:
        return f"{plural(days, 'day')} a move" if days else "no clock"
    main, increment = clock
    minutes = f"{main / 60:g}" if main % 60 == 0 else f"{int(main) // 60}:{int(main) % 60:02}"
    return f"{minutes}+{increment:g}"


@dataclass(frozen=True)
class Challenge:
    """A challenge to a game."""

    id: str
    challenger: Person
    user: str  # the challenger's id
    variant: str
    rated: bool
    clock: tuple[float, float] | None
    speed: str = ""
    challenged_user: str = ""  # the id of the challenged user
    days: int | None = None  # per move of a correspondence game

    @classmethod
    def of(cls, data: dict[str, Any]) -> "Challenge":
        """A challenge in a message. Raises Malformed."""
        control, challenger = _object(data, "timeControl"), _object(data, "challenger")
        limit, increment = control.get("limit"), control.get("increment")
        timed = control.get("type") == "clock" and isinstance(limit, int) and isinstance(increment, int)
        return cls(
            parse_id(data.get("id")),
            Person.of(challenger),
            text(challenger.get("id"), 40).lower(),
            text(_object(data, "variant").get("key"), 40) or "standard",
            data.get("rated") is True,
            (_seconds(1000 * limit), _seconds(1000 * increment)) if timed else None,  # type: ignore[operator]
            text(data.get("speed"), 40),
            text(_object(data, "destUser").get("id"), 40).lower(),
            _days(control.get("daysPerTurn")),
        )

    def __str__(self) -> str:
        rated = "rated" if self.rated else "casual"
        variant = "" if self.variant == "standard" else f", {self.variant}"
        return f"{self.challenger}, {control_text(self.clock, self.days)}, {rated}{variant}"
