"""Multiplayer search as in Sturtevant and Korf: positions visited by max^n, its pruning, paranoid search and
tables.

As in Nathan Sturtevant and Richard Korf, "On pruning techniques for multi-player games", AAAI 2000: the same
positions, the same depth, one technique more in each row. Shallow pruning has the vectors of max^n, the table
those of both; paranoid search has a value of its own.

Then four of them play matches with equal nodes per move: every three in all seatings, which is
configs/tournaments/chain.toml, and the same at Chinese checkers. Points are the share of the others that were
beaten; their interval goes by groups, the three games of one opening.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import mean

from rich.table import Table

from benchmarks import timing
from benchmarks.progress import progress
from gameplay import Limit, registry
from gameplay.runs import planning, stored
from gameplay.runs.pairing import points
from gameplay.runs.runner import Finished
from gameplay.runs.schedule import Schedule
from gameplay.runs.standing import Standing
from gameplay.runs.workers import Local
from gameplay.store.runs import Store

GAMES = {"connect4:players=3": (8, 6), "tictactoe:players=3": (4, 6), "chinese-checkers:players=3": (9, 3)}
# by game: plies played at random before the search, and its depth
POSITIONS = 10
CHAIN = (
    "maxn:prune=off",
    "maxn:prune=shallow",
    "maxn:prune=shallow,table=4MB",
    "paranoid",
    "paranoid:table=4MB",
    "paranoid:order=killer+history,table=4MB",
    "brs",
    "brs:order=killer+history,table=4MB",
)


FOUR = ("maxn:prune=off", "maxn:prune=shallow", "paranoid", "paranoid:order=killer+history,table=4MB")
MEETINGS = {"connect4:players=3": 240, "chinese-checkers:players=3": 96}  # games of each three
NODES = 3_000  # a move
SMALLEST = ({"depth": "1", "games": "3", "nodes": "1", "positions": "1"},)


def tables(
    depth: str = "", games: str = "", nodes: str = "", positions: str = str(POSITIONS)
) -> Iterator[Table]:
    """Two tables a game: `depth` and number of the positions; `games` of each three, `nodes` a move."""
    for spec, (plies, deep) in GAMES.items():
        yield _table(spec, plies, int(depth or deep), int(positions))
    for spec, count in MEETINGS.items():
        yield _tournament(spec, int(games or count), int(nodes or NODES))


def _table(spec: str, plies: int, depth: int, positions: int) -> Table:
    game = registry.game(spec)
    table = Table(title=f"{spec}, {positions} positions, depth {depth}")
    for name in ("engine", "positions visited", "of max^n", "nodes/s"):
        table.add_column(name, justify="left" if name == "engine" else "right")
    first, values = 0, {}
    for engine in CHAIN:
        nodes, seconds = 0, 0.0
        progress.say(f"{spec}, {engine}")
        for number in range(positions):
            position = game.new()
            rng = Random(number)
            for _ in range(plies):
                position.make(rng.choice(position.moves()))
            report = registry.engine(engine)[0].search(position, Limit(depth=depth))
            nodes, seconds = nodes + report.nodes, seconds + report.seconds
            if report.values and values.setdefault(number, report.values) != report.values:
                raise AssertionError(f"{engine} has {report.values}, and max^n {values[number]}")
        first = first or nodes
        table.add_row(engine, f"{nodes:,}", f"{nodes / first:.1%}", f"{nodes / max(seconds, 1e-9):,.0f}")
    return table


class Points:
    """A listener that collects the points of each engine, a list per group of games."""

    def __init__(self) -> None:
        self.groups: dict[tuple[str, int], list[float]] = {}
        self.games: dict[str, int] = {}
        self.first: dict[str, int] = {}

    def kept(self, played: Sequence[Finished], standing: Standing) -> None:
        """See `runs.runner.Listener`."""
        progress.activity = f"{standing.games:,} games"
        for job, done in played:
            for seat, mine in zip(job.seats, points(done.payoffs), strict=True):
                self.groups.setdefault((seat.name, job.pair), []).append(mine)
                self.games[seat.name] = self.games.get(seat.name, 0) + 1
                self.first[seat.name] = self.first.get(seat.name, 0) + (mine == 1)

    def say(self, words: str) -> None:
        """See `runs.runner.Listener`."""
        progress.say(words)

    hint = say


def _tournament(spec: str, games: int, nodes: int) -> Table:
    plan = planning.build(spec, list(FOUR), form="round-robin", games=games, nodes=nodes)
    noted, schedule = Points(), Schedule(plan)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "runs.db") as store:
        run = store.run(stored.begin(store, schedule))
        with stored.lock_run(store, run):
            stored.play(store, run, schedule, Local(os.cpu_count() or 1), noted)
    played = sum(noted.games.values()) // 3
    table = Table(title=f"{spec}, {played} games, every three in all orders, {nodes:,} positions a move")
    for name in ("engine", "games", "won", "points, 95 % interval"):
        table.add_column(name, justify="left" if name == "engine" else "right")
    for engine in FOUR:
        found = [mean(group) for (name, _), group in noted.groups.items() if name == engine]
        counts = (f"{noted.games[engine]}", f"{noted.first[engine]}")
        table.add_row(engine, *counts, timing.interval(found, ".1%"))
    return table
