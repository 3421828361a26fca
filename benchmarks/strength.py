"""Chess: matches against engines from package managers, one thread a side, equal time.

`python -m benchmarks strength` plays 100 games against each opponent at 0.2 s a move, over an hour in all:

    strength:games=20,against=sunfish,jobs=2    fewer games, one opponent, two games at a time
    strength:engine=selective:order=generated   another engine of ours

Openings are those of configs/openings/chess.txt, each played with both colours. Games are adjudicated when
both engines report a decided game for four moves, or a level one for ten moves from move 40 on. A fault of an
engine loses the game and is counted.
"""

import os
import shlex
import tempfile
import time as clock
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay.runs import planning, stored
from gameplay.runs.job import LOSSES
from gameplay.runs.schedule import Schedule
from gameplay.runs.summary import RunReport
from gameplay.runs.workers import Local
from gameplay.store.runs import Store

ENGINE = "selective"
SMALLEST = ({"games": "2", "time": "0.002", "jobs": "1"},)
OPENINGS = Path(__file__).parent.parent / "configs" / "openings" / "chess.txt"
GOALS = {  # score by opponent
    "sunfish": 0.95,
    "stockfish, Skill Level 3": 0.75,
    "stockfish, Skill Level 6": 0.50,
    "gnuchess": 0.50,
}
ADJUDICATE = {
    "resign": {"value": 900, "moves": 4},
    "draw": {"value": 15, "moves": 10, "after": 80},
    "plies": 400,
}


def opponents() -> dict[str, str]:
    """The specs of the available opponents by name. Sunfish is installed, the others must be."""
    specs = {}
    if not environment.install(("sunfish",), environment.SUNFISH):
        specs["sunfish"] = f"uci:{shlex.quote(str(environment.scripts(environment.SUNFISH) / 'sunfish-uci'))}"
    stockfish, gnuchess = environment.find_program("stockfish"), environment.find_program("gnuchess")
    if stockfish is not None:
        for level in (3, 6):
            specs[f"stockfish, Skill Level {level}"] = f"uci:{shlex.quote(stockfish)},Skill Level={level}"
    if gnuchess is not None:
        specs["gnuchess"] = f"uci:{shlex.quote(gnuchess)} --uci"
    return specs


class Listener:
    """Reports the number of finished games, and the messages of the runner, as progress."""

    def __init__(self, games: int) -> None:
        self.games = games

    def games_stored(self, played: Any, standing: Any) -> None:
        """See `runs.runner.Listener`."""
        progress.count(standing.games, self.games, "games")

    def print_line(self, words: str) -> None:
        """See `runs.runner.Listener`."""
        progress.show(words)


def tables(
    games: str = "100", against: str = "", engine: str = ENGINE, jobs: str = "", time: str = "0.2"
) -> Iterator[Table]:
    """One table, a row for each opponent.

    games: against each opponent, with `time` seconds a move. against: part of an opponent's name; jobs: games
    at a time.
    """
    table = Table(title=f"Chess: {engine}, {time} s a move, one thread a side, openings with both colours")
    for heading in ("opponent", "won", "drawn", "lost", "score", "Elo", "faults", "its faults", "goal", ""):
        table.add_column(heading, justify="left" if heading == "opponent" else "right")
    specs = opponents()
    environment.report_missing({name: "not installed" for name in GOALS if name not in specs})
    for name, spec in specs.items():
        if against not in name:
            continue
        plan = {
            "games": int(games),
            "time": float(time),
            "openings": {"file": str(OPENINGS)},
            "adjudicate": ADJUDICATE,
        }
        progress.show(f"{games} games against {name}")
        score, cells = match("chess", engine, spec, int(jobs or os.cpu_count() or 1), **plan)
        goal = GOALS[name]
        table.add_row(name, *cells, f"{100 * goal:.0f} %", timing.verdict(score >= goal))
    yield table


def match(game: str, engine: str, opponent: str, jobs: int, **plan: Any) -> tuple[float, list[str]]:
    """Play a match.

    Returns the score of `engine`, 0 to 1, and the cells of a row: won, drawn, lost, score, Elo, faults of the
    engine, faults of the opponent. plan: options of `planning.build`.
    """
    schedule = Schedule(planning.build(game, [f"engine={engine}", f"opponent={opponent}"], **plan))
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "runs.db") as store:
        run = store.run(stored.begin(store, schedule))
        with stored.lock_run(store, run):
            start = clock.perf_counter()
            stored.play(store, run, schedule, Local(jobs), Listener(schedule.total or 0))
        report = RunReport(store, store.run(run.id), schedule, clock.perf_counter() - start, jobs)
        faults = Counter(game.offender for game in store.games(run.id) if game.termination in LOSSES)
    tally = report.summary.match_tally
    losses, draws, wins = tally.games
    score = tally.points / max(1, tally.total)
    cells = [str(wins), str(draws), str(losses), f"{100 * score:.1f} %", str(report.rating)]
    return score, [*cells, str(faults["engine"]), str(faults["opponent"])]
