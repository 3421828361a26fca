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

FOREVER = 10.0**9  # seconds: prevents the default limit of the engine
SHORTEST = 1e-6  # time limit of a search, in seconds, when no time is left


class Solver(Protocol):
    """The interface of a solver: see the module docstring."""

    nodes: int
    node_limit: int
    control: "Control | None"

    def value(self, position: "AbstractPosition", low: int = -INF, high: int = INF) -> int | None:
        """The value of a position."""


class TreeSolver:
    """Solves any game of two players by iterative deepening to the end of the game."""

    def __init__(self, engine: SearchingEngine) -> None:
        self.session = Session(engine)
        self.session.begin()
        self.done = 0  # nodes of finished searches
        self.depth: int | None = None  # depth limit in plies
        self.nodes = self.node_limit = 0
        self.control: Control | None = None
        self.callback: Callable[[Report], object] | None = None  # called with reports during the search

    def report(self, position: "AbstractPosition") -> Report:
        """The engine's report; `exact` unless it was stopped."""
        nodes = max(1, self.node_limit - self.done) if self.node_limit else None
        seconds = None if nodes else FOREVER
        if self.control is not None and self.control.deadline:
            seconds = max(SHORTEST, self.control.deadline - time.monotonic())
        limit = Limit(depth=self.depth, nodes=nodes, seconds=seconds)
        report = self.session.search(position, limit, self._watch, again=True)
        self.done += report.nodes
        self.nodes = self.done
        return report

    def value(self, position: "AbstractPosition", low: int = -INF, high: int = INF) -> int | None:
        """The value; the window is ignored."""
        report = self.report(position)
        return int(report.value) if report.exact or report.stopped == "proven" else None

    def _watch(self, report: Report) -> bool:
        self.nodes = self.done + report.nodes
        if self.callback is not None:
            self.callback(report)
        return bool(self.control is not None and self.control.stop)
