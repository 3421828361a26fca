"""IDA* on Korf's 15-puzzles, compared with a dedicated C program (`ida.c`), which is compiled first.

`python -m benchmarks korf` solves ten instances of some hundred million nodes, `korf:only=1-100` all of them,
which the goal refers to. `gameplay lecture korf` prints the table of the paper and checks it.
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
DEFAULT_INSTANCES = "1,3,4,7,10,11,15,21,26,27"
SMALLEST = ({"only": "79"},)
GOAL = 480.0  # seconds for all 100 on one core


def solve_in_c(program: Path, position: str) -> tuple[int, int, float]:
    """Solution length, nodes and CPU seconds of the C program."""
    output = environment.run([program, *position.split()], "the C program")
    length, nodes, seconds = output.split()
    return int(length), int(nodes), float(seconds)


def solve(position: str) -> tuple[int, int, float]:
    """Solution length, nodes and CPU seconds of our engine."""
    engine = registry.engine("idastar:heuristic=manhattan")[0]
    start = time.process_time()
    report = engine.search(registry.game("puzzle15").new(position))
    return -int(report.value), report.nodes, time.process_time() - start


def tables(only: str = DEFAULT_INSTANCES) -> Iterator[Table]:
    """One table; the last row has the totals. only: numbers and ranges of instances."""
    compiler = environment.find_compiler("cc", "gcc")
    timing.pin()
    table = Table(title="15-puzzle: IDA*, Manhattan distance, million nodes/s")
    for heading in ("instance", "length", "nodes", "gameplay", "C", "gameplay / C"):
        table.add_column(heading, justify="right")
    total_nodes, total, total_c = 0, 0.0, 0.0
    instances = korf.select_instances(only.replace("+", ","))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "ida"
        if compiler:
            environment.run([compiler, "-O3", "-o", program, SOURCE], "the C compiler", 60)
        for number, instance in enumerate(instances, 1):
            progress.show(f"instance {instance.number}, {number} of {len(instances)}")
            length, nodes, seconds = solve(instance.position)
            row = [str(instance.number), str(length), f"{nodes:,}", f"{nodes / seconds / 1e6:.1f}"]
            total_nodes, total = total_nodes + nodes, total + seconds
            if compiler:
                *c_result, c_seconds = solve_in_c(program, instance.position)
                if c_result != [length, nodes]:
                    raise environment.PeerFailed(
                        f"instance {instance.number}: gameplay found length {length} in {nodes} nodes, the C "
                        f"program length {c_result[0]} in {c_result[1]}"
                    )
                total_c += c_seconds
                row += [f"{nodes / c_seconds / 1e6:.1f}", f"{c_seconds / seconds:.2f}"]
            table.add_row(*row)
    totals = ["total", "", f"{total_nodes:,}", f"{total_nodes / total / 1e6:.1f}"]
    if compiler:
        totals += [f"{total_nodes / total_c / 1e6:.1f}", f"{total_c / total:.2f}"]
    table.add_row(*totals)
    if len(instances) == len(korf.instances()):
        table.caption = f"goal: all 100 in {GOAL:g} s; {total:.0f} s, {timing.verdict(total <= GOAL)}"
    timing.unpin()
    yield table
