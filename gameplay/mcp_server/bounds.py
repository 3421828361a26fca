"""What a call may use, and what a server may: seconds, nodes, lines, characters, games, calls."""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from gameplay.errors import TryLater, Usage
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.visible import visible

NODES = 1_000_000_000  # most nodes that a search may visit
DEPTH = 100  # ... plies deep
LINES = 10  # most lines of a search
WORDS = 20_000  # characters of a list of moves or of a position
RECORD = 200_000  # characters of the text of a game
NAME = 200  # characters of a name
ANSWER = 12_000  # characters of the text of an answer
LISTED = 100  # legal moves that are listed
SHARE = 0.95  # of a call's seconds, in which its searches end


@dataclass(frozen=True)
class Bounds:
    """The limits of a server. `seconds`: most of one call; `usual`: where a call names none."""

    seconds: float = 30.0
    usual: float = 2.0
    games: int = 16  # open at once
    at_once: int = 4  # calls that run at the same time
    waiting: int = 16  # calls that wait for one of these to end
    a_minute: int = 240  # calls


class Call:
    """One call of a tool: how long it may take, whether it was cancelled, and how far it is.

    `seconds` is None where the caller named no limit. Any thread may set `stop` and read `progress`.
    """

    def __init__(self, bounds: Bounds, seconds: float | None = None, nodes: int | None = None) -> None:
        if seconds is not None and seconds > bounds.seconds:
            most = f"{bounds.seconds:g}"
            raise Usage(f"seconds is over 0, up to {most}, not {seconds:g}. Try: {most}")
        # Where nodes are named they decide, so that the same call has one answer.
        usual = bounds.usual if nodes is None else bounds.seconds
        self.seconds = min(seconds or usual, bounds.seconds)
        self.nodes = nodes
        self.stop = threading.Event()
        self.progress = ""
        self.began = time.monotonic()

    def start(self) -> None:
        """The call begins to run: until now it waited for others."""
        self.began = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the call began to run."""
        return time.monotonic() - self.began

    @property
    def remaining(self) -> float:
        """Seconds left for searches, at least 0."""
        return max(0.0, SHARE * self.seconds - self.elapsed)

    def over(self) -> bool:
        """True if the call was cancelled or its time is used up."""
        return self.stop.is_set() or self.remaining <= 0

    def limit(self, share: float = 1.0) -> Limit:
        """The limit of a search that may take this share of the time left."""
        return Limit(nodes=self.nodes, seconds=max(0.02, share * self.remaining))

    def watch(self, report: Report) -> bool:
        """For a search: notes how far it is; true if it should stop."""
        depth = f"depth {report.depth}, " if report.depth else ""
        self.progress = f"{depth}{report.nodes:,} nodes"
        return self.stop.is_set()


class Rate:
    """At most `most` calls in a minute, by `clock` in seconds."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.clock = clock
        self.calls: deque[float] = deque()

    def count(self) -> None:
        """Count a call. Raises TryLater for one too many."""
        now = self.clock()
        while self.calls and now - self.calls[0] >= 60:
            self.calls.popleft()
        if len(self.calls) >= self.most:
            wait = 60 - (now - self.calls[0])
            raise TryLater(f"too many calls: {self.most} a minute are answered. Try again in {wait:.0f} s")
        self.calls.append(now)


def clipped(text: str, most: int = ANSWER) -> str:
    """A text that is safe to show, and no longer than `most` characters and a note of what is left out."""
    text = visible(text)
    if len(text) <= most:
        return text
    return f"{text[:most]}\n... (cut: {len(text) - most:,} of {len(text):,} characters left out)"
