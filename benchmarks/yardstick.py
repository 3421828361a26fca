"""The compiled engine beside a C++ program that searches the same nodes: yardstick.cpp."""

import shutil
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path

from rich.table import Table

from benchmarks import timing

FOLDER = Path(__file__).parent
PROGRAM = FOLDER / "build" / "yardstick"
# The compiler may not guess what a virtual call will be: a game that it has not seen has no such luck.
FLAGS = ("-std=c++17", "-O3", "-fno-devirtualize", "-fno-devirtualize-speculatively")
NODES = {12: {"": 777_501, "-table": 188_954}, 16: {"": 285_318_906, "-table": 9_769_455}}
ROUNDS = {12: (8, 4), 16: (5, 1)}  # rounds, searches in each
GOALS = {"": 0.8, "-table": 0.75}
SPECS = {"": timing.SPEC, "-table": timing.TABLED}


def build() -> str:
    """Compile the C++ program; an empty string, or why that cannot be done."""
    compiler = shutil.which("g++") or shutil.which("clang++") or shutil.which("c++")
    if compiler is None:
        return "no C++ compiler: install g++ for this table"
    PROGRAM.parent.mkdir(exist_ok=True)
    flags = FLAGS if "clang" not in compiler else FLAGS[:2]
    done = subprocess.run(
        [compiler, *flags, FOLDER / "yardstick.cpp", "-o", PROGRAM], capture_output=True, text=True
    )
    return done.stderr.strip().partition("\n")[0] if done.returncode else ""


def cpp(depth: int, searches: int) -> Iterator[tuple[str, float]]:
    """Variant and CPU seconds of each search by the C++ program, its node counts checked."""
    command = [str(PROGRAM), str(depth), str(searches)]
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        name, value, nodes, seconds = line.split()
        expected = NODES[depth]["-table" if name.endswith("-table") else ""]
        assert (int(value), int(nodes)) == (0, expected), line
        yield name, float(seconds)


def tables() -> Iterator[Table | str]:
    """A table for each depth."""
    trouble = build()
    if trouble:
        yield f"yardstick: {trouble}"
        return
    core = timing.pin()
    for depth, (rounds, searches) in ROUNDS.items():
        times: dict[str, list[float]] = {}
        players = {kind: timing.connect4(spec) for kind, spec in SPECS.items()}
        timing.search(*players["-table"], depth)  # meets its pages for the first time
        for _ in range(rounds):
            for name, seconds in cpp(depth, searches):
                times.setdefault(name, []).append(seconds)
            for kind in SPECS:
                for _ in range(searches):
                    value, nodes, seconds = timing.search(*players[kind], depth, watch=lambda report: False)
                    assert (value, nodes) == (0, NODES[depth][kind]), (value, nodes)
                    times.setdefault("ours" + kind, []).append(seconds)
        yield shown(depth, core, {name: statistics.median(values) for name, values in times.items()})
    timing.unpin()


def shown(depth: int, core: int | None, seconds: dict[str, float]) -> Table:
    """Speeds and ratios at one depth."""
    table = Table(
        title=f"Connect Four, depth {depth}, the same nodes, core {core}: million nodes/s, live reports on"
    )
    for heading in ("", "nodes", "C++ direct", "C++ virtual", "ours", "of direct", "of virtual", "goal", ""):
        table.add_column(heading, justify="left" if not heading else "right")
    for kind, goal in GOALS.items():
        nodes = NODES[depth][kind]
        direct, virtual, ours = (seconds[name + kind] for name in ("direct", "virtual", "ours"))
        table.add_row(
            "with a table" if kind else "no table",
            f"{nodes:,}",
            *(f"{nodes / value / 1e6:.1f}" for value in (direct, virtual, ours)),
            f"{direct / ours:.2f}",
            f"{virtual / ours:.2f}",
            f"{goal:.2f}",
            timing.verdict(virtual / ours >= goal),
        )
    return table
