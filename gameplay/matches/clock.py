"""Time for thinking: what a game's clocks allow, who has used it up, and how to share it out.

A time control in words; every time is in seconds, or says s, m or h:

    60                 60 seconds for the whole game
    60+0.6             ... and 0.6 more after each move
    40/60+0.6          60 seconds for every 40 moves
    5/move             5 seconds for each move, none of them kept
    60+2delay          each move may take 2 seconds before the main time runs (Bronstein)
    5m+30byoyomi       then each move 30 seconds; a move within them leaves them whole
    5m+3x30byoyomi     ... three times: each overstepping of the 30 seconds costs one of them

A clock counts whole microseconds on a clock that never jumps, so that sums are exact.
"""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gameplay.errors import Usage

MICRO = 1_000_000
UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}
EXAMPLES = "60+0.6, 40/60+0.6, 5/move, 60+2delay, 5m+30byoyomi"
LONGEST = 1_000_000.0  # seconds, eleven days

MOVES_AHEAD = 25  # that a game is taken to last yet, where nobody knows
LATENCY = 0.06  # seconds kept back from every move: a search looks at its clock twenty times a second
SHARE = 0.75  # of what is left goes to one move at most


@dataclass(frozen=True)
class TimeControl:
    """What a player may use. Times in seconds; `moves` 0: `main` is for the whole game."""

    main: float
    moves: int = 0
    increment: float = 0.0
    delay: float = 0.0
    byoyomi: float = 0.0
    periods: int = 1
    keeps: bool = True  # False: `main` is for each move alone

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


def control(text: str) -> TimeControl:
    """The time control that `words` tell. Raises Usage saying what would be right."""

    def wrong(why: str) -> Usage:
        return Usage(f"'{text}' is no time control: {why} (right are {EXAMPLES})")

    def seconds(text: str, least: float = 0.0) -> float:
        found = re.fullmatch(r"(\d+\.?\d*|\.\d+)([smh]?)", text)
        if found is None:
            raise wrong(f"'{text}' is no time" if text else "a time is missing")
        value = float(found[1]) * UNITS[found[2]]
        if not least <= value <= LONGEST:
            raise wrong(f"'{text}' is not between {least:g} and {LONGEST:,.0f} seconds")
        return value

    main, plus, more = "".join(text.lower().split()).partition("+")
    moves = 0
    first, slash, rest = main.partition("/")
    if slash and rest == "move":
        if plus:
            raise wrong("nothing is added where each move has its own time")
        return TimeControl(seconds(first, 0.001), keeps=False)
    if slash:
        if not first.isdecimal() or not 1 <= int(first) <= 10_000:
            raise wrong(f"'{first}' is no number of moves from 1 to 10,000")
        moves, main = int(first), rest
    if not plus:
        return TimeControl(seconds(main, 0.001), moves)
    if more.endswith("delay"):
        return TimeControl(seconds(main, 0.001), moves, delay=seconds(more.removesuffix("delay"), 0.001))
    if more.endswith("byoyomi"):
        if moves:
            raise wrong("byoyomi follows a time for the whole game")
        count, times, period = more.removesuffix("byoyomi").rpartition("x")
        if times and (not count.isdecimal() or not 1 <= int(count) <= 1_000):
            raise wrong(f"'{count}' is no number of periods from 1 to 1,000")
        return TimeControl(seconds(main), byoyomi=seconds(period, 0.001), periods=int(count) if times else 1)
    return TimeControl(seconds(main, 0.001), moves, increment=seconds(more))


@dataclass(frozen=True)
class Stop:
    """What stopping a clock found, in seconds. `over`: how late the move came, 0 if it was in time."""

    elapsed: float
    remaining: float
    fallen: bool = False
    over: float = 0.0


