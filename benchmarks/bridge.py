"""Deals of bridge solved with all cards open, all strains and declarers, beside DDS through endplay.

`python -m benchmarks bridge` solves the 1,000 deals of tests/answers, each with an empty table, on one core
and in CPU time; DDS runs in an environment of its own, in the same run. `bridge:count=50` takes the first so
many.
"""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median

from rich.table import Table

from benchmarks import environment, timing
from gameplay.games._bridge_solver import BridgeSolver, cells
from gameplay.games.bridge import read_deal

FOLDER = Path(__file__).parent
DEALS = FOLDER.parent / "tests" / "answers" / "bridge.txt"
STRAINS = (4, 3, 2, 1, 0)  # in the order of the file
MOST = 10  # times what DDS takes
GOAL = 3


def deals(count: int) -> list[tuple[str, str]]:
    """The deals, and the tricks of each declarer in each strain."""
    rows = [line for line in DEALS.read_text().splitlines() if not line.startswith("#")]
    return [(f"N:{deal}", digits) for deal, _, digits in (row.rpartition(" ") for row in rows[:count])]


def ours(rows: list[tuple[str, str]]) -> tuple[list[float], int, float]:
    """CPU seconds of each deal, how many tables differ from the file, and the mean of the tricks begun."""
    solver, spent, wrong = BridgeSolver(21), [], 0
    for deal, digits in rows:
        hands = [cells(hand) for hand in read_deal(deal)]
        began = time.process_time()
        table = solver.table(hands)
        spent.append(time.process_time() - began)
        wrong += "".join(f"{tricks:x}" for strain in STRAINS for tricks in table[strain]) != digits
    return spent, wrong, solver.nodes / len(rows)


def theirs(rows: list[tuple[str, str]]) -> tuple[list[float], int]:
    """The same of DDS; empty where it cannot be installed."""
    if why := environment.install(["endplay"]).get("endplay"):
        print(f"DDS is left out: {why}")
        return [], 0
    command = [str(environment.scripts() / "python"), str(FOLDER / "peer_bridge.py")]
    text = "".join(f"{deal}\n" for deal, _ in rows)
    answer = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    found = [line.split() for line in answer.stdout.splitlines()]
    wrong = sum(digits != known for (_, digits), (_, known) in zip(found, rows, strict=True))
    return [float(seconds) for seconds, _ in found], wrong


def tables(count: str = "1000") -> Iterator[Table]:
    """All deals, by both."""
    timing.pin()
    rows = deals(int(count))
    table = Table(title="Bridge, all 20 results of a deal: CPU time", title_style="bold")
    for name in ("", "deals", "wrong", "tricks begun", "mean", "median", "longest"):
        table.add_column(name, justify="left" if not name else "right")
    peer, differ = theirs(rows)
    spent, wrong, nodes = ours(rows)
    for name, times, missed, begun in (("ours", spent, wrong, f"{nodes:,.0f}"), ("DDS", peer, differ, "")):
        if times:
            figures = [f"{1000 * figure(times):,.0f} ms" for figure in (mean, median, max)]
            table.add_row(name, str(len(times)), str(missed), begun, *figures)
    if peer:
        ratio = mean(spent) / mean(peer)
        table.caption = (
            f"ours / DDS {ratio:.2f}: at most {MOST} {timing.verdict(ratio <= MOST)}, "
            f"at most {GOAL} {timing.verdict(ratio <= GOAL)}"
        )
    yield table
    timing.unpin()
