"""Time controls: the clocks of a game, time forfeits, and the time allotted to a move.

Time controls; every time is in seconds, or has a unit s, m or h, or is written 1:30 or 1:30:00:

    60                 60 seconds for the whole game
    60+0.6             ... and 0.6 more after each move
    40/60+0.6          60 seconds for every 40 moves
    5/move             5 seconds for each move, none of them kept
    60+2delay          each move may take 2 seconds before the main time runs (simple or US delay)
    5m+30byoyomi       then each move 30 seconds; a move within them leaves them whole
    5m+3x30            ... three times: exceeding the 30 seconds costs one of them

5+3 commonly means five minutes and three seconds a move: for humans a main time without unit is in minutes
(`parse_time_control(text, minutes=True)`). `str(control)` always writes seconds.

Clocks count whole microseconds of a monotonic clock, so that sums are exact.
"""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from math import ceil

import msgspec

from gameplay.errors import Usage, brief

MICROSECONDS = 1_000_000
UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}
EXAMPLES = "60+0.6, 40/60+0.6, 5/move, 60+2delay, 5m+30byoyomi"
HUMAN_EXAMPLES = "5+3, 0:30, 40/90+30, 30s/move, 10+3x30"
MAX_SECONDS = 1_000_000.0  # seconds, eleven days

MOVES_AHEAD = 25  # expected remaining moves, if unknown
LATENCY = 0.06  # seconds reserved per move: a search polls its clock twenty times a second
MAX_SHARE = 0.75  # the greatest share of the remaining time for one move


class TimeControl(msgspec.Struct, frozen=True):
    """A time control. Times in seconds; `moves` 0: `main` is for the whole game."""

    main: float
    moves: int = 0
    increment: float = 0.0
    delay: float = 0.0
    byoyomi: float = 0.0
    periods: int = 1
    keeps: bool = True  # False: `main` is for each move

    def __str__(self) -> str:
        if not self.keeps:
            return f"{self.main:g}/move"
        text = f"{self.moves}/{self.main:g}" if self.moves else f"{self.main:g}"
        if self.increment:
            text += f"+{self.increment:g}"
        if self.delay:
            text += f"+{self.delay:g}delay"
        if self.byoyomi:
            text += (
                f"+{self.periods}x{self.byoyomi:g}byoyomi"
                if self.periods > 1
                else f"+{self.byoyomi:g}byoyomi"
            )
        return text

    @property
    def description(self) -> str:
        """In English: `5 min + 3 s a move`."""
        text = _format_duration(self.main)
        if not self.keeps:
            return f"{text} for each move"
        if self.moves:
            text = f"{text} for every {self.moves} moves"
        if self.increment:
            text += f" + {_format_duration(self.increment)} a move"
        if self.delay:
            text += f", {_format_duration(self.delay)} delay a move"
        if self.byoyomi:
            periods = f"{self.periods} periods of " if self.periods > 1 else ""
            text += f", then {periods}{_format_duration(self.byoyomi)} a move"
        return text


def _format_duration(seconds: float) -> str:
    """A length of time: `90 min`, `30 s`."""
    return f"{seconds / 60:g} min" if seconds and seconds % 30 == 0 and seconds >= 60 else f"{seconds:g} s"


def parse_time_control(text: str, minutes: bool = False) -> TimeControl:
    """Parse a time control; `minutes`: a main time without a unit is in minutes.

    Raises Usage with examples of valid ones.
    """

    def wrong(why: str) -> Usage:
        examples = HUMAN_EXAMPLES if minutes else EXAMPLES
        return Usage(f"'{brief(text)}' is not a time control: {why} (examples: {examples})")

    def seconds(text: str, least: float = 0.0, bare: float = 1.0) -> float:
        parsed = re.fullmatch(r"(\d+\.?\d*|\.\d+)([smh]?)", text)
        parts = re.fullmatch(r"(?:(\d+):)?(\d+):([0-5]\d(?:\.\d*)?)", text)
        if parts is not None:
            value = 3600.0 * int(parts[1] or 0) + 60.0 * int(parts[2]) + float(parts[3])
        elif parsed is not None:
            value = float(parsed[1]) * (UNITS[parsed[2]] if parsed[2] else bare)
        else:
            raise wrong(f"'{brief(text)}' is not a time" if text else "a time is missing")
        if not least <= value <= MAX_SECONDS:
            raise wrong(f"'{text}' is not between {least:g} and {MAX_SECONDS:,.0f} seconds")
        return value

    unit = 60.0 if minutes else 1.0
    main, plus, more = "".join(text.lower().split()).partition("+")
    moves = 0
    first, slash, rest = main.partition("/")
    if slash and rest == "move":
        if plus:
            raise wrong("a time per move has no increment")
        return TimeControl(seconds(first, 0.001, unit), keeps=False)
    if slash:
        if not first.isdecimal() or not 1 <= int(first) <= 10_000:
            raise wrong(f"'{first}' is not a number of moves from 1 to 10,000")
        moves, main = int(first), rest
    if not plus:
        return TimeControl(seconds(main, 0.001, unit), moves)
    if more.endswith("delay"):
        delay = seconds(more.removesuffix("delay"), 0.001)
        return TimeControl(seconds(main, 0.001, unit), moves, delay=delay)
    if more.endswith("byoyomi") or re.search(r"\dx[\d.]", more):
        if moves:
            raise wrong("byoyomi follows a time for the whole game")
        count, times, period = more.removesuffix("byoyomi").rpartition("x")
        if times and (not count.isdecimal() or not 1 <= int(count) <= 1_000):
            raise wrong(f"'{count}' is not a number of periods from 1 to 1,000")
        least = seconds(period, 0.001)
        return TimeControl(seconds(main, 0.0, unit), byoyomi=least, periods=int(count) if times else 1)
    return TimeControl(seconds(main, 0.001, unit), moves, increment=seconds(more))


