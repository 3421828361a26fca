"""Runs a search on a thread of its own, so that the calling thread can watch it, and stop it."""

import sys
import threading
import time
from typing import Any

from gameplay.errors import Fault
from gameplay.search.report import Report

INTERVAL = 0.05  # seconds between two reports
PATIENCE = 10.0  # seconds that a game written in Python may take for one call


def think(searcher: Any, depth: int, watch: Any, engine: str, started: float) -> Report:
    """Run `searcher` to `depth` plies and return its last report.

    Raises what the game raised, and Fault when one of its methods does not come back.
    """
    done = threading.Event()
    failure: list[BaseException] = []

    def work() -> None:
        try:
            searcher.run(depth)
        except BaseException as error:
            failure.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=work, name="search", daemon=True)
    control = searcher.control
    seen, moved = -1, started
    thread.start()
    while not done.is_set():
        try:
            while not done.wait(INTERVAL):
                now = time.monotonic()
                if control.deadline and now >= control.deadline:
                    control.halt("time")
                if watch is not None and watch(report(searcher, engine, now - started)):
                    control.halt("interrupted")
                if searcher.nodes != seen:
                    seen, moved = searcher.nodes, now
                elif now - moved > PATIENCE and searcher.kernel.python:
                    control.halt("hung")
                    raise Fault(_where(thread))
        except KeyboardInterrupt:
            control.halt("interrupted")
    if failure:
        raise failure[0]
    if not control.reason:
        control.reason = _reason(control)
    return report(searcher, engine, time.monotonic() - started, final=True)


def report(searcher: Any, engine: str, seconds: float, final: bool = False) -> Report:
    """What `searcher` knows now. Counters are read while it runs, each one whole."""
    move, value, depth, pv, exact = searcher.best
    nodes = searcher.nodes
    table = searcher.table
    return Report(
        move=move,
        value=value,
        depth=depth,
        seldepth=searcher.seldepth,
        nodes=nodes,
        seconds=seconds,
        pv=pv,
        exact=exact,
        probes=searcher.probes,
        hits=searcher.hits,
        fill=table.fill() if table is not None else 0.0,
        cutoffs=searcher.cutoffs,
        first_cutoffs=searcher.first_cutoffs,
        branching=nodes ** (1 / depth) if depth else 0.0,
        stopped=searcher.control.reason if final else "",
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
