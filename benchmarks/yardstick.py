"""The compiled engine compared with a C++ program that searches the same nodes: yardstick.cpp."""

import statistics
from collections.abc import Iterator
from pathlib import Path

from rich.table import Table

from benchmarks import environment, timing

FOLDER = Path(__file__).parent
PROGRAM = FOLDER / "build" / "yardstick"
# The compiler may not guess what a virtual call will be: a game that it has not seen has no such luck.
FLAGS = ("-std=c++17", "-O3", "-fno-devirtualize", "-fno-devirtualize-speculatively")
NODES = {12: {"": 777_501, "-table": 188_954}, 16: {"": 285_318_906, "-table": 9_769_455}}
SMALLEST = ({"depth": "12", "rounds": "1"},)
ROUNDS = {12: (8, 4), 16: (5, 1)}  # rounds, searches in each
GOALS = {"": 0.8, "-table": 0.75}
SPECS = {"": timing.SPEC, "-table": timing.TABLED}


def build() -> str:
    """Compile the C++ program; an empty string, or why that cannot be done."""
    compiler = environment.compiler("g++", "clang++", "c++")
    if compiler is None:
        return "no C++ compiler: install g++ for this table"
    PROGRAM.parent.mkdir(exist_ok=True)
    flags = FLAGS if "clang" not in compiler else FLAGS[:2]
    command = [compiler, *flags, FOLDER / "yardstick.cpp", "-o", PROGRAM]
    try:
        environment.run(command, "the C++ compiler", 120)
    except environment.PeerFailed as error:
        return str(error)
    return ""


def cpp(depth: int, searches: int) -> Iterator[tuple[str, float]]:
    """Variant and CPU seconds of each search by the C++ program, its node counts checked."""
    command = [str(PROGRAM), str(depth), str(searches)]
    for line in environment.run(command, f"the C++ program at depth {depth}").splitlines():
        name, value, nodes, seconds = line.split()
        expected = NODES[depth]["-table" if name.endswith("-table") else ""]
        assert (int(value), int(nodes)) == (0, expected), line
        yield name, float(seconds)


def tables(depth: str = "", rounds: str = "") -> Iterator[Table | str]:
    """A table for each depth, or for one."""
    trouble = build()
    if trouble:
        yield f"yardstick: {trouble}"
        return
    core = timing.pin()
    for plies, (usual, searches) in ROUNDS.items():
        if depth not in ("", str(plies)):
            continue
        times: dict[str, list[float]] = {}
        players = {kind: timing.connect4(spec) for kind, spec in SPECS.items()}
        timing.search(*players["-table"], plies)  # meets its pages for the first time
        for _ in range(int(rounds or usual)):
            for name, seconds in cpp(plies, searches):
                times.setdefault(name, []).append(seconds)
            for kind in SPECS:
                for _ in range(searches):
                    value, nodes, seconds = timing.search(*players[kind], plies, watch=lambda report: False)
                    assert (value, nodes) == (0, NODES[plies][kind]), (value, nodes)
                    times.setdefault("ours" + kind, []).append(seconds)
        yield shown(plies, core, {name: statistics.median(values) for name, values in times.items()})
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
