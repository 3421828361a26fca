"""Measuring: one core, CPU time, rounds that take turns, medians."""

import os
import statistics
import time
from collections.abc import Callable
from typing import Any

from gameplay import registry
from gameplay.search.limit import Limit
from gameplay.search.session import Session

SPEC = "alphabeta:eval=none,order=generated"
TABLED = SPEC + ",table=64MB"


def pin() -> int | None:
    """Keep this process, and those it starts, on one core; its number, None where that cannot be done."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def unpin() -> None:
    """Use all cores again."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))


def search(engine: Any, position: Any, depth: int, watch: Any = None) -> tuple[int, int, float]:
    """Value, nodes and CPU seconds of a search, those of the thread that shows reports included."""
    start = time.process_time()
    report = engine.search(position, Limit(depth=depth), watch)
    return report.value, report.nodes, time.process_time() - start


def connect4(spec: str) -> tuple[Any, Any]:
    """An engine and the empty board of 7 columns and 6 rows."""
    return Session(registry.engine(spec)[0]), registry.game("connect4").new()


def medians(variants: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median of `rounds` measurements of each variant, taken in turns to meet the same machine."""
    times: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(rounds):
        for name, measure in variants.items():
            times[name].append(measure())
    return {name: statistics.median(values) for name, values in times.items()}


def verdict(reached: bool) -> str:
    """A goal in words."""
    return "reached" if reached else "missed"
