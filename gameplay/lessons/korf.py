"""Korf's table: node counts of IDA* on 100 random instances of the 15-puzzle, reproduced.

Richard Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial Intelligence
27, 1985. The instances and the published counts are stored in korf.tsv.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gameplay import registry
from gameplay.errors import Usage
from gameplay.search.report import Report

FILE = Path(__file__).with_name("korf.tsv")
COUNTED_HEURISTIC = "manhattan"  # the heuristic used for the published counts


@dataclass(frozen=True)
class Instance:
    """A row of the table. `measured`: the nodes that a correct implementation generates."""

    number: int
    position: str
    estimate: int
    length: int
    published: int
    measured: int


@dataclass(frozen=True)
class SolvedInstance:
    """The result of one search."""

    instance: Instance
    heuristic: str
    length: int
    nodes: int
    expanded: int
    seconds: float
    stopped: str

    @property
    def difference(self) -> str:
        """The differences from the known length and node count; empty if there are none."""
        if self.stopped != "solved":
            return f"not solved: {self.stopped}"
        if self.length != self.instance.length:
            return f"length {self.length}, expected {self.instance.length}"
        if self.heuristic == COUNTED_HEURISTIC and self.nodes != self.instance.measured:
            return f"{self.nodes:,} nodes, expected {self.instance.measured:,}"
        return ""


@cache
def instances() -> tuple[Instance, ...]:
    """All 100 instances, in Korf's order."""
    rows = [line.split("\t") for line in FILE.read_text().splitlines() if not line.startswith("#")]
    return tuple(Instance(int(number), text, *map(int, counts)) for number, text, *counts in rows)


def select_instances(numbers: str) -> list[Instance]:
    """The instances with numbers such as `1-10,42`; all if it is empty. Raises Usage."""
    if not numbers:
        return list(instances())
    error = Usage(f"instances must be numbers from 1 to 100, as in 1-10,42, not '{numbers}'")
    selected: list[int] = []
    for part in numbers.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise error
        selected += range(int(first), int(last if dash else first) + 1)
    if not selected or not all(1 <= number <= 100 for number in selected):
        raise error
    return [instances()[number - 1] for number in dict.fromkeys(selected)]


def solve(
    instance: Instance, heuristic: str, watch: Callable[[Report], object] | None = None
) -> SolvedInstance:
    """Solve an instance by IDA*. Raises Usage if the heuristic needs a pattern database that is missing."""
    position = registry.game("puzzle15").new(instance.position)
    engine = registry.engine(f"idastar:heuristic={heuristic}")[0]
    report = engine.search(position, watch=watch)
    return SolvedInstance(
        instance, heuristic, -int(report.value), report.nodes, report.expanded, report.seconds, report.stopped
    )


def totals(done: Iterable[SolvedInstance]) -> dict[str, dict[str, float]]:
    """The number of instances, the total nodes and the total seconds, by heuristic."""
    totals: dict[str, dict[str, float]] = {}
    for result in done:
        total = totals.setdefault(result.heuristic, {"solved": 0, "nodes": 0, "seconds": 0.0})
        total["solved"] += result.stopped == "solved"
        total["nodes"] += result.nodes
        total["seconds"] += result.seconds
    return totals
