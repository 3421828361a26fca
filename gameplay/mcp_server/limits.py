"""Limits of calls and servers: seconds, nodes, lines, characters, games, calls."""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from gameplay.errors import TryLater, Usage
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.visible import visible

MAX_NODES = 1_000_000_000  # of a search
MAX_DEPTH = 100  # plies of a search
MAX_LINES = 10  # of a search
MAX_MOVES_TEXT = 20_000  # characters of a list of moves or of a position
MAX_RECORD_TEXT = 200_000  # characters of the text of a game
MAX_NAME = 200  # characters of a name
MAX_ANSWER = 12_000  # characters of the text of an answer
MAX_LISTED_MOVES = 100  # legal moves in an answer
SEARCH_SHARE = 0.95  # share of a call's seconds that its searches may use


@dataclass(frozen=True)
class Bounds:
    """The limits of a server. seconds: the maximum of a call; default_seconds: if a call sets none."""

    seconds: float = 30.0
    default_seconds: float = 2.0
    max_games: int = 16  # open games
    max_running: int = 4  # calls that run concurrently
    max_waiting: int = 16  # calls that wait to run
    calls_per_minute: int = 240


class Call:
    """One call of a tool: its time limit, cancellation and progress.

    seconds: None for the default. Any thread may set `stop` and read `progress`.
    """

    def __init__(self, bounds: Bounds, seconds: float | None = None, nodes: int | None = None) -> None:
        if seconds is not None and seconds > bounds.seconds:
            maximum = f"{bounds.seconds:g}"
            raise Usage(f"seconds must be over 0, up to {maximum}, not {seconds:g}. Try: {maximum}")
        # A node limit gets the maximum time, so that equal calls have equal answers.
        default = bounds.default_seconds if nodes is None else bounds.seconds
        self.seconds = min(seconds or default, bounds.seconds)
        self.nodes = nodes
        self.stop = threading.Event()
        self.progress = ""
        self.began = time.monotonic()

    def start(self) -> None:
        """Begin to count the time: the call no longer waits for others."""
        self.began = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the call began to run."""
        return time.monotonic() - self.began

    @property
    def remaining(self) -> float:
        """Seconds left for searches, at least 0."""
        return max(0.0, SEARCH_SHARE * self.seconds - self.elapsed)

    def over(self) -> bool:
        """True if the call was cancelled or its time is used up."""
        return self.stop.is_set() or self.remaining <= 0

    def limit(self, share: float = 1.0) -> Limit:
        """The limit of a search that may take this share of the time left."""
        return Limit(nodes=self.nodes, seconds=max(0.02, share * self.remaining))

    def watch(self, report: Report) -> bool:
        """Store the progress of a search; true if it should stop."""
        depth = f"depth {report.depth}, " if report.depth else ""
        self.progress = f"{depth}{report.nodes:,} nodes"
        return self.stop.is_set()


class RateLimit:
    """Limits calls to `per_minute`. clock: returns the time in seconds."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self.clock = clock
        self.calls: deque[float] = deque()

    def count(self) -> None:
        """Count a call. Raises TryLater if the limit is exceeded."""
        now = self.clock()
        while self.calls and now - self.calls[0] >= 60:
            self.calls.popleft()
        if len(self.calls) >= self.per_minute:
            wait = 60 - (now - self.calls[0])
            raise TryLater(
                f"too many calls: {self.per_minute} a minute are answered. Try again in {wait:.0f} s"
            )
        self.calls.append(now)


def clip(text: str, length: int = MAX_ANSWER) -> str:
    """Escape control characters, and cut a text to `length` characters plus a note about the rest."""
    text = visible(text)
    if len(text) <= length:
        return text
    return f"{text[:length]}\n... (cut: {len(text) - length:,} of {len(text):,} characters left out)"
