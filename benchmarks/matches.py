"""The speed of matches: short games per second, and the overhead of long games.

Short games are random against random on all cores, every game stored with full syncs. The overhead is the
share of one worker's wall time beyond the search time of its engines, from the first stored game to the last.
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

SHORT = 5_000  # games
REAL = 30
SMALLEST = ({"games": "20", "long": "2", "nodes": "1000"},)
NODES = 500_000  # a move: a game takes about a third of a second, compiled


class Watch:
    """A listener that records when games were stored, and their times."""

    def __init__(self) -> None:
        self.began = self.ended = self.thought = self.played = 0.0
        self.games = 0

    def kept(self, played: Sequence[Finished], standing: Standing) -> None:
        """See `runs.runner.Listener`."""
        now = time.perf_counter()
        if not self.began:
            self.began = now
            return
        self.ended = now
        self.games += len(played)
        progress.activity = f"{self.games:,} games"
        self.thought += sum(sum(done.times) for _, done in played)
        self.played += sum(done.seconds for _, done in played)

    def say(self, words: str) -> None:
        """See `runs.runner.Listener`."""
        progress.say(words)

    hint = say


def tables(games: str = str(SHORT), long: str = str(REAL), nodes: str = str(NODES)) -> Iterator[Table]:
    """Games per second and the overhead. games: number of short games; long: games with `nodes` a move."""
    cores = os.cpu_count() or 1
    short = _run(cores, ["random", "random"], int(games))
    speed = Table(title=f"Connect Four, random against random, {int(games):,} games, every one kept")
    for word in ("workers", "games a second", "target"):
        speed.add_column(word, justify="right")
    speed.add_row(str(cores), f"{short.games / max(short.ended - short.began, 1e-9):,.0f}", "3,000 with 2")
    yield speed
    real = _run(1, ["iterative", "alphabeta"], int(long), nodes=int(nodes))
    wall = real.ended - real.began
    cost = Table(title=f"Connect Four, iterative against alphabeta, {int(nodes):,} nodes a move, one worker")
    for word in ("games", "seconds", "searching", "overhead of games and runner", "of the runner", "target"):
        cost.add_column(word, justify="right")
    cost.add_row(
        str(real.games),
        f"{wall:.2f}",
        f"{real.thought:.2f}",
        f"{100 * (wall / max(real.thought, 1e-9) - 1):.1f} %",
        f"{100 * (wall / max(real.played, 1e-9) - 1):.1f} %",
        "at most 3 %",
    )
    yield cost


def _run(jobs: int, players: list[str], games: int, **options: Any) -> Watch:
    schedule = Schedule(planning.build("connect4", players, games=games, **options))
    watch = Watch()
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "runs.db") as store:
        run = store.run(stored.begin(store, schedule))
        with stored.lock_run(store, run):
            stored.play(store, run, schedule, Local(jobs), watch)
    return watch
