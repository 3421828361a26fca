"""Solves a game for the rules of its match, such as par of a bridge deal, on a background thread.

If no thread can be started, nothing is solved.
"""

import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from gameplay.search import threads

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition
    from gameplay.scoring.rules import MatchRules

SHORT_WAIT = 0.5  # seconds to wait at the end of a game
MAX_WAIT = 60.0  # seconds to wait at the end of a match
LOCK = threading.Lock()  # one game at a time: the tables of a solver are large


class Solving:
    """The solution of a game in progress. `found` is complete once `done`."""

    def __init__(self, rules: "MatchRules", position: "AbstractPosition") -> None:
        self.found: dict[str, Any] = {}
        self.stopped = False
        self.thread = threads.start(partial(self._solve, rules, position), "solving")

    def _solve(self, rules: "MatchRules", position: "AbstractPosition") -> None:
        with LOCK:
            self.found = rules.solution(position, self)

    @property
    def done(self) -> bool:
        """True if the solver has ended."""
        return self.thread is None or not self.thread.is_alive()

    def expired(self) -> bool:
        """True once a stop was requested, see `StopSignal`."""
        return self.stopped

    def wait(self, seconds: float, thinking: Callable[[str], bool]) -> bool:
        """Wait up to `seconds`, or until `thinking`, called with a message, is true. Returns `done`."""
        latest = time.monotonic() + seconds
        while not self.done and time.monotonic() < latest and not thinking("solving the deal"):
            time.sleep(min(0.1, seconds))
        return self.done


def stop(games: Iterable[Solving]) -> None:
    """Stop the solving of games, and wait until all threads have ended."""
    games = list(games)
    for game in games:
        game.stopped = True
    for game in games:
        if game.thread is not None:
            game.thread.join()
