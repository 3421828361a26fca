"""A player that searches."""

import dataclasses
import time
from typing import Any

from gameplay.errors import Fault
from gameplay.players.player import Choice
from gameplay.search.limit import Limit
from gameplay.search.report import Report

HANG = 10.0  # seconds without one more node: the game's own code has not come back


class EnginePlayer:
    """Plays the moves that an engine finds within a limit.

    An engine that draws at random and has no `seed` option set draws from `seed`.
    """

    def __init__(self, engine: Any, limit: Limit | None = None, seed: int = 0) -> None:
        self.limit = limit if limit and engine.searches else Limit()
        self.spec = spec_of(engine, self.limit)
        self.name = str(engine.name)
        draws = not engine.searches or "random" in engine.orders()
        if draws and engine.seed == engine.options()["seed"].default:
            engine = dataclasses.replace(engine, seed=seed)
        self.engine = engine

    def check(self, position: Any) -> None:
        """Raises Usage, with the reason, if the engine cannot play this game."""
        self.engine.check(position)

    def choose(self, match: Any) -> Choice | None:
        """The engine's move. Raises Fault if the game's code hangs while the engine searches it."""
        position = match.replica()
        limit = self.engine.default_limit(position, self.limit)
        seen, since = -1, time.monotonic()

        def watch(report: Report) -> bool:
            nonlocal seen, since
            now = time.monotonic()
            if report.nodes != seen:
                seen, since = report.nodes, now
            elif now - since > HANG:
                name = match.game.name
                raise Fault(f"{name}: the game's code has not answered {self.name} for {HANG:g} seconds")
            return bool(match.watch(report))

        report = self.engine.search(position, limit, watch)
        return Choice(report.move, report)


def spec_of(engine: Any, limit: Limit) -> str:
    """The words that find the same engine and limit again: `alphabeta:order=killer,depth=6`."""
    limits = {"depth": limit.depth, "nodes": limit.nodes, "time": limit.seconds}
    words = ",".join(f"{key}={value}" for key, value in limits.items() if value is not None)
    spec = str(engine)
    if not words:
        return spec
    return f"{spec},{words}" if ":" in spec else f"{spec}:{words}"
