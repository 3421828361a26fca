"""Othello endgames: the FFO positions solved exactly, compared with Edax if it is installed.

`python -m benchmarks ffo:left=24` takes half a minute, with all ten positions (20 to 27 squares left) some
minutes. Edax (GPL) is looked for on the PATH; its time is that of its process, its tables included.
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


def ours(position: Any) -> tuple[str, int, int, float]:
    """The best move, its value in discs, the positions seen, and CPU seconds."""
    engine, _ = registry.engine(ENGINE)
    began = time.process_time()
    report = engine.search(position, Limit(depth=60))
    spent = time.process_time() - began
    return position.format(report.move), report.value // position.unit, report.nodes, spent


def edax(program: str, position: str) -> float:
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
    """One table, of the positions with at most so many squares left."""
    program = environment.program("edax")
    timing.pin()
    table = Table(title=f"FFO endings solved on one core, {ENGINE}")
    headings = ["position", "left", "value", "ours", "move", "seconds", "million/s"]
    for heading in [*headings, *(["Edax", "times Edax"] if program else [])]:
        table.add_column(heading, justify="left" if heading in ("position", "move") else "right")
    goal = ""
    right = count = 0
    for ending in tomllib.loads(ANSWERS.read_text())["ending"]:
        squares = ending["position"].count("-")
        if squares > int(left):
            continue
        progress.say(f"solving {ending['name']}, {squares} squares left")
        position = registry.game("othello").new(ending["position"])
        move, value, nodes, seconds = ours(position)
        count += 1
        right += value == ending["value"] and move in ending["best"]
        if ending["name"] == GOAL[0]:
            goal = f"; {GOAL[0]} in {GOAL[1]:g} s: {timing.verdict(seconds <= GOAL[1])}"
        row = [ending["name"], str(squares), f"{ending['value']:+d}", f"{value:+d}", move]
        row += [f"{seconds:.2f}", f"{nodes / seconds / 1e6:.1f}"]
        if program:
            theirs = edax(program, ending["position"])
            row += [f"{theirs:.2f}", f"{seconds / theirs:.1f}" if theirs else ""]
        table.add_row(*row)
    table.caption = f"value and a best move right in {right} of {count}{goal}"
    timing.unpin()
    yield table
