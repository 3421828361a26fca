"""Proofs of wins and losses: proof-number search compared with alpha-beta, by solved positions and nodes.

`python -m benchmarks proof` runs each engine on four sets of positions with a limit of nodes a position.
Nodes are summed over the positions that both the engine and `iterative` solve; they are equal on all
machines. `proof:nodes=1000000` sets the limit, `proof:count=30` takes the first 30 positions of each set,
`proof:only=chess` one set.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random

from rich.table import Table

from benchmarks import environment
from benchmarks.progress import progress
from benchmarks.solver import first_positions
from gameplay import registry
from gameplay.errors import Usage, unknown_name
from gameplay.search.limit import Limit
from gameplay.search.report import Report

ENGINES = ("iterative", "pns", "pns:mobility=off", "pns:weak=off", "pns:mobility=off,weak=off")
PIECES = 6  # of the checkers positions
MAX_PLIES = 300  # of a random game of checkers
CHECKERS_POSITIONS = 100
SMALLEST = ({"nodes": "200", "count": "2"},)


# Each function returns the game spec and the text of each position of a set.
def chess() -> list[tuple[str, str]]:
    """Win at Chess; few of the positions are short mates."""
    lines = (environment.FOLDER / "positions" / "wac.epd").read_text().splitlines()
    return [("chess", " ".join([*line.split()[:4], "0 1"])) for line in lines if line[:1] not in ("#", "")]


def connect4() -> list[tuple[str, str]]:
    """Pons's middle-game positions."""
    return [("connect4", moves) for moves, _ in first_positions(100)["middle-easy"]]


def rows() -> list[tuple[str, str]]:
    """Initial positions of m,n,k games: all line lengths on all boards from 2x2 to 4x4."""
    sizes = [(width, height) for width in range(2, 5) for height in range(2, 5)]
    return [
        (f"tictactoe:width={width},height={height},line={line}", "")
        for width, height in sizes
        for line in range(2, max(width, height) + 1)
    ]


def checkers() -> Iterator[tuple[str, str]]:
    """Positions after random games, stopped when at most PIECES pieces are left."""
    count = 0
    for seed in range(1000):
        rng, position = Random(seed), registry.game("checkers").new()
        for _ in range(MAX_PLIES):
            if position.outcome() is not None or sum(c.isalpha() for c in str(position)) <= PIECES:
                break
            position.make(rng.choice(position.moves()))
        if position.outcome() is None:
            yield "checkers", position.text()
            count += 1
            if count == CHECKERS_POSITIONS:
                return


SETS = {
    "chess": ("Win at Chess", chess),
    "connect4": ("Connect Four, middle-easy", connect4),
    "rows": ("m,n,k games on boards up to 4x4", rows),
    "checkers": (f"Checkers, {PIECES} pieces", checkers),
}


def is_solved(report: Report) -> bool:
    """True if the search proved the value."""
    return report.exact or report.stopped == "proven"


def tables(nodes: str = "100000", count: str = "1000", only: str = "") -> Iterator[Table]:
    """A table for each set, or for `only` one. nodes: the limit of each position; count: positions a set."""
    if only not in ("", *SETS):
        raise Usage(unknown_name("set of positions", only, SETS))
    for name, (title, positions) in SETS.items():
        if only not in ("", name):
            continue
        selected = list(islice(positions(), int(count)))
        solved: dict[str, dict[int, int]] = {}  # by engine: nodes of each solved position, by number
        for spec in ENGINES:
            engine = registry.engine(spec)[0]
            solved[spec] = {}
            progress.show(f"{title}, {spec}")
            for number, (game, text) in enumerate(selected):
                report = engine.search(registry.game(game).new(text), Limit(nodes=int(nodes)))
                if is_solved(report):
                    solved[spec][number] = report.nodes
        table = Table(title=f"{title}: {len(selected)} positions, at most {int(nodes):,} nodes each")
        for heading in ("engine", "solved", "by both", "nodes", "nodes of iterative", "ratio"):
            table.add_column(heading, justify="left" if heading == "engine" else "right")
        reference = solved[ENGINES[0]]
        for spec, nodes_by_number in solved.items():
            both = sorted(set(nodes_by_number) & set(reference))
            engine_nodes = sum(nodes_by_number[number] for number in both)
            reference_nodes = sum(reference[number] for number in both)
            table.add_row(
                spec,
                str(len(nodes_by_number)),
                str(len(both)),
                f"{engine_nodes:,}",
                f"{reference_nodes:,}",
                f"{engine_nodes / reference_nodes:.2f}" if reference_nodes else "",
            )
        yield table
