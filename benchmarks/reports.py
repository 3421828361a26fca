"""The cost of live reports: the same search with and without them."""

import os
import sys
from collections.abc import Iterator

from rich.table import Table

from benchmarks import environment, timing

GOAL = 1.02  # time with reports divided by the time without, at most
SMALLEST = ({"depth": "7", "rounds": "1"},)
SIZES = {"compiled": (17, 9), "pure": (13, 5)}  # depth, rounds

PROGRAM = """
import sys
from benchmarks import timing
depth, rounds = map(int, sys.argv[1:])
session, board = timing.connect4_session(timing.SPEC_WITH_TABLE)
reports = []
timing.search(session, board, depth)
times = timing.medians({
    "without": lambda: timing.search(session, board, depth)[2],
    "with": lambda: timing.search(session, board, depth, lambda report: reports.append(str(report)))[2],
}, rounds)
print(times["without"], times["with"], len(reports) / rounds)
"""


def tables(depth: str = "", rounds: str = "") -> Iterator[Table]:
    """One table, a row for each build. depth, rounds: of both builds."""
    timing.pin()
    table = Table(title="Live reports: CPU time of a search on Connect Four, each report formatted as text")
    for heading in (
        "build",
        "depth",
        "without, s",
        "with, s",
        "reports",
        "reports/s",
        "ratio",
        "goal",
        "",
    ):
        table.add_column(heading, justify="left" if heading == "build" else "right")
    for build, (default_depth, default_rounds) in SIZES.items():
        env = os.environ | ({"GAMEPLAY_PURE": "1"} if build == "pure" else {})
        plies, count = int(depth or default_depth), int(rounds or default_rounds)
        output = environment.run([sys.executable, "-c", PROGRAM, plies, count], f"the {build} build", env=env)
        without, with_reports, reports = map(float, output.split())
        table.add_row(
            build,
            str(plies),
            f"{without:.3f}",
            f"{with_reports:.3f}",
            f"{reports:.0f}",
            f"{reports / with_reports:.0f}",
            f"{with_reports / without:.3f}",
            f"≤ {GOAL:.2f}",
            timing.verdict(with_reports / without <= GOAL),
        )
    timing.unpin()
    yield table
