"""The chain of Sturtevant and Korf: positions that max^n, its pruning, paranoid search and tables visit.

As in Nathan Sturtevant and Richard Korf, "On pruning techniques for multi-player games", AAAI 2000: the same
positions, the same depth, one technique more in each row. Shallow pruning has the vectors of max^n, the table
those of both; paranoid search has a value of its own.
"""

from collections.abc import Iterator
from random import Random

from rich.table import Table

from gameplay import Limit, registry

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


def tables(depth: str = "") -> Iterator[Table]:
    """A table a game: `depth` searches all of them so deep."""
    for spec, (plies, deep) in GAMES.items():
        yield _table(spec, plies, int(depth or deep))


def _table(spec: str, plies: int, depth: int) -> Table:
    game = registry.game(spec)
    table = Table(title=f"{spec}, {POSITIONS} positions, depth {depth}")
    for name in ("engine", "positions visited", "of max^n", "nodes/s"):
        table.add_column(name, justify="left" if name == "engine" else "right")
    first, values = 0, {}
    for engine in CHAIN:
        nodes, seconds = 0, 0.0
        for number in range(POSITIONS):
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
