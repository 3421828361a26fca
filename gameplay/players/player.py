"""What a player is, and what he answers when it is his turn."""

from dataclasses import dataclass
from typing import Any, Protocol

from gameplay.search.report import Report


@dataclass(frozen=True)
class Choice:
    """A move, and what the search said that found it."""

    move: int
    report: Report | None = None


class Player(Protocol):
    """Whoever chooses moves.

    A player may also have `begin(match)`, called when a match is about to be played (again), and
    `close()`, for whoever made the player to call when he is needed no more.
    """

    @property
    def spec(self) -> str:
        """The words that find the same player again: `human`, `alphabeta:depth=6`."""
        ...

    @property
    def name(self) -> str:
        """For people."""
        ...

    def choose(self, match: Any) -> Choice | None:
        """A legal move for the player on turn in `match`, a `matches.match.Match`.

        None: the player did something to the match instead (took back a move, resigned, left).
        """
        ...
