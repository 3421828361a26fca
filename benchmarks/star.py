"""Expectiminimax: speed compared with plain Python on pig, and nodes of Star1 and Star2 on backgammon."""

import time
from collections.abc import Iterator
from random import Random
from typing import Any

from rich.table import Table

from benchmarks import timing
from benchmarks.progress import progress
from gameplay import CHANCE, Limit, registry

POSITIONS = 500
DEPTH = 3  # decisions
MIN_SAVINGS = 0.75  # share of the nodes that Star2 with ordering prunes
PLIES = 8  # depth on pig, in decisions
ROUNDS = 3
SMALLEST = ({"count": "1", "depth": "1", "plies": "3", "rounds": "1"},)
MIN_SPEEDUP = 20
OURS, METHODS, INLINED = "gameplay", "Python, calls the game's methods", "Python, rules inlined"
SEARCHES = {
    "expectiminimax": "expectiminimax",
    "Star1": "expectiminimax:prune=star1",
    "Star2": "expectiminimax:prune=star2",
    "Star2, ordered": "expectiminimax:prune=star2,order=evaluation",
    "Star2, ordered, table": "expectiminimax:prune=star2,order=evaluation,table=16MB",
}
PUBLISHED = {"Star1": "25-30 %", "Star2": "> 50 %", "Star2, ordered": "75-95 %"}  # pruned nodes
SOURCES = "published: Ballard 1983; Star2, ordered: Hauk 2004, at depth 5"


class Pig:
    """Pig in plain Python: moves, make, unmake, outcome. Move 0 rolls, move 1 holds."""

    def __init__(self, first: int = 0, second: int = 0, pot: int = 0, goal: int = 100) -> None:
        self.points = [first, second]
        self.pot, self.turn, self.roller, self.goal = pot, 0, 0, goal
        self.history: list[tuple[int, int, int, int]] = []

    def moves(self) -> list[int]:
        if self.turn == CHANCE:
            return [1, 2, 3, 4, 5, 6]
        return [0, 1] if self.pot else [0]

    def chances(self) -> list[float]:
        return [1 / 6] * 6

    def make(self, move: int) -> None:
        self.history.append((self.turn, self.roller, self.pot, self.points[self.roller]))
        if self.turn != CHANCE and move == 0:
            self.turn = CHANCE
            return
        if self.turn == CHANCE and move > 1:
            self.pot += move
        else:
            self.points[self.roller] += self.pot if self.turn != CHANCE else 0
            self.pot, self.roller = 0, 1 - self.roller
        self.turn = self.roller

    def unmake(self) -> None:
        self.turn, self.roller, self.pot, points = self.history.pop()
        self.points[self.roller] = points

    def outcome(self) -> tuple[int, int] | None:
        if max(self.points) < self.goal:
            return None
        return (1, -1) if self.points[0] >= self.goal else (-1, 1)


class MethodExpectiminimax:
    """Expectiminimax in Python that calls the methods of `Pig`."""

    def __init__(self, game: Pig) -> None:
        self.game = game
        self.nodes = 0

    def value(self, depth: int) -> float:
        """The value for the first player, -1 to 1. depth: remaining decisions."""
        self.nodes += 1
        game = self.game
        outcome = game.outcome()
        if outcome is not None:
            return outcome[0]
        if depth == 0:
            return 0.0
        mover, values = game.turn, []
        for move in game.moves():
            game.make(move)
            values.append(self.value(depth if mover == CHANCE else depth - 1))
            game.unmake()
        if mover == CHANCE:
            return sum(chance * value for chance, value in zip(game.chances(), values, strict=True))
        return max(values) if mover == 0 else min(values)


class InlinedExpectiminimax:
    """Expectiminimax in Python with the rules of pig inlined: no game object."""

    def __init__(self, goal: int = 100) -> None:
        self.goal = goal
        self.nodes = 0

    def value(self, own: int, other: int, pot: int, depth: int) -> float:
        """The value for the player to move, -1 to 1. own, other: points; depth: remaining decisions."""
        self.nodes += 1
        if other >= self.goal:
            return -1.0
        if depth == 0:
            return 0.0
        best = self.chance_value(own, other, pot, depth - 1)
        if pot:
            best = max(best, -self.value(other, own + pot, 0, depth - 1))
        return best

    def chance_value(self, own: int, other: int, pot: int, depth: int) -> float:
        """The expected value before a roll of the player to move."""
        self.nodes += 1
        if depth == 0:
            return 0.0
        total = -self.value(other, own, 0, depth)
        for face in range(2, 7):
            total += self.value(own, other, pot + face, depth)
        return total / 6


