"""Chess against the engines that package managers bring, by our own matches: one thread a side, equal time.

`python -m benchmarks strength` plays 100 games against each, at 0.2 s a move, over an hour in all:

    strength:games=20,against=sunfish,jobs=2     fewer, one opponent, two games at a time
    strength:engine=selective:order=generated   another engine of ours

Openings are those of configs/openings/chess.txt, each played with either seating. Games that both sides see
decided for four moves, or level for ten from move 40 on, end there; a fault loses the game and is counted.
"""

import os
import shlex
import sys
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
GOALS = {
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
    """Those that are there, as players of ours, by name; sunfish is installed where it is missing."""
    found = {}
    if not environment.install(("sunfish",), environment.SUNFISH):
        found["sunfish"] = f"uci:{shlex.quote(str(environment.scripts(environment.SUNFISH) / 'sunfish-uci'))}"
    stockfish, gnuchess = environment.program("stockfish"), environment.program("gnuchess")
    if stockfish is not None:
        for level in (3, 6):
            found[f"stockfish, Skill Level {level}"] = f"uci:{shlex.quote(stockfish)},Skill Level={level}"
    if gnuchess is not None:
        found["gnuchess"] = f"uci:{shlex.quote(gnuchess)} --uci"
    return found


class Listener:
    """Prints progress: how many games are finished, and what went wrong."""

    def __init__(self, games: int) -> None:
        self.games = games

    def kept(self, played: Any, standing: Any) -> None:
        """See `runs.runner.Listener`."""
        progress.count(standing.games, self.games, "games")

    def say(self, words: str) -> None:
        """See `runs.runner.Listener`."""
        progress.say(words)

    hint = say


def tables(
    games: str = "100", against: str = "", engine: str = ENGINE, jobs: str = "", time: str = "0.2"
) -> Iterator[Table]:
    """One table, a row an opponent."""
    table = Table(title=f"Chess at {time} s a move, {engine}, one thread a side, openings paired")
    for heading in ("opponent", "won", "drawn", "lost", "score", "Elo", "our faults", "theirs", "goal", ""):
        table.add_column(heading, justify="left" if heading == "opponent" else "right")
    found = opponents()
    for name in GOALS:
        if name not in found:
            print(f"{name} is left out: it is not installed", file=sys.stderr)
    for name, spec in found.items():
        if against not in name:
            continue
        plan = {
            "games": int(games),
            "time": float(time),
            "openings": {"file": str(OPENINGS)},
            "adjudicate": ADJUDICATE,
        }
        progress.say(f"{games} games against {name}")
        score, cells = match("chess", engine, spec, int(jobs or os.cpu_count() or 1), **plan)
        goal = GOALS[name]
        table.add_row(name, *cells, f"{100 * goal:.0f} %", timing.verdict(score >= goal))
    yield table


def match(game: str, engine: str, opponent: str, jobs: int, **plan: Any) -> tuple[float, list[str]]:
    """Our score, 0 to 1, and the cells of its row: won, drawn, lost, score, Elo, our faults, theirs."""
    schedule = Schedule(planning.build(game, [f"ours={engine}", f"theirs={opponent}"], **plan))
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "runs.db") as store:
        run = store.run(stored.begin(store, schedule))
        with stored.lock_run(store, run):
            begun = clock.perf_counter()
            stored.play(store, run, schedule, Local(jobs), Listener(schedule.total or 0))
        report = RunReport(store, store.run(run.id), schedule, clock.perf_counter() - begun, jobs)
        lost = Counter(game.offender for game in store.games(run.id) if game.termination in LOSSES)
    tally = report.summary.match_tally
    losses, draws, wins = tally.games
    score = tally.points / max(1, tally.total)
    cells = [str(wins), str(draws), str(losses), f"{100 * score:.1f} %", str(report.rating)]
    return score, [*cells, str(lost["ours"]), str(lost["theirs"])]
