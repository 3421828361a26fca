"""Measurements: one core, CPU time, medians of interleaved rounds."""

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
SPEC_WITH_TABLE = SPEC + ",table=64MB"

_cores: set[int] = set()  # allowed cores of the process before it was pinned


def pin() -> int | None:
    """Pin this process and its children to one core. Returns the core, None where the system cannot pin."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    _cores.update(os.sched_getaffinity(0))
    core = max(_cores)
    os.sched_setaffinity(0, {core})
    return core


def unpin() -> None:
    """Undo `pin`."""
    if _cores:
        os.sched_setaffinity(0, _cores)


def search(engine: Any, position: Any, depth: int, watch: Any = None) -> tuple[int, int, float]:
    """Value, nodes and CPU seconds of a search. The CPU time includes the thread that calls `watch`."""
    start = time.process_time()
    report = engine.search(position, Limit(depth=depth), watch)
    return report.value, report.nodes, time.process_time() - start


def connect4_session(spec: str) -> tuple[Any, Any]:
    """A session of an engine, and the empty board of 7 columns and 6 rows."""
    return Session(registry.engine(spec)[0]), registry.game("connect4").new()


def medians(variants: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median of `rounds` measurements of each variant.

    Rounds of the variants are interleaved: a change in the machine's load affects all of them.
    """
    times: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(rounds):
        for name, measure in variants.items():
            times[name].append(measure())
    return {name: statistics.median(values) for name, values in times.items()}


def format_interval(values: Sequence[float], form: str) -> str:
    """Mean and 95 % confidence interval, `+0.31 [+0.22, +0.40]`; the mean alone if all values are equal.

    form: the format specification of each number.
    """
    try:
        interval = estimate(values)
    except NoRating:
        return f"{statistics.fmean(values):{form}}"
    return f"{interval.mean:{form}} [{interval.low:{form}}, {interval.high:{form}}]"


def verdict(reached: bool) -> str:
    """Format whether a goal is reached."""
    return "reached" if reached else "missed"
