"""A search written in plain Python, for engines that are none of a tree: what a session asks of it.

`run` is its own. It looks at `stopped()` now and then, and keeps `latest` up to date.
"""

from types import SimpleNamespace
from typing import Any

from gameplay.errors import Usage
from gameplay.search.limit import Limit
from gameplay.search.report import Report


class PlainSearch:
    """One search of one position, see `session.Search`."""

    def __init__(self, position: Any, limit: Limit, control: Any) -> None:
        self.position = position
        self.limit = limit
        self.control = control
        chosen = set(limit.moves)
        self.moves = [move for move in position.moves() if not chosen or move in chosen]
        if not self.moves:
            raise Usage(f"none of the moves to search, {', '.join(map(str, limit.moves))}, is legal here")
        self.kernel: Any = SimpleNamespace(python=False)
        self.multipv = limit.multipv
        self.most: int = control.nodes
        self.nodes = 0
        self.deepens = self.shared = False
        self.helper = 0
        self.helpers: list[Any] = []
        self.latest = Report(move=self.moves[0], pv=(self.moves[0],), bound="unknown")

    def only(self, moves: tuple[int, ...]) -> None:
        """It is told by its limit."""

    def listen(self, trace: Any) -> None:
        """It tells no steps."""

    def check(self) -> None:
        """What it raises comes out by itself."""

    def run(self, depth: int) -> None:
        """Search until done or told to stop."""
        raise NotImplementedError

    def report(self) -> Report:
        """What is known now."""
        return self.latest

    def stopped(self) -> bool:
        """True if it must stop: it was told to, or has visited as many nodes as it may."""
        if self.most and self.nodes >= self.most:
            self.control.halt("nodes")
        return bool(self.control.expired())
