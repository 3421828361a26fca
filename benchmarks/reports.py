"""What it costs to be watched: the same searches with live reports and without."""

import os
import subprocess
import sys
from collections.abc import Iterator

from rich.table import Table

from benchmarks import timing

GOAL = 1.02
DEPTHS = {"compiled": (17, 9), "pure": (13, 5)}  # with a table; rounds

PROGRAM = """
import sys
from benchmarks import timing
depth, rounds = map(int, sys.argv[1:])
engine, board = timing.connect4(timing.TABLED)
shown = []
timing.search(engine, board, depth)
times = timing.medians({
    "silent": lambda: timing.search(engine, board, depth)[2],
    "watched": lambda: timing.search(engine, board, depth, lambda report: shown.append(str(report)))[2],
}, rounds)
print(times["silent"], times["watched"], len(shown) / rounds)
"""


def tables() -> Iterator[Table]:
    """One table, a row a build."""
    timing.pin()
    table = Table(title="Live reports: CPU seconds of a search, each report turned to text")
    for heading in ("build", "depth", "silent", "watched", "reports", "per second", "ratio", "goal", ""):
        table.add_column(heading, justify="left" if heading == "build" else "right")
    for build, (depth, rounds) in DEPTHS.items():
        environment = os.environ | ({"GAMEPLAY_PURE": "1"} if build == "pure" else {})
        command = [sys.executable, "-c", PROGRAM, str(depth), str(rounds)]
        out = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        silent, watched, reports = map(float, out.split())
        table.add_row(
            build,
            str(depth),
            f"{silent:.3f}",
            f"{watched:.3f}",
            f"{reports:.0f}",
            f"{reports / watched:.0f}",
            f"{watched / silent:.3f}",
            f"{GOAL:.2f}",
            timing.verdict(watched / silent <= GOAL),
        )
    timing.unpin()
    yield table
