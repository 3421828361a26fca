"""Traced searches that tests share."""

from typing import Any

from gameplay import Limit, registry
from gameplay.games.tree import Tree
from gameplay.tracing.trace import Follower, TraceStep


def trace_search(spec: str, position: Any, limit: Limit) -> tuple[list[TraceStep], Any]:
    steps: list[TraceStep] = []
    engine, _ = registry.engine(spec)
    own = position.twin() if hasattr(position, "twin") else Tree.of(position.data)
    report = engine.search(position, limit, trace=Follower(own, engine, steps.append))
    return steps, report
