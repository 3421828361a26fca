"""IDA* on Korf's 15-puzzles, compared with a dedicated C program, which is compiled first.

`python -m benchmarks korf` takes ten instances of some hundred million nodes; `korf:only=1-100` takes all, on
which the goal is set. The whole table with its checks is `gameplay lecture korf`.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from rich.table import Table

from benchmarks import environment, timing
from benchmarks.progress import progress
from gameplay import registry
from gameplay.lessons import korf

SOURCE = Path(__file__).with_name("ida.c")
SOME = "1,3,4,7,10,11,15,21,26,27"
SMALLEST = ({"only": "79"},)
GOAL = 480.0  # seconds for all 100 on one core


def plain(program: Path, position: str) -> tuple[int, int, float]:
    """Length, nodes and CPU seconds of the C program."""
    out = environment.run([program, *position.split()], "the C program")
    length, nodes, seconds = out.split()
    return int(length), int(nodes), float(seconds)


def ours(position: str) -> tuple[int, int, float]:
    """The same for our engine."""
    engine = registry.engine("idastar:heuristic=manhattan")[0]
    began = time.process_time()
    report = engine.search(registry.game("puzzle15").new(position))
    return -int(report.value), report.nodes, time.process_time() - began


def tables(only: str = SOME) -> Iterator[Table]:
    """One table; the last row has the sums."""
    compiler = environment.compiler("cc", "gcc")
    timing.pin()
    table = Table(title="IDA* with the Manhattan distance, million nodes a second, one core")
    for heading in ("instance", "length", "nodes", "ours", "plain C", "ours / C"):
        table.add_column(heading, justify="right")
    total_nodes, total, total_c = 0, 0.0, 0.0
    wanted = korf.select_instances(only.replace("+", ","))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "ida"
        if compiler:
            environment.run([compiler, "-O3", "-o", program, SOURCE], "the C compiler", 60)
        for instance in wanted:
            progress.say(f"instance {instance.number}, {wanted.index(instance) + 1} of {len(wanted)}")
            length, nodes, seconds = ours(instance.position)
            row = [str(instance.number), str(length), f"{nodes:,}", f"{nodes / seconds / 1e6:.1f}"]
            total_nodes, total = total_nodes + nodes, total + seconds
            if compiler:
                found = plain(program, instance.position)
                if found[:2] != (length, nodes):
                    row.append("differs")
                else:
                    total_c += found[2]
                    row += [f"{nodes / found[2] / 1e6:.1f}", f"{found[2] / seconds:.2f}"]
            table.add_row(*row)
    last = ["all", "", f"{total_nodes:,}", f"{total_nodes / total / 1e6:.1f}"]
    if total_c:
        last += [f"{total_nodes / total_c / 1e6:.1f}", f"{total_c / total:.2f}"]
    table.add_row(*last)
    if len(wanted) == len(korf.instances()):
        table.caption = f"all 100 in {GOAL:g} s: {total:.0f} s, {timing.verdict(total <= GOAL)}"
    timing.unpin()
    yield table
