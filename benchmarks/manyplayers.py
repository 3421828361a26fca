"""Multiplayer search: nodes of max^n, shallow pruning, paranoid search, best reply and tables, and matches.

As in Nathan Sturtevant and Richard Korf, "On pruning techniques for multi-player games", AAAI 2000: each row
searches the same positions to the same depth with one more technique. Shallow pruning and the table return
the payoff vectors of max^n; paranoid search has its own values.

Then four of the engines play three-player matches with equal nodes a move, all combinations in all seatings:
configs/tournaments/chain.toml, and the same at Chinese checkers. Points are the share of the opponents that
were beaten; intervals are computed from the means of groups, the games with the same opening.
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

# by game: random plies before the search, and its depth
GAMES = {"connect4:players=3": (8, 6), "tictactoe:players=3": (4, 6), "chinese-checkers:players=3": (9, 3)}
POSITIONS = 10
ENGINES = (
    "maxn:prune=off",
    "maxn:prune=shallow",
    "maxn:prune=shallow,table=4MB",
    "paranoid",
    "paranoid:table=4MB",
    "paranoid:order=killer+history,table=4MB",
    "brs",
    "brs:order=killer+history,table=4MB",
)

PLAYERS = ("maxn:prune=off", "maxn:prune=shallow", "paranoid", "paranoid:order=killer+history,table=4MB")
MATCHES = {"connect4:players=3": 240, "chinese-checkers:players=3": 96}  # games of each three engines
NODES = 3_000  # a move
SMALLEST = ({"depth": "1", "games": "3", "nodes": "1", "positions": "1"},)


def tables(
    depth: str = "", games: str = "", nodes: str = "", positions: str = str(POSITIONS)
) -> Iterator[Table]:
    """The nodes of searches, then the matches.

    depth, positions: of the searches. games: of each three engines; nodes: a move in the matches.
    """
    for spec, (plies, default_depth) in GAMES.items():
        yield _nodes(spec, plies, int(depth or default_depth), int(positions))
    for spec, count in MATCHES.items():
        yield _tournament(spec, int(games or count), int(nodes or NODES))


def _nodes(spec: str, plies: int, depth: int, positions: int) -> Table:
    game = registry.game(spec)
    table = Table(title=f"{spec}: nodes of a search, {positions} positions, depth {depth}")
    for heading in ("engine", "nodes", "of max^n", "nodes/s"):
        table.add_column(heading, justify="left" if heading == "engine" else "right")
    maxn_nodes, values = 0, {}
    for engine in ENGINES:
        nodes, seconds = 0, 0.0
        progress.show(f"{spec}, {engine}")
        for number in range(positions):
            position = game.new()
            rng = Random(number)
            for _ in range(plies):
                position.make(rng.choice(position.moves()))
            report = registry.engine(engine)[0].search(position, Limit(depth=depth))
            nodes, seconds = nodes + report.nodes, seconds + report.seconds
            if report.values and values.setdefault(number, report.values) != report.values:
                raise AssertionError(f"values of {engine}: {report.values}, of max^n: {values[number]}")
        maxn_nodes = maxn_nodes or nodes
        speed = nodes / max(seconds, 1e-9)
        table.add_row(engine, f"{nodes:,}", f"{nodes / maxn_nodes:.1%}", f"{speed:,.0f}")
    return table


class Points:
    """A listener that collects the points of each engine."""

    def __init__(self) -> None:
        self.groups: dict[tuple[str, int], list[float]] = {}  # by engine and opening
        self.games: dict[str, int] = {}
        self.wins: dict[str, int] = {}

    def games_stored(self, played: Sequence[Finished], standing: Standing) -> None:
        """See `runs.runner.Listener`."""
        progress.activity = f"{standing.games:,} games"
        for job, result in played:
            for seat, score in zip(job.seats, points(result.payoffs), strict=True):
                self.groups.setdefault((seat.name, job.pair), []).append(score)
                self.games[seat.name] = self.games.get(seat.name, 0) + 1
                self.wins[seat.name] = self.wins.get(seat.name, 0) + (score == 1)

    def print_line(self, words: str) -> None:
        """See `runs.runner.Listener`."""
        progress.show(words)


def _tournament(spec: str, games: int, nodes: int) -> Table:
    plan = planning.build(spec, list(PLAYERS), form="round-robin", games=games, nodes=nodes)
    listener, schedule = Points(), Schedule(plan)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "runs.db") as store:
        run = store.run(stored.begin(store, schedule))
        with stored.lock_run(store, run):
            stored.play(store, run, schedule, Local(os.cpu_count() or 1), listener)
    count = sum(listener.games.values()) // 3
    table = Table(title=f"{spec}: three-player matches, {count} games, {nodes:,} nodes a move")
    for heading in ("engine", "games", "won", "points, 95 % interval"):
        table.add_column(heading, justify="left" if heading == "engine" else "right")
    for engine in PLAYERS:
        means = [mean(group) for (name, _), group in listener.groups.items() if name == engine]
        table.add_row(
            engine,
            f"{listener.games[engine]}",
            f"{listener.wins[engine]}",
            timing.format_interval(means, ".1%"),
        )
    return table
