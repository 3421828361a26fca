"""Startup: wall time of processes with a warm disk cache."""

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
GOALS = {  # milliseconds by command; 0: no goal
    "python -c pass": 0,
    "gameplay --help": 100,
    "play --help": 100,
    "selfplay --help": 100,
    "play tictactoe --plain": 300,  # until the first board is printed
}


def measure(command: str, rounds: int) -> float:
    """Median milliseconds of a command; with --plain until its first non-empty line of output."""
    name, *arguments = command.split()
    script = Path(sys.executable).parent / name
    program = sys.executable if name == "python" else str(script if script.exists() else shutil.which(name))
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        process = subprocess.Popen(
            [program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert process.stdin is not None and process.stdout is not None
        if "--plain" in arguments:
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
    """One table, a row for each command."""
    table = Table(title=f"Startup: wall time in ms, median of {rounds} runs")
    for heading in ("command", "ms", "goal", ""):
        table.add_column(heading, justify="left" if heading == "command" else "right")
    for command, goal in GOALS.items():
        milliseconds = measure(command, int(rounds))
        table.add_row(
            command,
            f"{milliseconds:.0f}",
            f"< {goal}" if goal else "",
            timing.verdict(milliseconds < goal) if goal else "",
        )
    yield table
