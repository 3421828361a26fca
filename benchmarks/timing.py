"""Measuring: one core, CPU time, rounds that take turns, medians."""

import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from gameplay import registry
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.statistics.interval import NoRating, estimate

SPEC = "alphabeta:eval=none,order=generated"
TABLED = SPEC + ",table=64MB"


_cores: set[int] = set()  # of the process before it was pinned


def pin() -> int | None:
    """Keep this process, and those it starts, on one core; its number, None where that cannot be done."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    _cores.update(os.sched_getaffinity(0))
    core = max(_cores)
    os.sched_setaffinity(0, {core})
    return core


def unpin() -> None:
    """Use all cores again."""
    if _cores:
        os.sched_setaffinity(0, _cores)


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


def interval(figures: Sequence[float], form: str) -> str:
    """A mean and the ends of its 95 % interval, `+0.31 [+0.22, +0.40]`; the mean alone without a spread."""
    try:
        found = estimate(figures)
    except NoRating:
        return f"{statistics.fmean(figures):{form}}"
    return f"{found.mean:{form}} [{found.low:{form}}, {found.high:{form}}]"


def verdict(reached: bool) -> str:
    """A goal in words."""
    return "reached" if reached else "missed"