def positions(count: int) -> Iterator[Any]:
    """Backgammon positions after random moves, with rolled dice and at least two legal moves."""
    rng = Random(2004)
    game = registry.game("backgammon")
    while count:
        position = game.new()
        for _ in range(rng.randint(2, 60)):
            if position.outcome() is not None:
                break
            moves = position.moves()
            chances = position.chances() if position.turn == CHANCE else None
            position.make(rng.choices(moves, chances)[0])
        if position.outcome() is None and position.turn != CHANCE and len(position.moves()) > 1:
            count -= 1
            yield position


def tables(
    count: str = str(POSITIONS), depth: str = str(DEPTH), plies: str = str(PLIES), rounds: str = str(ROUNDS)
) -> Iterator[Table]:
    """Pig and backgammon.

    plies, rounds: depth and number of the searches of pig. count, depth: of the backgammon positions. Depths
    count decisions.
    """
    yield _pig(int(plies), int(rounds))
    yield _backgammon(int(count), int(depth))


def _pig(plies: int, rounds: int) -> Table:
    timing.pin()
    engine = registry.engine("expectiminimax:eval=none")[0]
    position = registry.game("pig").new("40-60 1 10")
    nodes: set[int] = set()

    def measure_engine() -> float:
        _, count, seconds = timing.search(engine, position, plies)
        nodes.add(count)
        return seconds

    def measure_methods() -> float:
        search = MethodExpectiminimax(Pig(40, 60, 10))
        start = time.process_time()
        search.value(plies)
        nodes.add(search.nodes)
        return time.process_time() - start

    def measure_inlined() -> float:
        search = InlinedExpectiminimax()
        start = time.process_time()
        search.value(40, 60, 10, plies)
        nodes.add(search.nodes)
        return time.process_time() - start

    times = timing.medians({OURS: measure_engine, METHODS: measure_methods, INLINED: measure_inlined}, rounds)
    timing.unpin()
    (count,) = nodes  # equal for all
    table = Table(title=f"Expectiminimax on pig: depth {plies} decisions, {count:,} nodes, CPU time")
    for heading in ("search", "million nodes/s", "speedup", "goal", ""):
        table.add_column(heading, justify="left" if heading == "search" else "right")
    for name, seconds in times.items():
        speedup = seconds / times[OURS]
        has_goal = name == METHODS
        table.add_row(
            name,
            f"{count / seconds / 1e6:.2f}",
            f"{speedup:.1f}" if name != OURS else "",
            str(MIN_SPEEDUP) if has_goal else "",
            timing.verdict(speedup >= MIN_SPEEDUP) if has_goal else "",
        )
    return table


def _backgammon(count: int, depth: int) -> Table:
    nodes = dict.fromkeys(SEARCHES, 0)
    seconds = dict.fromkeys(SEARCHES, 0.0)
    wrong = dict.fromkeys(SEARCHES, 0)
    engines = {name: registry.engine(spec)[0] for name, spec in SEARCHES.items()}
    for number, position in enumerate(positions(count)):
        progress.count(number, count, "positions")
        value = None
        for name, engine in engines.items():
            start = time.process_time()
            report = engine.search(position, Limit(depth=depth))
            seconds[name] += time.process_time() - start
            nodes[name] += report.nodes
            value = report.value if value is None else value
            wrong[name] += abs(report.value - value) > 1e-9 * position.unit
    first = next(iter(SEARCHES))
    title = f"Star pruning on backgammon: {count} positions, depth {depth} decisions"
    table = Table(title=title, caption=SOURCES)
    for heading in ("search", "nodes", "pruned", "published", "CPU s", "wrong values", "goal", ""):
        table.add_column(heading, justify="left" if heading == "search" else "right")
    for name in SEARCHES:
        savings = 1 - nodes[name] / nodes[first]
        has_goal = name == "Star2, ordered"
        table.add_row(
            name,
            f"{nodes[name]:,}",
            f"{savings:.1%}" if name != first else "",
            PUBLISHED.get(name, ""),
            f"{seconds[name]:.1f}",
            str(wrong[name]),
            f"{MIN_SAVINGS:.0%}" if has_goal else "",
            timing.verdict(savings >= MIN_SAVINGS) if has_goal else "",
        )
    return table