class _Hand:
    """One player's clock, in microseconds."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.main = round(control.main * MICRO)
        self.increment = round(control.increment * MICRO)
        self.delay = round(control.delay * MICRO)
        self.byoyomi = round(control.byoyomi * MICRO)
        self.left = self.main
        self.periods = control.periods if control.byoyomi else 0
        self.moves = 0

    def allowance(self) -> int:
        """How long the next move may take until the flag falls."""
        return self.left + self.delay + self.periods * self.byoyomi

    def spend(self, used: int) -> None:
        """A move took `used`, no longer than allowed; what was more is forgiven."""
        if not self.control.keeps:
            return
        over = max(0, used - self.delay) - self.left
        self.left = max(0, -over)
        while self.periods > 1 and over > self.byoyomi:
            self.periods -= 1
            over -= self.byoyomi

    def moved(self) -> None:
        """A move was made: what the control adds for it."""
        if not self.control.keeps:
            return
        self.left += self.increment
        self.moves += 1
        if self.control.moves and self.moves % self.control.moves == 0:
            self.left += self.main


class Clock:
    """The clocks of one game, a time control for each seat (None: no clock runs there).

    `margin` seconds may be overstepped and are forgiven. `now` tells the time in seconds; it must never go
    backwards. One clock runs at a time: `start(player)`, their move, `stop(player)`.
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
        """Wind all clocks up for a new game."""
        self.hands = [_Hand(control) if control else None for control in self.controls]
        self.began: int | None = None

    def start(self, player: int) -> None:
        """The clock of `player` runs from now on, also if it ran already: waiting before a search is free."""
        self.began = self._micros()

    def stop(self, player: int, moved: bool = True) -> Stop:
        """The clock of `player` stands, after their move or (`moved` false) without one.

        The flag falls when a move took longer than allowed and the margin.
        """
        assert self.began is not None, "the clock does not run"
        used = max(0, self._micros() - self.began)
        self.began = None
        hand = self.hands[player]
        if hand is None:
            return Stop(used / MICRO, float("inf"))
        over = max(0, used - hand.allowance())
        hand.spend(used)
        fallen = over > round(self.margin * MICRO)
        if moved and not fallen:
            hand.moved()
        return Stop(used / MICRO, hand.left / MICRO, fallen, over / MICRO)

    def runs(self, player: int) -> bool:
        """True if `player` has a clock."""
        return self.hands[player] is not None

    def each(self, player: int) -> bool:
        """True if `player` has a time for each move and none to save."""
        hand = self.hands[player]
        return hand is not None and not hand.control.keeps

    def remaining(self, player: int) -> float:
        """Seconds of main time that `player` has left; infinite without a clock."""
        hand = self.hands[player]
        return hand.left / MICRO if hand else float("inf")

    def allowance(self, player: int) -> float:
        """Seconds that the next move of `player` may take; infinite without a clock."""
        hand = self.hands[player]
        return hand.allowance() / MICRO if hand else float("inf")

    def bonus(self, player: int) -> float:
        """Seconds that come back with every move: increment, delay or byoyomi."""
        hand = self.hands[player]
        return (hand.increment + hand.delay + hand.byoyomi) / MICRO if hand else 0.0

    def moves_to_go(self, player: int) -> int:
        """Moves until more main time comes; 0 if none ever does."""
        hand = self.hands[player]
        if hand is None or not hand.control.keeps:
            return 1 if hand else 0
        return hand.control.moves - hand.moves % hand.control.moves if hand.control.moves else 0

    def seconds(self, player: int) -> float:
        """Seconds that one of our engines should take for the next move of `player`."""
        assert self.hands[player] is not None, "no clock, no time to share out"
        left, bonus = self.remaining(player), self.bonus(player)
        return share(left, bonus, self.moves_to_go(player), self.allowance(player))

    def _micros(self) -> int:
        return round(self.now() * MICRO)


def share(left: float, bonus: float = 0.0, moves_to_go: int = 0, allowance: float | None = None) -> float:
    """Seconds to take for one move, always less than what may be used.

    An even share of what is `left` over the moves to go (0: unknown, so 25), and the `bonus` that comes back
    with each move; never more than three quarters of the `allowance` (default: `left`), or nearly all of it
    where the next move brings new time. Some latency is kept back. At least a millisecond.
    """
    allowance = left if allowance is None else allowance
    fair = left / (moves_to_go or MOVES_AHEAD) + bonus
    most = allowance if moves_to_go == 1 or allowance > left else SHARE * allowance
    usable = min(fair, most)
    return max(usable - LATENCY, usable / 2, 0.001)
