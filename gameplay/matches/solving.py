"""What the rules of a match solve of a game, as par of a bridge deal: on a thread, while people play on.

Where no thread can be started nothing is solved.
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

BRIEF = 0.5  # seconds that the end of a game waits
LONGEST = 60.0  # seconds that the end of a match waits
IN_TURN = threading.Lock()  # one game is solved at a time: the tables of a solver are large


class Solving:
    """A game of a match that is being solved. `found` is complete once it is `done`."""

    def __init__(self, rules: "MatchRules", position: "AbstractPosition") -> None:
        self.found: dict[str, Any] = {}
        self.stopped = False
        self.thread = threads.start(partial(self._solve, rules, position), "solving")

    def _solve(self, rules: "MatchRules", position: "AbstractPosition") -> None:
        with IN_TURN:
            self.found = rules.solution(position, self)

    @property
    def done(self) -> bool:
        """True when nothing more will be found."""
        return self.thread is None or not self.thread.is_alive()

    def expired(self) -> bool:
        """True once it is to stop: see `StopSignal`."""
        return self.stopped

    def wait(self, seconds: float, thinking: Callable[[str], bool]) -> bool:
        """Wait so long at most, or until `thinking`, which is called with a message, is true.

        True if it is done.
        """
        latest = time.monotonic() + seconds
        while not self.done and time.monotonic() < latest and not thinking("solving the deal"):
            time.sleep(min(0.1, seconds))
        return self.done


def stop(games: Iterable[Solving]) -> None:
    """Stop the solving of games, and wait until all threads have ended."""
    games = list(games)
    for one in games:
        one.stopped = True
    for one in games:
        if one.thread is not None:
            one.thread.join()
