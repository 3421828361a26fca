"""Expectiminimax: Star1 and Star2 compared with no pruning on backgammon, and with plain Python on pig."""

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
LEAST = 0.75  # of the nodes, that Star2 leaves out
PLIES = 8  # decisions at pig
ROUNDS = 3
SMALLEST = ({"count": "1", "depth": "1", "plies": "3", "rounds": "1"},)
FASTER = 20
SEARCHES = {
    "expectiminimax": "expectiminimax",
    "Star1": "expectiminimax:prune=star1",
    "Star2": "expectiminimax:prune=star2",
    "Star2, ordered": "expectiminimax:prune=star2,order=evaluation",
    "Star2, ordered, table": "expectiminimax:prune=star2,order=evaluation,table=16MB",
}
PUBLISHED = {
    "Star1": "25-30 % (Ballard 1983)",
    "Star2": "over 50 % (Ballard 1983)",
    "Star2, ordered": "75-95 % at depth 5 (Hauk 2004)",
}


class Game:
    """Pig as one writes it in Python: moves, make, unmake, outcome."""

    def __init__(self, mine: int = 0, theirs: int = 0, pot: int = 0, goal: int = 100) -> None:
        self.points = [mine, theirs]
        self.pot, self.turn, self.roller, self.goal = pot, 0, 0, goal
        self.past: list[tuple[int, int, int, int]] = []

    def moves(self) -> list[int]:
        if self.turn == CHANCE:
            return [1, 2, 3, 4, 5, 6]
        return [0, 1] if self.pot else [0]

    def chances(self) -> list[float]:
        return [1 / 6] * 6

    def make(self, move: int) -> None:
        self.past.append((self.turn, self.roller, self.pot, self.points[self.roller]))
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
        self.turn, self.roller, self.pot, points = self.past.pop()
        self.points[self.roller] = points

    def outcome(self) -> tuple[int, int] | None:
        if max(self.points) < self.goal:
            return None
        return (1, -1) if self.points[0] >= self.goal else (-1, 1)


class Alone:
    """Expectiminimax for `Game`, which it asks by its methods."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.nodes = 0

    def value(self, depth: int) -> float:
        """What the first player gets, -1 to 1; `depth` decisions to go."""
        self.nodes += 1
        game = self.game
        outcome = game.outcome()
        if outcome is not None:
            return outcome[0]
        if depth == 0:
            return 0.0
        mover, found = game.turn, []
        for move in game.moves():
            game.make(move)
            found.append(self.value(depth if mover == CHANCE else depth - 1))
            game.unmake()
        if mover == CHANCE:
            return sum(share * worth for share, worth in zip(game.chances(), found, strict=True))
        return max(found) if mover == 0 else min(found)


class Inlined:
    """Expectiminimax with the rules of pig written into it: no game, no calls but its own."""

    def __init__(self, goal: int = 100) -> None:
        self.goal = goal
        self.nodes = 0

    def value(self, mine: int, theirs: int, pot: int, depth: int) -> float:
        """What the player on turn gets, -1 to 1; `depth` decisions to go."""
        self.nodes += 1
        if theirs >= self.goal:
            return -1.0
        if depth == 0:
            return 0.0
        best = self.rolled(mine, theirs, pot, depth - 1)
        if pot:
            best = max(best, -self.value(theirs, mine + pot, 0, depth - 1))
        return best

    def rolled(self, mine: int, theirs: int, pot: int, depth: int) -> float:
        """The same of a throw."""
        self.nodes += 1
        if depth == 0:
            return 0.0
        total = -self.value(theirs, mine, 0, depth)
        for face in range(2, 7):
            total += self.value(mine, theirs, pot + face, depth)
        return total / 6


def positions(count: int) -> Iterator[Any]:
    """Backgammon positions with the dice thrown and more than one turn to choose from, after random play."""
    lot = Random(2004)
    game = registry.game("backgammon")
    while count:
        position = game.new()
        for _ in range(lot.randint(2, 60)):
            if position.outcome() is not None:
                break
            moves = position.moves()
            odds = position.chances() if position.turn == CHANCE else None
            position.make(lot.choices(moves, odds)[0])
        if position.outcome() is None and position.turn != CHANCE and len(position.moves()) > 1:
            count -= 1
            yield position


def tables(
    count: str = str(POSITIONS), depth: str = str(DEPTH), plies: str = str(PLIES), rounds: str = str(ROUNDS)
) -> Iterator[Table]:
    """Two tables. `plies` and `rounds` of pig; `count` and `depth` of the positions of backgammon."""
    yield _pig(int(plies), int(rounds))
    yield _backgammon(int(count), int(depth))


def _pig(plies: int, rounds: int) -> Table:
    timing.pin()
    engine = registry.engine("expectiminimax:eval=none")[0]
    position = registry.game("pig").new("40-60 1 10")
    nodes: set[int] = set()

    def ours() -> float:
        _, found, seconds = timing.search(engine, position, plies)
        nodes.add(found)
        return seconds

    def plain() -> float:
        alone = Alone(Game(40, 60, 10))
        start = time.process_time()
        alone.value(plies)
        nodes.add(alone.nodes)
        return time.process_time() - start

    def inlined() -> float:
        alone = Inlined()
        start = time.process_time()
        alone.value(40, 60, 10, plies)
        nodes.add(alone.nodes)
        return time.process_time() - start

    times = timing.medians(
        {
            "ours, compiled": ours,
            "Python, for a game's methods": plain,
            "Python, the rules written into it": inlined,
        },
        rounds,
    )
    timing.unpin()
    (count,) = nodes
    table = Table(title=f"Expectiminimax on pig, {plies} decisions, {count:,} nodes")
    for heading in ("engine", "million nodes/s", "ours is faster", "goal", ""):
        table.add_column(heading, justify="left" if heading == "engine" else "right")
    for name, seconds in times.items():
        ratio = seconds / times["ours, compiled"]
        judged = name.endswith("methods")
        table.add_row(
            name,
            f"{count / seconds / 1e6:.2f}",
            f"{ratio:.1f}" if ratio != 1 else "",
            str(FASTER) if judged else "",
            timing.verdict(ratio >= FASTER) if judged else "",
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
    table = Table(title=f"{count} positions of backgammon, {depth} decisions")
    for heading in ("search", "nodes", "left out", "published", "time", "other values", "goal", ""):
        table.add_column(heading, justify="left" if heading in ("search", "published") else "right")
    for name in SEARCHES:
        saved = 1 - nodes[name] / nodes[first]
        judged = name == "Star2, ordered"
        table.add_row(
            name,
            f"{nodes[name]:,}",
            f"{saved:.1%}" if name != first else "",
            PUBLISHED.get(name, ""),
            f"{seconds[name]:.1f} s",
            str(wrong[name]),
            f"{LEAST:.0%}" if judged else "",
            timing.verdict(saved >= LEAST) if judged else "",
        )
    return table
