"""Plays a stored run to its end and reports it, for commands and the library."""

import time

from gameplay.errors import Fault
from gameplay.plural import plural
from gameplay.runs import stored
from gameplay.runs.runner import Listener, Runner
from gameplay.runs.schedule import Schedule
from gameplay.runs.summary import RunReport
from gameplay.runs.workers import WorkerPool
from gameplay.store.runs import Run, Store


def play(
    store: Store, run: Run, schedule: Schedule, workers: WorkerPool, listener: Listener, jobs: int
) -> tuple[Runner, RunReport]:
    """Play the missing games of a run whose lock is held; returns the runner and the report of all games.

    `jobs`: concurrent games, for the report. Raises as `stored.play`; a Fault names the number of stored
    games.
    """
    began = time.perf_counter()
    try:
        runner = stored.play(store, run, schedule, workers, listener)
    except Fault as fault:
        games = stored.count_games(store, run)
        fault.args = (f"{fault} (run {run.id} has {plural(games, 'finished game')})",)
        raise
    seconds = time.perf_counter() - began
    return runner, RunReport(store, store.run(run.id), schedule, seconds, jobs)
