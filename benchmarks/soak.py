"""`python -m benchmarks.soak [GAMES]`: plays many short games to detect leaks; exit status 1 if any.

Plays Connect Four, random against random (10,000 games by default), into a store, and measures the memory of
the runner and its workers, open files and processes ten times. Requires /proc.
"""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from gameplay.runs import planning, stored
from gameplay.runs.runner import COMPLETE, Finished
from gameplay.runs.schedule import Schedule
from gameplay.runs.standing import Standing
from gameplay.runs.workers import Local
from gameplay.store.runs import Store

GAMES = 10_000
SAMPLES = 10
MAX_BYTES_PER_GAME = 1_500  # memory that the runner may keep for each game
MAX_GROWTH = 8_000_000  # bytes of other growth


class Sample(NamedTuple):
    """Resources in use after a number of games."""

    games: int
    runner_bytes: int
    worker_bytes: int  # of the largest worker
    descriptors: int  # open in the runner
    workers: int


def resident_bytes(pid: int) -> int:
    """The resident memory of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize()


class Sampler:
    """A listener that samples the resources of the runner and its workers."""

    def __init__(self, games: int, pool: Local) -> None:
        self.interval = max(1, games // SAMPLES)  # games between two samples
        self.pool = pool
        self.samples: list[Sample] = []

    def games_stored(self, played: Sequence[Finished], standing: Standing) -> None:
        """See `runs.runner.Listener`."""
        if standing.games // self.interval > len(self.samples):
            pids = self.pool.pids
            sample = Sample(
                standing.games,
                resident_bytes(os.getpid()),
                max(map(resident_bytes, pids)),
                len(os.listdir("/proc/self/fd")),
                len(pids),
            )
            self.samples.append(sample)
            print(
                f"{sample.games:>7,} games: runner {sample.runner_bytes / 1e6:6.1f} MB, "
                f"worker {sample.worker_bytes / 1e6:6.1f} MB, {sample.descriptors} descriptors, "
                f"{sample.workers} workers",
                flush=True,
            )

    def print_line(self, words: str) -> None:
        """See `runs.runner.Listener`."""
        print(words)


def main() -> int:
    """Play the games and report leaks."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    schedule = Schedule(planning.build("connect4", ["random", "random"], games=games))
    pool = Local(os.cpu_count() or 1)
    sampler = Sampler(games, pool)
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "runs.db") as store:
        run = store.run(stored.begin(store, schedule))
        with stored.lock_run(store, run):
            runner = stored.play(store, run, schedule, pool, sampler)
        stored_games = stored.count_games(store, run)
    seconds = time.perf_counter() - start
    first, last = sampler.samples[0], sampler.samples[-1]
    failures = []
    if runner.reason != COMPLETE or stored_games != games:
        failures.append(f"{stored_games} of {games} games stored, {runner.reason}")
    if last.runner_bytes - first.runner_bytes > MAX_GROWTH + MAX_BYTES_PER_GAME * games:
        failures.append("the memory of the runner grows")
    if last.worker_bytes - first.worker_bytes > MAX_GROWTH:
        failures.append("the memory of a worker grows")
    if last.descriptors > first.descriptors:
        failures.append("the number of open descriptors grows")
    if any(sample.workers != pool.slots for sample in sampler.samples) or pool.pids:
        failures.append("the number of workers changed, or workers are left")
    print(f"{stored_games:,} games in {seconds:.1f} s: {'; '.join(failures) or 'no leaks'}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
