"""Connect Four: exact solutions on one core, compared with bitbully and with the best known solvers.

`python -m benchmarks solver` solves Pascal Pons's sets of positions, each position with an empty table, and
the empty board:

    solver:only=sets,count=100    only the sets, the first 100 positions of each
    solver:only=empty             only the empty board
    solver:only=eight,part=100    every 100th position of Tromp's set: all positions after eight plies without
                                  a winner or a forced move, solved as win, loss or draw

The times of the best known solvers were measured on another machine, in one run with bitbully; they are
scaled by the time of bitbully in this run.
"""

import json
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay import registry
from gameplay.errors import Usage
from gameplay.games.connect4.game import Connect4
from gameplay.games.connect4.solver import Connect4Solver
from gameplay.value import WIN

POSITIONS = Path(__file__).parent / "positions" / "connect4.txt"

# By set: the fastest known solver (c4 of Christophe Steininger, or Pons), its seconds a position, bitbully's.
BEST_KNOWN = {
    "end-easy": ("c4", 2.8e-6, 13e-6),
    "middle-easy": ("Pons", 45e-6, 163e-6),
    "middle-medium": ("c4", 1.8e-3, 3.9e-3),
    "begin-easy": ("Pons", 0.32e-3, 4.8e-3),
    "begin-medium": ("c4", 96e-3, 109e-3),
}
MAX_POSITIONS = {"begin-medium": 300}  # of a set; all positions of the others
SMALLEST = ({"only": "sets", "count": "1"},)
EMPTY_BOARD = ("c4", 25.0, 176.0)  # as in BEST_KNOWN
TROMP = {1: 44473, -1: 16635, 0: 6449}  # number of positions by result for the first player


def load_sets() -> dict[str, list[tuple[str, int]]]:
    """The positions (moves) and scores of each set."""
    sets: dict[str, list[tuple[str, int]]] = {}
    for line in POSITIONS.read_text().splitlines():
        if line.startswith("["):
            rows = sets.setdefault(line.strip("[]"), [])
        elif not line.startswith("#"):
            moves, score = line.split()
            rows.append((moves, int(score)))
    return sets


def first_positions(count: int) -> dict[str, list[tuple[str, int]]]:
    """The first `count` positions of each set, at most MAX_POSITIONS."""
    return {name: rows[: min(count, MAX_POSITIONS.get(name, count))] for name, rows in load_sets().items()}


def pons_score(value: int, stones: int) -> int:
    """The score of the sets for a value: 1 for a win with the last stone, 2 with the one before it, ..."""
    if not value:
        return 0
    score = (44 - stones - (WIN - abs(value))) // 2
    return score if value > 0 else -score


def measure(rows: list[tuple[str, int]], solver: Connect4Solver) -> tuple[float, int, float]:
    """Mean CPU seconds, number of wrong scores and mean nodes of positions, each with an empty table."""
    game = registry.game("connect4")
    total, wrong, nodes_before = 0.0, 0, solver.nodes
    for moves, expected in rows:
        position = game.new(moves)
        solver.forget()
        start = time.process_time()
        value = solver.value(position)
        total += time.process_time() - start
        wrong += pons_score(value, len(moves)) != expected
    return total / len(rows), wrong, (solver.nodes - nodes_before) / len(rows)


def measure_bitbully(count: int) -> dict[str, float]:
    """Mean CPU seconds of bitbully by set; empty if it cannot be installed. Raises PeerFailed."""
    if reason := environment.install(["bitbully"]).get("bitbully"):
        environment.report_missing({"bitbully": reason})
        return {}
    text = ""
    for name, rows in first_positions(count).items():
        text += f"[{name}]\n" + "".join(f"{moves} {score}\n" for moves, score in rows)
    output = environment.run_peer("peer_connect4.py", count, name="bitbully", text=text)
    results = [json.loads(line) for line in output.splitlines()]
    for result in results:
        if result["wrong"]:
            raise environment.PeerFailed(f"bitbully: {result['wrong']} wrong scores in {result['set']}")
    return {result["set"]: result["seconds"] for result in results}


def format_time(seconds: float) -> str:
    """Seconds as microseconds or milliseconds."""
    return f"{seconds * 1e6:,.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:,.2f} ms"


