"""The cost of live reports: the same searches with and without them."""

import os
import sys
from collections.abc import Iterator

from rich.table import Table

from benchmarks import environment, timing

GOAL = 1.02
SMALLEST = ({"depth": "7", "rounds": "1"},)
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


def tables(depth: str = "", rounds: str = "") -> Iterator[Table]:
    """One table, a row a build. `depth` and `rounds`: of both."""
    timing.pin()
    table = Table(title="Live reports: CPU seconds of a search, each report turned to text")
    for heading in ("build", "depth", "silent", "watched", "reports", "per second", "ratio", "goal", ""):
        table.add_column(heading, justify="left" if heading == "build" else "right")
    for build, (usual, often) in DEPTHS.items():
        env = os.environ | ({"GAMEPLAY_PURE": "1"} if build == "pure" else {})
        depth_now, rounds_now = int(depth or usual), int(rounds or often)
        command = [sys.executable, "-c", PROGRAM, depth_now, rounds_now]
        out = environment.run(command, f"the {build} build", env=env)
        silent, watched, reports = map(float, out.split())
        table.add_row(
            build,
            str(depth_now),
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
