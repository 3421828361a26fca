"""Connect Four solved on one core, compared with bitbully in a separate environment.

`python -m benchmarks solver` solves Pascal Pons's sets of positions, each position with an empty table, and
the empty board. `solver:only=sets`, `empty` or `eight`: one of these; `eight` are all positions of eight
plies without a winner or a forced move (Tromp's set), solved as won, lost or drawn only.
`solver:count=100` takes the first so many of a set; of Tromp's the hundredth part, `only=eight,part=100`.

The times of specialists were measured on another machine in one run with bitbully, and are scaled by the time
of bitbully here.
"""

import json
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay import registry
from gameplay.errors import Usage
from gameplay.games.connect4.solver import Connect4Solver
from gameplay.value import WIN

FOLDER = Path(__file__).parent
POSITIONS = FOLDER / "positions" / "connect4.txt"

# Seconds a position: the best specialist of a set (c4 of Christophe Steininger, or Pons), and bitbully.
KNOWN = {
    "end-easy": ("c4", 2.8e-6, 13e-6),
    "middle-easy": ("Pons", 45e-6, 163e-6),
    "middle-medium": ("c4", 1.8e-3, 3.9e-3),
    "begin-easy": ("Pons", 0.32e-3, 4.8e-3),
    "begin-medium": ("c4", 96e-3, 109e-3),
}
MOST = {"begin-medium": 300}  # positions of a set, else all
SMALLEST = ({"only": "sets", "count": "1"},)
EMPTY = ("c4", 25.0, 176.0)  # the empty board, the same
TROMP = {1: 44473, -1: 16635, 0: 6449}  # positions of eight plies, by result for the first player


def sets() -> dict[str, list[tuple[str, int]]]:
    """All positions and their scores, by set."""
    found: dict[str, list[tuple[str, int]]] = {}
    for line in POSITIONS.read_text().splitlines():
        if line.startswith("["):
            rows = found.setdefault(line.strip("[]"), [])
        elif not line.startswith("#"):
            moves, score = line.split()
            rows.append((moves, int(score)))
    return found


def first(count: int) -> dict[str, list[tuple[str, int]]]:
    """The first positions of each set."""
    return {name: rows[: min(count, MOST.get(name, count))] for name, rows in sets().items()}


def score(value: int, count: int) -> int:
    """A value with so many stones on the board as the sets count it."""
    if not value:
        return 0
    found = (44 - count - (WIN - abs(value))) // 2
    return found if value > 0 else -found


def solved(rows: list[tuple[str, int]], solver: Connect4Solver) -> tuple[float, int, float]:
    """Mean CPU seconds, wrong answers and mean nodes of positions, each with an empty table."""
    game = registry.game("connect4")
    total, wrong, before = 0.0, 0, solver.nodes
    for moves, known in rows:
        position = game.new(moves)
        solver.forget()
        began = time.process_time()
        value = solver.value(position)
        total += time.process_time() - began
        wrong += score(value, len(moves)) != known
    return total / len(rows), wrong, (solver.nodes - before) / len(rows)


def bitbully(count: int) -> dict[str, tuple[float, int]]:
    """The same of bitbully; empty where it cannot be installed."""
    if why := environment.install(["bitbully"]).get("bitbully"):
        print(f"bitbully is left out: {why}", file=sys.stderr)
        return {}
    text = ""
    for name, rows in first(count).items():
        text += f"[{name}]\n" + "".join(f"{moves} {known}\n" for moves, known in rows)
    command = [str(environment.scripts() / "python"), str(FOLDER / "peer_connect4.py"), str(count)]
    answer = environment.run(command, "bitbully", text=text)
    found = [json.loads(line) for line in answer.splitlines()]
    return {one["set"]: (one["seconds"], one["wrong"]) for one in found}


def micros(seconds: float) -> str:
    """Seconds as microseconds or milliseconds."""
    return f"{seconds * 1e6:,.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:,.2f} ms"


