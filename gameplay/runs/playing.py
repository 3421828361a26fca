"""A stored run played to its end, and reported: what the commands and the library share."""

import time

from gameplay.errors import Fault
from gameplay.runs import stored
from gameplay.runs.runner import Listener, Runner
from gameplay.runs.schedule import Schedule
from gameplay.runs.summary import RunReport
from gameplay.runs.workers import WorkerPool
from gameplay.store.runs import Run, Store


def play(
    store: Store, run: Run, schedule: Schedule, workers: WorkerPool, listener: Listener, jobs: int
) -> tuple[Runner, RunReport]:
    """Play what is missing of a run whose lock is held; how it ended, and the report of all its games.

    `jobs`: games at a time, for the report. Raises as `stored.play`; a Fault counts the games that are kept.
    """
    began = time.perf_counter()
    try:
        runner = stored.play(store, run, schedule, workers, listener)
    except Fault as fault:
        games = stored.count_games(store, run)
        noun = "1 finished game" if games == 1 else f"{games:,} finished games"
        fault.args = (f"{fault} (run {run.id} keeps {noun})",)
        raise
    took = time.perf_counter() - began
    return runner, RunReport(store, store.run(run.id), schedule, took, jobs)
