"""`python -m benchmarks.soak [GAMES]`: plays many short games to detect leaks. Status 1 if there are any.

Plays Connect Four, random against random (10,000 games), into a store, and measures memory, open files and
processes of the runner and its workers ten times. Needs /proc.
"""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from gameplay.runs import planning, stored
from gameplay.runs.runner import COMPLETE, Finished
from gameplay.runs.schedule import Schedule
from gameplay.runs.standing import Standing
from gameplay.runs.workers import Local
from gameplay.store.runs import Store

GAMES = 10_000
LOOKS = 10
BYTES_A_GAME = 1_500  # kept by the runner per game, at most
GROWTH = 8_000_000  # bytes of other growth, at most


def resident(pid: int) -> int:
    """Bytes of memory that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize()


class Looks:
    """A listener that looks at the processes."""

    def __init__(self, games: int, crew: Local) -> None:
        self.every = games // LOOKS
        self.crew = crew
        self.seen: list[tuple[int, int, int, int, int]] = []  # games, runner, workers, descriptors, processes

    def kept(self, played: Sequence[Finished], standing: Standing) -> None:
        """See `runs.runner.Listener`."""
        if standing.games // self.every > len(self.seen):
            pids = self.crew.pids
            now = (
                standing.games,
                resident(os.getpid()),
                max(map(resident, pids)),
                len(os.listdir("/proc/self/fd")),
                len(pids),
            )
            self.seen.append(now)
            print(
                f"{now[0]:>7,} games: runner {now[1] / 1e6:6.1f} MB, worker {now[2] / 1e6:6.1f} MB, "
                f"{now[3]} descriptors, {now[4]} workers",
                flush=True,
            )

    def say(self, words: str) -> None:
        """See `runs.runner.Listener`."""
        print(words)

    hint = say


def main() -> int:
    """Play, look, judge."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    schedule = Schedule(planning.build("connect4", ["random", "random"], games=games))
    crew = Local(os.cpu_count() or 1)
    looks = Looks(games, crew)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "runs.db") as store:
        run = store.run(stored.begin(store, schedule))
        with stored.lock_run(store, run):
            runner = stored.play(store, run, schedule, crew, looks)
        counted = stored.count_games(store, run)
    took = time.perf_counter() - began
    first, last = looks.seen[0], looks.seen[-1]
    wrong = []
    if runner.reason != COMPLETE or counted != games:
        wrong.append(f"{counted} of {games} games, {runner.reason}")
    if last[1] - first[1] > GROWTH + BYTES_A_GAME * games:
        wrong.append("the runner grows")
    if last[2] - first[2] > GROWTH:
        wrong.append("a worker grows")
    if last[3] > first[3]:
        wrong.append("descriptors are left open")
    if any(look[4] != crew.slots for look in looks.seen) or crew.pids:
        wrong.append("processes come or stay")
    print(f"{counted:,} games in {took:.1f} s: {'; '.join(wrong) or 'nothing grows'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
