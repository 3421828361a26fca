"""Startup time: wall time of whole processes with a warm disk cache."""

import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from rich.table import Table

from benchmarks import timing

ROUNDS = 15
SMALLEST = ({"rounds": "1"},)
GOALS = {
    "python -c pass": 0,
    "gameplay --help": 100,
    "play --help": 100,
    "selfplay --help": 100,
    "play tictactoe --plain": 300,  # until the first board is printed
}


def milliseconds(words: str, rounds: int) -> float:
    """Median time from the start of a command to its first line that is not empty."""
    name, *rest = words.split()
    script = Path(sys.executable).parent / name
    program = sys.executable if name == "python" else str(script if script.exists() else shutil.which(name))
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        process = subprocess.Popen(
            [program, *rest], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert process.stdin is not None and process.stdout is not None
        if "--plain" in rest:
            next((line for line in process.stdout if line.strip()), None)
        else:
            process.stdout.read()
            process.wait()
        times.append(1000 * (time.perf_counter() - start))
        process.stdin.close()
        process.stdout.close()
        process.wait()
    return statistics.median(times)


def tables(rounds: str = str(ROUNDS)) -> Iterator[Table]:
    """One table, a row a command."""
    table = Table(title=f"Start-up: milliseconds, median of {rounds}")
    for heading in ("command", "ms", "goal", ""):
        table.add_column(heading, justify="left" if heading == "command" else "right")
    for words, goal in GOALS.items():
        found = milliseconds(words, int(rounds))
        table.add_row(
            words, f"{found:.0f}", f"< {goal}" if goal else "", timing.verdict(found < goal) if goal else ""
        )
    yield table
