"""Alpha-beta on Connect Four: the compiled engine compared with C++ that searches the same nodes."""

import statistics
from collections.abc import Iterator
from pathlib import Path

from rich.table import Table

from benchmarks import environment, timing

FOLDER = Path(__file__).parent
PROGRAM = FOLDER / "build" / "yardstick"
# No devirtualization: a compiler that does not know the game could not do it either. Instructions on bits,
# with which `make` compiles our modules, make no difference to this program.
FLAGS = ("-std=c++17", "-O3", "-fno-devirtualize", "-fno-devirtualize-speculatively")
# The variants of a search: "" without, "-table" with a transposition table.
NODES = {12: {"": 777_501, "-table": 188_954}, 16: {"": 285_318_906, "-table": 9_769_455}}  # by depth
SMALLEST = ({"depth": "12", "rounds": "1"},)
ROUNDS = {12: (8, 4), 16: (5, 1)}  # by depth: rounds, searches of a round
GOALS = {"": 0.8, "-table": 0.75}  # speed relative to the C++ program with virtual calls
SPECS = {"": timing.SPEC, "-table": timing.SPEC_WITH_TABLE}


def build() -> str:
    """Compile the C++ program. Returns the reason of a failure, else ""."""
    compiler = environment.find_compiler("g++", "clang++", "c++")
    if compiler is None:
        return "no C++ compiler found; try: install g++"
    PROGRAM.parent.mkdir(exist_ok=True)
    flags = FLAGS if "clang" not in compiler else FLAGS[:2]
    command = [compiler, *flags, FOLDER / "yardstick.cpp", "-o", PROGRAM]
    try:
        environment.run(command, "the C++ compiler", 120)
    except environment.PeerFailed as error:
        return str(error)
    return ""


def measure_cpp(depth: int, searches: int) -> Iterator[tuple[str, float]]:
    """Variant and CPU seconds of each search of the C++ program; checks the node counts."""
    command = [str(PROGRAM), str(depth), str(searches)]
    for line in environment.run(command, f"the C++ program at depth {depth}").splitlines():
        name, value, nodes, seconds = line.split()
        expected = NODES[depth]["-table" if name.endswith("-table") else ""]
        assert (int(value), int(nodes)) == (0, expected), line
        yield name, float(seconds)


def tables(depth: str = "", rounds: str = "") -> Iterator[Table | str]:
    """A table for each depth, or for one."""
    if failure := build():
        yield f"yardstick: C++ skipped: {failure}"
        return
    core = timing.pin()
    for plies, (default_rounds, searches) in ROUNDS.items():
        if depth not in ("", str(plies)):
            continue
        times: dict[str, list[float]] = {}
        sessions = {variant: timing.connect4_session(spec) for variant, spec in SPECS.items()}
        timing.search(*sessions["-table"], plies)  # warm-up: maps the pages of the table
        for _ in range(int(rounds or default_rounds)):
            for name, seconds in measure_cpp(plies, searches):
                times.setdefault(name, []).append(seconds)
            for variant in SPECS:
                for _ in range(searches):
                    value, nodes, seconds = timing.search(
                        *sessions[variant], plies, watch=lambda report: False
                    )
                    assert (value, nodes) == (0, NODES[plies][variant]), (value, nodes)
                    times.setdefault("gameplay" + variant, []).append(seconds)
        yield speed_table(plies, core, {name: statistics.median(values) for name, values in times.items()})
    timing.unpin()


def speed_table(depth: int, core: int | None, seconds: dict[str, float]) -> Table:
    """Speeds and ratios at one depth. seconds: median by program and variant."""
    table = Table(title=f"Connect Four: depth {depth}, core {core}, million nodes/s, live reports on")
    for heading in (
        "table",
        "nodes",
        "C++ direct",
        "C++ virtual",
        "gameplay",
        "vs direct",
        "vs virtual",
        "goal",
        "",
    ):
        table.add_column(heading, justify="left" if heading == "table" else "right")
    for variant, goal in GOALS.items():
        nodes = NODES[depth][variant]
        direct, virtual, gameplay = (seconds[name + variant] for name in ("direct", "virtual", "gameplay"))
        table.add_row(
            "yes" if variant else "no",
            f"{nodes:,}",
            *(f"{nodes / value / 1e6:.1f}" for value in (direct, virtual, gameplay)),
            f"{direct / gameplay:.2f}",
            f"{virtual / gameplay:.2f}",
            f"{goal:.2f}",
            timing.verdict(virtual / gameplay >= goal),
        )
    return table