def sets_table(count: int) -> Table:
    """The sets of positions."""
    table = Table(title="Connect Four: exact scores, mean CPU time, empty table", title_style="bold")
    for heading in (
        "set",
        "positions",
        "wrong",
        "nodes",
        "gameplay",
        "bitbully",
        "best known",
        "ratio",
    ):
        table.add_column(heading, justify="left" if heading == "set" else "right", no_wrap=True)
    table.caption = "best known: scaled by the time of bitbully; ratio: gameplay / best known, goal < 1"
    bitbully_seconds = measure_bitbully(count)
    solver = Connect4Solver(7, 6, 23)
    for name, rows in first_positions(count).items():
        progress.show(f"solving {name}, {len(rows):,} positions")
        seconds, wrong, nodes = measure(rows, solver)
        cells = [name, str(len(rows)), str(wrong), f"{nodes:,.0f}", format_time(seconds)]
        if name in bitbully_seconds:
            program, best, bitbully_then = BEST_KNOWN[name]
            scaled = best * bitbully_seconds[name] / bitbully_then
            cells += [
                format_time(bitbully_seconds[name]),
                f"{program} {format_time(scaled)}",
                f"{seconds / scaled:.2f}",
            ]
        table.add_row(*cells)
    return table


def empty_table() -> Table:
    """The empty board."""
    table = Table(title="Connect Four: the empty board, no book, 1 GB table", title_style="bold")
    for heading in ("program", "value", "nodes", "CPU s"):
        table.add_column(heading, justify="left" if heading == "program" else "right")
    solver = Connect4Solver(7, 6, 27)
    start = time.process_time()
    value = solver.value(registry.game("connect4").new())
    seconds = time.process_time() - start
    table.add_row("gameplay", f"win in {WIN - value}", f"{solver.nodes:,}", f"{seconds:.1f}")
    program, best, bitbully_then = EMPTY_BOARD
    table.caption = f"on another machine: {program} {best:.0f} s, bitbully {bitbully_then:.0f} s"
    return table


def tromp_positions() -> Iterator[Connect4]:
    """The positions of Tromp's set, one of each pair of mirror images."""
    game = registry.game("connect4")
    seen = set()
    layer = {0: ""}  # moves by key
    for _ in range(8):
        next_layer: dict[int, str] = {}
        for moves in layer.values():
            position = game.new(moves)
            for move in position.moves():
                position.make(move)
                if position.outcome() is None:
                    next_layer.setdefault(position.key(), moves + position.format(move))
                position.unmake()
        layer = next_layer
    for moves in layer.values():
        position = game.new(moves)
        if position.noisy():  # an immediate win, or a threat that must be answered
            continue
        mirror = game.new("".join(str(8 - int(column)) for column in moves))
        if mirror.key() not in seen:
            seen.add(position.key())
            yield position


def tromp_table(part: int) -> Table:
    """Results of every `part`-th position of Tromp's set."""
    table = Table(
        title="Connect Four: results after eight plies for the first player (Tromp)", title_style="bold"
    )
    for heading in ("program", "won", "lost", "drawn", "positions", "CPU s"):
        table.add_column(heading, justify="left" if heading == "program" else "right")
    solver = Connect4Solver(7, 6, 27)
    counts = {1: 0, -1: 0, 0: 0}
    start = time.process_time()
    for number, position in enumerate(islice(tromp_positions(), 0, None, part)):
        progress.count(number, sum(TROMP.values()) // part, "positions")
        counts[solver.result(position)] += 1
    seconds = f"{time.process_time() - start:,.0f}"
    for program, results, time_text in (("gameplay", counts, seconds), ("Tromp", TROMP, "")):
        columns = [f"{results[result]:,}" for result in (1, -1, 0)]
        table.add_row(program, *columns, f"{sum(results.values()):,}", time_text)
    return table


TABLES = ("sets", "empty", "eight")


def tables(only: str = "", count: str = "1000", part: str = "1") -> Iterator[Table]:
    """The sets and the empty board, or `only` one table; `eight` takes an hour or two.

    count: positions of each set. part: solve every `part`-th position of `eight`.
    """
    if only not in ("", *TABLES):
        raise Usage(f"only must be one of {', '.join(TABLES)}, not '{only}'")
    if not part.isdecimal() or int(part) < 1:
        raise Usage(f"part must be a whole number of at least 1, not '{part}'")
    timing.pin()
    if only in ("", "sets"):
        yield sets_table(int(count))
    if only in ("", "empty"):
        yield empty_table()
    if only == "eight":
        yield tromp_table(int(part))
    timing.unpin()
