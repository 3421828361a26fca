"""Solving: the value of a position under perfect play.

A *solver* computes the value of a position that is not over. A game may bring its own (`Kernel.solver`); in
other games for two `TreeSolver` searches every line to its end, by iterative deepening.

    value(position, low, high)   the exact value from the mover's view; only a bound for values beyond `low`
                                 and `high`; None if it was stopped
    nodes                        positions visited so far, over all calls
    most                         the limit of `nodes`; 0: no limit
    control                      a `Control` whose `stop` ends it; None: it cannot be stopped
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import SearchingEngine, Session
from gameplay.value import INF

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition
    from gameplay.search.control import Control

FOREVER = 10.0**9  # seconds: without any limit an engine sets one of its own
SHORTEST = 1e-6  # seconds of a search whose time is over


class Solver(Protocol):
    """See the head of this file."""

    nodes: int
    most: int
    control: "Control | None"

    def value(self, position: "AbstractPosition", low: int = -INF, high: int = INF) -> int | None:
        """The value of a position."""


class TreeSolver:
    """Any game of two, by the engine given: one that searches ever deeper, until it has seen every line."""

    def __init__(self, engine: SearchingEngine) -> None:
        self.session = Session(engine)
        self.session.begin()
        self.done = 0  # nodes of the searches that have ended
        self.depth: int | None = None  # plies to look ahead at most
        self.nodes = self.most = 0
        self.control: Control | None = None
        self.hear: Callable[[Report], object] | None = None  # called with what is known meanwhile

    def report(self, position: "AbstractPosition") -> Report:
        """What the engine finds; `exact` where it was not stopped before it saw all."""
        nodes = max(1, self.most - self.done) if self.most else None
        seconds = None if nodes else FOREVER
        if self.control is not None and self.control.deadline:
            seconds = max(SHORTEST, self.control.deadline - time.monotonic())
        limit = Limit(depth=self.depth, nodes=nodes, seconds=seconds)
        report = self.session.search(position, limit, self._watch, again=True)
        self.done += report.nodes
        self.nodes = self.done
        return report

    def value(self, position: "AbstractPosition", low: int = -INF, high: int = INF) -> int | None:
        """The value, whatever the window."""
        report = self.report(position)
        return int(report.value) if report.exact or report.stopped == "proven" else None

    def _watch(self, report: Report) -> bool:
        self.nodes = self.done + report.nodes
        if self.hear is not None:
            self.hear(report)
        return bool(self.control is not None and self.control.stop)
