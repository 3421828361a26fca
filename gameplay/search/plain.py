"""Base class of searches in plain Python that are not tree searches.

Subclasses implement `run`, which polls `stopped()` and updates `latest`.
"""

from typing import TYPE_CHECKING

from gameplay.search.limit import Limit, restrict_moves
from gameplay.search.report import Report
from gameplay.search.session import Search, Trace, Unwatched

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition
    from gameplay.search.control import Control


class PlainSearch:
    """One search of one position, see `session.Search`."""

    def __init__(self, position: "AbstractPosition", limit: Limit, control: "Control") -> None:
        self.position = position
        self.player = position.turn
        self.unit = position.unit
        self.limit = limit
        self.control = control
        moves = list(position.moves())
        self.moves = restrict_moves(moves, limit.moves) if limit.moves else moves
        self.kernel = Unwatched()
        self.multipv = limit.multipv
        self.node_limit: int = control.nodes
        self.nodes = 0
        self.deepens = self.shared = False
        self.helper = 0
        self.helpers: list[Search] = []
        self.latest = Report(move=self.moves[0], pv=(self.moves[0],), bound="unknown")

    def restrict_moves(self, moves: tuple[int, ...]) -> None:
        """No effect: `limit.moves` already restricts them."""

    def set_trace(self, trace: Trace | None) -> None:
        """No effect: tracing is not supported."""

    def check(self) -> None:
        """No effect: exceptions propagate from `run`."""

    def run(self, depth: int) -> None:
        """Search until done or stopped."""
        raise NotImplementedError

    def report(self) -> Report:
        """The current report."""
        return self.latest

    def stopped(self) -> bool:
        """True if a stop was requested or the node limit is reached."""
        if self.node_limit and self.nodes >= self.node_limit:
            self.control.halt("nodes")
        return bool(self.control.expired())
