"""Othello endgames: exact solutions of the FFO positions, compared with Edax if it is installed.

`python -m benchmarks ffo:left=24` takes half a minute, all ten positions (20 to 27 empty squares) take some
minutes. Edax (GPL) is searched on the PATH; its CPU time is that of the whole process.
"""

import os
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay import registry
from gameplay.search.limit import Limit

ANSWERS = Path(__file__).parents[1] / "tests" / "answers" / "othello.toml"
ENGINE = "iterative:table=256MB"
GOAL = ("FFO 40", 10.0)  # seconds
SMALLEST = ({"left": "20"},)


def solve(position: Any) -> tuple[str, int, int, float]:
    """The best move, its value in discs, the nodes and the CPU seconds."""
    engine, _ = registry.engine(ENGINE)
    start = time.process_time()
    report = engine.search(position, Limit(depth=60))
    seconds = time.process_time() - start
    return position.format(report.move), report.value // position.unit, report.nodes, seconds


def measure_edax(program: str, position: str) -> float:
    """CPU seconds of Edax on one thread."""
    with tempfile.NamedTemporaryFile("w", suffix=".obf") as file:
        file.write(position + ";\n")
        file.flush()
        command = [program, "-solve", file.name, "-n-tasks", "1", "-l", "60", "-q"]
        before = os.times()
        environment.run(command, f"Edax on {position}", folder=Path(program).parent)
        after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def tables(left: str = "27") -> Iterator[Table]:
    """One table, of the positions with at most `left` empty squares."""
    program = environment.find_program("edax")
    timing.pin()
    table = Table(title=f"Othello: FFO endgames solved by {ENGINE}, one core")
    headings = ["position", "empty", "expected", "value", "move", "CPU s", "million nodes/s"]
    for heading in [*headings, *(["Edax CPU s", "time / Edax"] if program else [])]:
        table.add_column(heading, justify="left" if heading in ("position", "move") else "right")
    goal = ""
    correct = count = 0
    for ending in tomllib.loads(ANSWERS.read_text())["ending"]:
        squares = ending["position"].count("-")
        if squares > int(left):
            continue
        progress.show(f"solving {ending['name']}, {squares} empty squares")
        position = registry.game("othello").new(ending["position"])
        move, value, nodes, seconds = solve(position)
        count += 1
        correct += value == ending["value"] and move in ending["best"]
        if ending["name"] == GOAL[0]:
            goal = f"; {GOAL[0]} in {GOAL[1]:g} s: {timing.verdict(seconds <= GOAL[1])}"
        row = [ending["name"], str(squares), f"{ending['value']:+d}", f"{value:+d}", move]
        row += [f"{seconds:.2f}", f"{nodes / seconds / 1e6:.1f}"]
        if program:
            edax_seconds = measure_edax(program, ending["position"])
            row += [f"{edax_seconds:.2f}", f"{seconds / edax_seconds:.1f}" if edax_seconds else ""]
        table.add_row(*row)
    table.caption = f"value and move correct in {correct} of {count} positions{goal}"
    timing.unpin()
    yield table
