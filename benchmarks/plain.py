"""A game in plain Python searched by the compiled engine, compared with Python searches for this game."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from rich.table import Table

from benchmarks import timing
from benchmarks.connect4 import FLOORS, ORDER, TOPS, Connect4, has_four
from gameplay import registry

DEPTH = 11
ROUNDS = 5
SMALLEST = ({"depth": "4", "rounds": "1"},)
GOAL = 0.9  # speedup
WIN, INFINITE = 1_000_000, 2_000_000
OURS, METHODS, INLINED = "gameplay", "Python, calls the game's methods", "Python, rules inlined"


class MethodAlphaBeta:
    """Alpha-beta in Python that calls the methods of `Connect4`."""

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


class InlinedAlphaBeta:
    """Alpha-beta in Python with the rules of Connect Four inlined: no game object."""

    def __init__(self) -> None:
        self.nodes = 0

    def visit(self, pos: int, mask: int, ply: int, depth: int, alpha: int, beta: int) -> int:
        self.nodes += 1
        if has_four(pos ^ mask):
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


def stopwatch(create: Callable[[], Any], run: Callable[[Any], Any], counts: set[int]) -> Callable[[], float]:
    """A function that measures `run` on the search that `create` returns, and adds its nodes to `counts`."""

    def measure() -> float:
        search = create()
        start = time.process_time()
        run(search)
        seconds = time.process_time() - start
        counts.add(search.nodes)
        return seconds

    return measure


def tables(depth: str = str(DEPTH), rounds: str = str(ROUNDS)) -> Iterator[Table]:
    """One table. depth: of the searches in plies; rounds: of each."""
    plies = int(depth)
    timing.pin()
    counts: set[int] = set()
    engine = registry.engine("alphabeta")[0]

    def measure_engine() -> float:
        _, nodes, seconds = timing.search(engine, Connect4(), plies, watch=lambda report: False)
        counts.add(nodes)
        return seconds

    times = timing.medians(
        {
            OURS: measure_engine,
            METHODS: stopwatch(
                lambda: MethodAlphaBeta(Connect4()),
                lambda search: search.visit(0, plies, -INFINITE, INFINITE),
                counts,
            ),
            INLINED: stopwatch(
                InlinedAlphaBeta,
                lambda search: search.visit(0, 0, 0, plies, -INFINITE, INFINITE),
                counts,
            ),
        },
        int(rounds),
    )
    timing.unpin()
    (nodes,) = counts  # equal for all
    table = Table(title=f"Connect Four in plain Python: depth {plies}, {nodes:,} nodes, live reports on")
    for heading in ("search", "million nodes/s", "speedup", "goal", ""):
        table.add_column(heading, justify="left" if heading == "search" else "right")
    for name, seconds in times.items():
        speedup = seconds / times[OURS]
        has_goal = name == METHODS
        table.add_row(
            name,
            f"{nodes / max(seconds, 1e-9) / 1e6:.2f}",
            f"{speedup:.2f}" if name != OURS else "",
            f"{GOAL:.2f}" if has_goal else "",
            timing.verdict(speedup >= GOAL) if has_goal else "",
        )
    yield table
