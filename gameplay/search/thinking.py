"""Runs a search on a thread of its own, so that the calling thread can watch it, and stop it."""

import sys
import threading
import time
from typing import Any

from gameplay.errors import Fault
from gameplay.search.report import Report

INTERVAL = 0.05  # seconds between two reports
PATIENCE = 10.0  # seconds that a game written in Python may take for one call


def think(
    searchers: list[Any], depth: int, watch: Any, engine: str, started: float, bell: threading.Event
) -> Report:
    """Run a search to `depth` plies and return its last report.

    The first of `searchers` is the search; the others share its table and its `Control`, each on a thread
    of its own, and end with it. Whoever rings the `bell` has `watch` called at once. Raises what
    the game raised, and Fault when one of its methods does not come back.
    """
    first, *others = searchers
    done = False
    failure: list[BaseException] = []

    def work() -> None:
        nonlocal done
        try:
            first.run(depth)
        except BaseException as error:
            failure.append(error)
        finally:
            done = True
            bell.set()

    thread = threading.Thread(target=work, name="search", daemon=True)
    control = first.control
    helpers = [threading.Thread(target=other.run, args=(depth,), daemon=True) for other in others]
    seen, moved = -1, started
    for each in (thread, *helpers):
        each.start()
    while not done:
        try:
            while True:
                bell.wait(INTERVAL)
                bell.clear()
                if done:
                    break
                now = time.monotonic()
                if control.deadline and now >= control.deadline:
                    control.halt("time")
                if watch is not None and watch(report(searchers, engine, now - started)):
                    control.halt("interrupted")
                if first.nodes != seen:
                    seen, moved = first.nodes, now
                elif now - moved > PATIENCE and first.kernel.python:
                    control.halt("hung")
                    raise Fault(_where(thread))
        except KeyboardInterrupt:
            control.halt("interrupted")
    if not control.reason:
        control.reason = _reason(control)
    control.stop = True
    for helper in helpers:
        helper.join()
    if failure:
        raise failure[0]
    return report(searchers, engine, time.monotonic() - started, final=True)


def report(searchers: list[Any], engine: str, seconds: float, final: bool = False) -> Report:
    """What the search knows now. Counters are read while it runs, each one whole."""
    first = searchers[0]
    move, value, depth, pv, exact = first.best
    nodes = sum(searcher.nodes for searcher in searchers)
    return Report(
        move=move,
        value=value,
        depth=depth,
        seldepth=first.seldepth,
        nodes=nodes,
        seconds=seconds,
        pv=pv,
        exact=exact,
        probes=sum(searcher.probes for searcher in searchers),
        hits=sum(searcher.hits for searcher in searchers),
        fill=first.table.fill() if first.table is not None else 0.0,
        cutoffs=sum(searcher.cutoffs for searcher in searchers),
        first_cutoffs=sum(searcher.first_cutoffs for searcher in searchers),
        branching=nodes ** (1 / depth) if depth else 0.0,
        stopped=first.control.reason if final else "",
        engine=engine,
        final=final,
    )


def _reason(control: Any) -> str:
    """Why a search ended that nobody halted."""
    if not control.stop:
        return "depth"
    if control.deadline and time.monotonic() >= control.deadline:
        return "time"
    return "nodes"


def _where(thread: threading.Thread) -> str:
    """The line of the game's code that does not come back."""
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None and "gameplay/" in frame.f_code.co_filename.replace("\\", "/"):
        frame = frame.f_back
    if frame is None:
        return f"the game has not answered for {PATIENCE:g} seconds"
    code = frame.f_code
    return (
        f"{code.co_name}() has not returned for {PATIENCE:g} seconds "
        f"({code.co_filename}, line {frame.f_lineno})"
    )