class Stop(msgspec.Struct, frozen=True):
    """The result of stopping a clock, in seconds. `over`: time beyond the allowance, 0 if within it."""

    elapsed: float
    remaining: float
    flag_fallen: bool = False
    over: float = 0.0


class Face(msgspec.Struct, frozen=True):
    """The display of a clock: seconds left; in byoyomi those of the current period, and `periods` left."""

    seconds: float
    periods: int = 0

    def __str__(self) -> str:
        """`1:04:05`, `4:05`, `0:09.3`, `0:28 (3)`."""
        tenths = ceil(round(10 * self.seconds, 5))
        minutes, rest = divmod(ceil(tenths / 10) if tenths >= 100 else tenths // 10, 60)
        text = f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"
        text += f".{tenths % 10}" if tenths < 100 else ""
        return text + (f" ({self.periods})" if self.periods else "")


class _Hand:
    """One player's clock, in microseconds."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.main = round(control.main * MICROSECONDS)
        self.increment = round(control.increment * MICROSECONDS)
        self.delay = round(control.delay * MICROSECONDS)
        self.byoyomi = round(control.byoyomi * MICROSECONDS)
        self.remaining = self.main
        self.periods = control.periods if control.byoyomi else 0
        self.moves = 0

    def allowance(self) -> int:
        """The time that the next move may take."""
        return self.remaining + self.delay + self.periods * self.byoyomi

    def spend(self, used: int) -> None:
        """Subtract the time of a move; time beyond the allowance is not subtracted."""
        if not self.control.keeps:
            return
        over = max(0, used - self.delay) - self.remaining
        self.remaining = max(0, -over)
        while self.periods > 1 and over > self.byoyomi:
            self.periods -= 1
            over -= self.byoyomi

    def face(self, used: int) -> Face:
        """The face of the clock after `used` microseconds of the current move."""
        over = max(0, used - self.delay) - self.remaining
        if over < 0 or not self.byoyomi:
            return Face(max(0, -over) / MICROSECONDS)
        gone, into = divmod(over, self.byoyomi)
        if gone >= self.periods:
            return Face(0.0, 1)
        return Face((self.byoyomi - into) / MICROSECONDS, self.periods - gone)

    def moved(self) -> None:
        """Add the increment, and the main time of the next session of moves."""
        if not self.control.keeps:
            return
        self.remaining += self.increment
        self.moves += 1
        if self.control.moves and self.moves % self.control.moves == 0:
            self.remaining += self.main


class Clock:
    """The clocks of one game, a time control for each seat (None: no clock runs there).

    A player may exceed the time by `margin` seconds. `now` returns the time in seconds and must be monotonic.
    One clock runs at a time: `start(player)`, their move, `stop(player)`.
    """

    def __init__(
        self,
        controls: Sequence[TimeControl | None],
        margin: float = 0.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.controls = tuple(controls)
        self.margin = margin
        self.now = now
        self.reset()

    def reset(self) -> None:
        """Reset all clocks for a new game."""
        self.hands = [_Hand(control) if control else None for control in self.controls]
        self.began: int | None = None  # start of the running clock; None: no clock runs
        self.running: int | None = None  # its player
        self.held: int | None = None  # time used by the move when the clock was paused; None: not paused
        self.thought = 0.0  # seconds already used for the current move

    def start(self, player: int) -> None:
        """Start the clock of `player`, anew if it runs already: waiting before a search is free."""
        self.began, self.running, self.held = self._micros(), player, None

    def stop(self, player: int, moved: bool = True) -> Stop:
        """Stop the clock of `player`, after a move or (`moved` false) without one.

        The flag falls if the move took longer than the allowance plus the margin.
        """
        assert self.began is not None, "the clock does not run"
        used = self._elapsed_micros()
        self.began = self.running = self.held = None
        hand = self.hands[player]
        before, self.thought = self.thought, 0.0 if moved else self.thought + used / MICROSECONDS
        if hand is None:
            return Stop(used / MICROSECONDS, float("inf"))
        over = max(0, used - hand.allowance())
        hand.spend(used)
        fallen = over > round(self.margin * MICROSECONDS)
        if moved and not fallen:
            hand.moved()
        return Stop(before + used / MICROSECONDS, hand.remaining / MICROSECONDS, fallen, over / MICROSECONDS)

    def pause(self) -> None:
        """Pause the running clock until `resume`."""
        if self.began is not None and self.held is None:
            self.held = self._elapsed_micros()

    def resume(self) -> None:
        """Resume the paused clock."""
        if self.held is not None:
            self.began, self.held = self._micros() - self.held, None

    @property
    def paused(self) -> bool:
        """True between `pause` and `resume`."""
        return self.held is not None

    def replay(self, spent: Iterable[tuple[int, float | None]]) -> None:
        """Reset all clocks and subtract the time of each move: (player, seconds; None: no clock ran)."""
        self.reset()
        for player, seconds in spent:
            hand = self.hands[player] if player >= 0 and seconds is not None else None
            if hand is not None:
                hand.spend(round((seconds or 0.0) * MICROSECONDS))
                hand.moved()

    def think(self, player: int, seconds: float) -> None:
        """Subtract time that `player` has already used for the current move."""
        hand = self.hands[player]
        if hand is not None and seconds:
            hand.spend(round(seconds * MICROSECONDS))
            self.thought = seconds

    def face(self, player: int) -> Face | None:
        """The current face of the clock of `player`; None without a clock."""
        hand = self.hands[player]
        return hand.face(self._elapsed_micros() if player == self.running else 0) if hand else None

    def flag_fallen(self) -> bool:
        """True if the player whose clock runs has exceeded their time."""
        hand = self.hands[self.running] if self.running is not None else None
        return hand is not None and self._elapsed_micros() > hand.allowance() + round(
            self.margin * MICROSECONDS
        )

    def runs(self, player: int) -> bool:
        """True if `player` has a clock."""
        return self.hands[player] is not None

    def each(self, player: int) -> bool:
        """True if `player` has a fixed time per move."""
        hand = self.hands[player]
        return hand is not None and not hand.control.keeps

    def remaining(self, player: int) -> float:
        """Seconds of main time that `player` has left; infinite without a clock."""
        hand = self.hands[player]
        return hand.remaining / MICROSECONDS if hand else float("inf")

    def allowance(self, player: int) -> float:
        """Seconds that the next move of `player` may take; infinite without a clock."""
        hand = self.hands[player]
        return hand.allowance() / MICROSECONDS if hand else float("inf")

    def bonus(self, player: int) -> float:
        """Seconds added with every move: increment, delay or byoyomi."""
        hand = self.hands[player]
        return (hand.increment + hand.delay + hand.byoyomi) / MICROSECONDS if hand else 0.0

    def moves_to_go(self, player: int) -> int:
        """Moves until main time is added; 0 if none is added."""
        hand = self.hands[player]
        if hand is None or not hand.control.keeps:
            return 1 if hand else 0
        return hand.control.moves - hand.moves % hand.control.moves if hand.control.moves else 0

    def seconds(self, player: int) -> float:
        """The time in seconds that an engine should take for the next move of `player`."""
        assert self.hands[player] is not None, "the player has no clock"
        remaining, bonus = self.remaining(player), self.bonus(player)
        return allocate_time(remaining, bonus, self.moves_to_go(player), self.allowance(player))

    def _elapsed_micros(self) -> int:
        """The time used by the current move, in microseconds."""
        if self.began is None:
            return 0
        return self.held if self.held is not None else max(0, self._micros() - self.began)

    def _micros(self) -> int:
        return round(self.now() * MICROSECONDS)


def allocate_time(
    remaining: float, bonus: float = 0.0, moves_to_go: int = 0, allowance: float | None = None
) -> float:
    """Allocate time to one move, in seconds: at least a millisecond, and less than the allowance.

    It is `remaining` divided by the moves to go (0: unknown, MOVES_AHEAD), plus the `bonus` of each move; at
    most MAX_SHARE of the `allowance` (default: `remaining`), or all of it if new time follows the move; minus
    LATENCY.
    """
    allowance = remaining if allowance is None else allowance
    fair = remaining / (moves_to_go or MOVES_AHEAD) + bonus
    most = allowance if moves_to_go == 1 or allowance > remaining else MAX_SHARE * allowance
    usable = min(fair, most)
    return max(usable - LATENCY, usable / 2, 0.001)
