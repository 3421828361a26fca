"""A plain Python game with the compiled engine, compared with Python engines for this game only."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from rich.table import Table

from benchmarks import timing
from benchmarks.connect4 import FLOORS, ORDER, TOPS, Connect4, four
from gameplay import registry

DEPTH = 11
ROUNDS = 5
SMALLEST = ({"depth": "4", "rounds": "1"},)
GOAL = 0.9
WIN, INFINITE = 1_000_000, 2_000_000


class Alone:
    """Alpha-beta for `Connect4`, which it asks by its methods."""

    def __init__(self, game: Connect4) -> None:
        self.game = game
        self.nodes = 0

    def visit(self, ply: int, depth: int, alpha: int, beta: int) -> int:
        self.nodes += 1
        game = self.game
        outcome = game.outcome()
        if outcome is not None:
            return ply - WIN if outcome[game.turn] < 0 else 0
        if depth == 0:
            return game.evaluate()
        best = -INFINITE
        for move in game.moves():
            game.make(move)
            value = -self.visit(ply + 1, depth - 1, -beta, -alpha)
            game.unmake()
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        break
        return best


class Inlined:
    """Alpha-beta with the rules of Connect Four written into it: no game, no calls."""

    def __init__(self) -> None:
        self.nodes = 0

    def visit(self, pos: int, mask: int, ply: int, depth: int, alpha: int, beta: int) -> int:
        self.nodes += 1
        if four(pos ^ mask):
            return ply - WIN
        if depth == 0 or ply == 42:
            return 0
        best = -INFINITE
        for column in ORDER:
            if mask & TOPS[column]:
                continue
            after = mask | (mask + FLOORS[column])
            value = -self.visit(pos ^ mask, after, ply + 1, depth - 1, -beta, -alpha)
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        break
        return best


def timed(begin: Callable[[], Any], run: Callable[[Any], Any], counts: set[int]) -> Callable[[], float]:
    """A measurement of `run` on what `begin` makes; its nodes are added to `counts`."""

    def measure() -> float:
        engine = begin()
        start = time.process_time()
        run(engine)
        seconds = time.process_time() - start
        counts.add(engine.nodes)
        return seconds

    return measure


def tables(depth: str = str(DEPTH), rounds: str = str(ROUNDS)) -> Iterator[Table]:
    """One table, the fastest last."""
    plies = int(depth)
    timing.pin()
    counts: set[int] = set()
    engine = registry.engine("alphabeta")[0]

    def contract() -> float:
        _, nodes, seconds = timing.search(engine, Connect4(), plies, watch=lambda report: False)
        counts.add(nodes)
        return seconds

    times = timing.medians(
        {
            "ours, through the contract": contract,
            "Python, for this game's methods": timed(
                lambda: Alone(Connect4()), lambda e: e.visit(0, plies, -INFINITE, INFINITE), counts
            ),
            "Python, the rules written into it": timed(
                Inlined, lambda e: e.visit(0, 0, 0, plies, -INFINITE, INFINITE), counts
            ),
        },
        int(rounds),
    )
    timing.unpin()
    (nodes,) = counts
    ours = times["ours, through the contract"]
    table = Table(title=f"A plain Python Connect Four, depth {plies}, {nodes:,} nodes, live reports on")
    for heading in ("engine", "million nodes/s", "ours / it", "goal", ""):
        table.add_column(heading, justify="left" if heading == "engine" else "right")
    for name, seconds in times.items():
        judged = name.endswith("methods")
        table.add_row(
            name,
            f"{nodes / max(seconds, 1e-9) / 1e6:.2f}",
            f"{seconds / ours:.2f}",
            f"{GOAL:.2f}" if judged else "",
            timing.verdict(seconds / ours >= GOAL) if judged else "",
        )
    yield table
