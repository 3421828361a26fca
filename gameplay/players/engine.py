"""A player that searches."""

import dataclasses
from random import Random
from typing import Any

from gameplay.players.player import Choice
from gameplay.search.limit import Limit


class EnginePlayer:
    """Plays the moves that an engine finds within a limit.

    An engine that draws lots and was given no seed of its own draws them from `seed`.
    """

    def __init__(self, engine: Any, limit: Limit | None = None, seed: int = 0) -> None:
        self.limit = limit or Limit()
        self.spec = spec_of(engine, self.limit)
        self.name = str(engine.name)
        draws = not engine.searches or "random" in engine.orders()
        if draws and "seed" in engine.options() and not engine.seed:
            engine = dataclasses.replace(engine, seed=seed)
        self.engine = engine

    def check(self, position: Any) -> None:
        """Raises Usage, with the reason, if the engine cannot play this game."""
        self.engine.check(position)

    def begin(self, match: Any) -> None:
        """A new game: what was learned in the last one is forgotten, so that games do not depend on it."""
        self.engine.begin()

    def choose(self, match: Any) -> Choice | None:
        """The engine's move, and its last report. Under a clock it shares out its time."""
        engine = self.engine
        limit = self.limit
        if match.clock is not None and match.clock.runs(match.position.turn):
            seconds = match.clock.seconds(match.position.turn)
            limit = limit.with_(seconds=min(seconds, limit.seconds or seconds))
        if (
            not engine.searches
        ):  # drawn alike whenever a position comes again, its moves could turn in circles
            lot = Random(f"{engine.seed}/{len(match.turns)}").getrandbits(63)
            engine = dataclasses.replace(engine, seed=lot)
        report = engine.search(match.replica(), limit, match.watch)
        return Choice(report.move, report)


def spec_of(engine: Any, limit: Limit) -> str:
    """The words that find the same engine and limit again: `alphabeta:order=killer,depth=6`."""
    limits = {"depth": limit.depth, "nodes": limit.nodes, "time": limit.seconds}
    words = ",".join(f"{key}={value}" for key, value in limits.items() if value is not None)
    spec = str(engine)
    if not words:
        return spec
    return f"{spec},{words}" if ":" in spec else f"{spec}:{words}"
