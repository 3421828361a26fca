"""Speed of matches: short games per second, and the overhead of games with searches.

Short games are random against random on all cores, each stored with a full sync. The overhead is the wall
time of one worker beyond the search time of its engines, from the first stored game to the last.
"""

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from benchmarks.progress import progress
from gameplay.runs import planning, stored
from gameplay.runs.runner import Finished
from gameplay.runs.schedule import Schedule
from gameplay.runs.standing import Standing
from gameplay.runs.workers import Local
from gameplay.store.runs import Store

SHORT_GAMES = 5_000
LONG_GAMES = 30
SMALLEST = ({"games": "20", "long": "2", "nodes": "1000"},)
NODES = 500_000  # a move: a game takes about a third of a second, compiled


class Timer:
    """A listener that measures the wall time after the first stored game, and the times of the games."""

    def __init__(self) -> None:
        self.start = self.end = 0.0  # when the first and the last game was stored
        self.search_time = self.game_time = 0.0  # seconds, without the first game
        self.games = 0

    def games_stored(self, played: Sequence[Finished], standing: Standing) -> None:
        """See `runs.runner.Listener`."""
        now = time.perf_counter()
        if not self.start:
            self.start = now
            return
        self.end = now
        self.games += len(played)
        progress.activity = f"{self.games:,} games"
        self.search_time += sum(sum(result.times) for _, result in played)
        self.game_time += sum(result.seconds for _, result in played)

    def print_line(self, words: str) -> None:
        """See `runs.runner.Listener`."""
        progress.show(words)


def tables(
    games: str = str(SHORT_GAMES), long: str = str(LONG_GAMES), nodes: str = str(NODES)
) -> Iterator[Table]:
    """Games per second and overhead. games: number of short games; long: of games with `nodes` a move."""
    cores = os.cpu_count() or 1
    short = _run(cores, ["random", "random"], int(games))
    speed = Table(title=f"Connect Four: random against random, {int(games):,} stored games")
    for heading in ("workers", "games/s", "goal"):
        speed.add_column(heading, justify="right")
    speed.add_row(str(cores), f"{short.games / max(short.end - short.start, 1e-9):,.0f}", "3,000 with 2")
    yield speed
    long_run = _run(1, ["iterative", "alphabeta"], int(long), nodes=int(nodes))
    seconds = long_run.end - long_run.start
    overhead = Table(
        title=f"Connect Four: iterative against alphabeta, {int(nodes):,} nodes a move, one worker"
    )
    for heading in ("games", "seconds", "search s", "overhead", "overhead of the runner", "goal"):
        overhead.add_column(heading, justify="right")
    overhead.add_row(
        str(long_run.games),
        f"{seconds:.2f}",
        f"{long_run.search_time:.2f}",
        f"{100 * (seconds / max(long_run.search_time, 1e-9) - 1):.1f} %",
        f"{100 * (seconds / max(long_run.game_time, 1e-9) - 1):.1f} %",
        "at most 3 %",
    )
    yield overhead


def _run(jobs: int, players: list[str], games: int, **options: Any) -> Timer:
    schedule = Schedule(planning.build("connect4", players, games=games, **options))
    timer = Timer()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "runs.db") as store:
        run = store.run(stored.begin(store, schedule))
        with stored.lock_run(store, run):
            stored.play(store, run, schedule, Local(jobs), timer)
    return timer
