"""Proving wins and losses: proof-number search compared with alpha-beta, by answers and by nodes.

`python -m benchmarks proof` asks each engine about four sets of positions, with so many nodes for each. Nodes
are summed over what both the engine and `iterative` answer; they are the same on every machine.
`proof:nodes=1000000` gives more, `proof:count=30` takes the first so many positions of a set, and
`proof:only=chess` one set.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random

from rich.table import Table

from benchmarks import environment
from benchmarks.progress import progress
from benchmarks.solver import first
from gameplay import registry
from gameplay.search.limit import Limit
from gameplay.search.report import Report

ENGINES = ("iterative", "pns", "pns:mobility=off", "pns:weak=off", "pns:mobility=off,weak=off")
PIECES = 6  # of the positions of checkers
LONGEST = 300  # plies of a game of checkers by random moves
SMALLEST = ({"nodes": "200", "count": "2"},)


def chess() -> list[tuple[str, str]]:
    """Win at Chess: only some of them are won by mate, and soon."""
    lines = (environment.FOLDER / "positions" / "wac.epd").read_text().splitlines()
    return [("chess", " ".join([*line.split()[:4], "0 1"])) for line in lines if line[:1] not in ("#", "")]


def connect4() -> list[tuple[str, str]]:
    """Pons's positions in the middle of the game."""
    return [("connect4", moves) for moves, _ in first(100)["middle-easy"]]


def rows() -> list[tuple[str, str]]:
    """Lines of each length on all boards of two to four columns and rows."""
    sizes = [(width, height) for width in range(2, 5) for height in range(2, 5)]
    return [
        (f"tictactoe:width={width},height={height},line={line}", "")
        for width, height in sizes
        for line in range(2, max(width, height) + 1)
    ]


def checkers() -> Iterator[tuple[str, str]]:
    """What is left after random moves of both sides: 100 positions."""
    found = 0
    for seed in range(1000):
        rng, position = Random(seed), registry.game("checkers").new()
        for _ in range(LONGEST):
            if position.outcome() is not None or sum(c.isalpha() for c in str(position)) <= PIECES:
                break
            position.make(rng.choice(position.moves()))
        if position.outcome() is None and found < 100:
            found += 1
            yield "checkers", position.text()


SETS = {
    "chess": ("Win at Chess", chess),
    "connect4": ("Connect Four, middle-easy", connect4),
    "rows": ("lines on boards up to 4x4", rows),
    "checkers": (f"checkers, {PIECES} pieces", checkers),
}


def answered(report: Report) -> bool:
    """True if it came to an end."""
    return report.exact or report.stopped == "proven"


def tables(nodes: str = "100000", count: str = "1000", only: str = "") -> Iterator[Table]:
    """A table for each set."""
    for name, (title, positions) in SETS.items():
        if only not in ("", name):
            continue
        asked = list(islice(positions(), int(count)))
        found: dict[str, dict[int, int]] = {}
        for spec in ENGINES:
            engine = registry.engine(spec)[0]
            found[spec] = {}
            progress.say(f"{title}, {spec}")
            for number, (game, text) in enumerate(asked):
                report = engine.search(registry.game(game).new(text), Limit(nodes=int(nodes)))
                if answered(report):
                    found[spec][number] = report.nodes
        table = Table(title=f"{title}: {len(asked)} positions, {int(nodes):,} nodes each")
        for heading in ("engine", "answered", "both", "nodes", "iterative's", "ratio"):
            table.add_column(heading, justify="left" if heading == "engine" else "right")
        plain = found[ENGINES[0]]
        for spec, each in found.items():
            both = sorted(set(each) & set(plain))
            own, others = sum(each[n] for n in both), sum(plain[n] for n in both)
            ratio = f"{own / others:.2f}" if others else ""
            table.add_row(spec, str(len(each)), str(len(both)), f"{own:,}", f"{others:,}", ratio)
        yield table