def of_sets(count: int) -> Table:
    """All sets."""
    table = Table(title="Connect Four, exact score: mean CPU time, empty table", title_style="bold")
    for name in (
        "set",
        "positions",
        "wrong",
        "nodes",
        "ours",
        "bitbully",
        "best, scaled",
        "ratio",
        "",
    ):
        table.add_column(name, justify="left" if name in ("set", "") else "right")
    theirs = bitbully(count)
    solver = Connect4Solver(7, 6, 23)
    for name, rows in first(count).items():
        progress.say(f"solving {name}, {len(rows):,} positions")
        seconds, wrong, nodes = solved(rows, solver)
        who, best, peer = KNOWN[name]
        cells = [name, str(len(rows)), str(wrong), f"{nodes:,.0f}", micros(seconds)]
        if name in theirs:
            here, _ = theirs[name]
            scaled = best * here / peer
            verdict = timing.verdict(seconds < scaled)
            cells += [micros(here), f"{who} {micros(scaled)}", f"{seconds / scaled:.2f}", verdict]
        table.add_row(*cells)
    return table


def of_empty() -> Table:
    """The empty board."""
    table = Table(title="Connect Four, the empty board, no book, 1 GB of table", title_style="bold")
    for name in ("", "value", "positions", "CPU seconds"):
        table.add_column(name, justify="right")
    solver = Connect4Solver(7, 6, 27)
    began = time.process_time()
    value = solver.value(registry.game("connect4").new())
    seconds = time.process_time() - began
    table.add_row("ours", f"win in {WIN - value}", f"{solver.nodes:,}", f"{seconds:.1f}")
    who, best, peer = EMPTY
    table.caption = f"elsewhere {who} took {best:.0f} s, bitbully {peer:.0f} s"
    return table


def eights() -> Iterator[object]:
    """The positions of Tromp's set, one of each pair of mirror images."""
    game = registry.game("connect4")
    seen = set()
    layer = {0: ""}
    for _ in range(8):
        below = {}
        for moves in layer.values():
            position = game.new(moves)
            for move in position.moves():
                position.make(move)
                if position.outcome() is None:
                    below.setdefault(position.key(), moves + position.format(move))
                position.unmake()
        layer = below
    for moves in layer.values():
        position = game.new(moves)
        if position.noisy():  # a win, or a move that the other side's threat forces
            continue
        mirror = game.new("".join(str(8 - int(column)) for column in moves))
        if mirror.key() not in seen:
            seen.add(position.key())
            yield position


def of_eight(part: int) -> Table:
    """Who wins in Tromp's set, or in one of each `part` positions of it."""
    table = Table(title="Connect Four after eight plies, for the first player", title_style="bold")
    for name in ("", "won", "lost", "drawn", "positions", "CPU seconds"):
        table.add_column(name, justify="right")
    solver = Connect4Solver(7, 6, 27)
    found = {1: 0, -1: 0, 0: 0}
    began = time.process_time()
    for number, position in enumerate(islice(eights(), 0, None, part)):
        progress.count(number, sum(TROMP.values()) // part, "positions")
        found[solver.result(position)] += 1
    seconds = time.process_time() - began
    table.add_row("ours", *(f"{found[r]:,}" for r in TROMP), f"{sum(found.values()):,}", f"{seconds:,.0f}")
    table.add_row("Tromp", *(f"{each:,}" for each in TROMP.values()), f"{sum(TROMP.values()):,}", "")
    return table


PARTS = ("sets", "empty", "eight")


def tables(only: str = "", count: str = "1000", part: str = "1") -> Iterator[Table]:
    """The tables asked for; without a word all but `eight`, which takes an hour or two."""
    if only not in ("", *PARTS):
        raise Usage(f"only is one of {', '.join(PARTS)}, not '{only}'")
    if not part.isdecimal() or int(part) < 1:
        raise Usage(f"part is a whole number from 1 up, not {part}")
    timing.pin()
    if only in ("", "sets"):
        yield of_sets(int(count))
    if only in ("", "empty"):
        yield of_empty()
    if only == "eight":
        yield of_eight(int(part))
    timing.unpin()
