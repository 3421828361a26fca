"""Measures engines or option sets on the same positions, depth by depth, and compares the cost with theory.

Theory, for trees of width b and depth d: minimax visits b^d leaves; the fewest that can prove the value are
b^ceil(d/2) + b^floor(d/2) - 1 (Knuth and Moore, "An analysis of alpha-beta pruning", 1975); with moves in
random order alpha-beta needs about b^(3d/4) for moderate b (Pearl 1982). Here b is measured: the d-th root of
the lines of exactly d plies.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gameplay import registry
from gameplay.catalogue import name_of
from gameplay.errors import Usage
from gameplay.plural import plural
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import Session
from gameplay.search.trace import TraceEvent
from gameplay.suites import perft
from gameplay.suites.analysis import value_options

if TYPE_CHECKING:
    from gameplay.position import AbstractPosition
    from gameplay.search.engine import Engine

LINES = 3_000_000  # maximum lines of play to count; beyond, b of the previous depth is used
MAX_TRACED = 150_000  # maximum nodes of a search that is repeated with a trace to count leaves
CHEAPEST_PATH = "a cheapest path"  # the theorem of single-agent searches
WARM_UP = 3  # plies of the first searches, which are not timed
MIN_GROWTH = 2.0  # assumed minimum growth of nodes from one depth to the next


@dataclass(frozen=True)
class Effort:
    """The effort of an engine for all positions at one depth. Counts are sums; values: one per position.
    leaves: positions below which nothing was searched; evaluations: static evaluations; None if searches were
    too large to trace. exact: no search was ended before the depth.
    """

    spec: str
    depth: int
    nodes: int = 0
    leaves: int | None = None
    evaluations: int | None = None
    probes: int = 0
    hits: int = 0
    cutoffs: int = 0
    first_cutoffs: int = 0
    seconds: float = 0.0
    values: tuple[float, ...] = ()
    exact: bool = True

    @property
    def branching(self) -> float:
        """The effective branching factor: the width of a uniform tree of equal depth and nodes."""
        return (self.nodes / len(self.values)) ** (1 / self.depth) if self.values else 0.0

    @property
    def hit_share(self) -> float | None:
        """The hit rate of the transposition table; None without a table."""
        return self.hits / self.probes if self.probes else None

    @property
    def first_share(self) -> float | None:
        """Share of the cutoffs made by the first move tried; None without cutoffs."""
        return self.first_cutoffs / self.cutoffs if self.cutoffs else None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        figures = {name: getattr(self, name) for name in self.__dataclass_fields__} | {
            "values": [*self.values]
        }
        shares = {"hit_share": self.hit_share, "first_share": self.first_share}
        return figures | shares | {"branching": self.branching, "seconds": round(self.seconds, 6)}


@dataclass(frozen=True)
class Theory:
    """Theoretical leaf counts of a tree of this width and depth. counted: plies from which b was computed."""

    depth: int
    width: float
    counted: int

    @property
    def full(self) -> float:
        """b^d: the leaves of the whole tree."""
        return float(self.width**self.depth)

    @property
    def minimum(self) -> float:
        """The fewest leaves that can prove the value."""
        return float(self.width ** math.ceil(self.depth / 2) + self.width ** (self.depth // 2) - 1)

    @property
    def random(self) -> float:
        """b^(3d/4): about the leaves that alpha-beta visits with random move ordering."""
        return float(self.width ** (3 * self.depth / 4))

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        figures = {"depth": self.depth, "b": self.width, "counted": self.counted}
        return figures | {"full": self.full, "minimum": self.minimum, "random": self.random}


@dataclass(frozen=True)
class Equality:
    """Engines with equal values by their theorems, at one depth, and the positions where they differ.
    differing: numbers of positions, from 1.
    """

    specs: tuple[str, ...]
    theorem: str
    depth: int
    differing: tuple[int, ...]

    def __str__(self) -> str:
        names = f"{', '.join(self.specs[:-1])} and {self.specs[-1]}"
        if len(self.specs) > 4:
            names = f"{self.specs[0]} and {len(self.specs) - 1} others"
        where = f"{self.theorem} at {plural(self.depth, 'ply', 'plies')}"
        if not self.differing:
            return f"{names} have the same values, as predicted by theory: those of {where}"
        numbers = ", ".join(map(str, self.differing))
        return f"{names} differ in position {numbers}, though by theory each has the values of {where}"

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        facts = {"engines": [*self.specs], "theorem": self.theorem, "depth": self.depth}
        return facts | {"equal": not self.differing, "differing": [*self.differing]}


@dataclass(frozen=True)
class Iteration:
    """All measurements at one depth; `theory` is None if it does not apply to the game."""

    depth: int
    efforts: tuple[Effort, ...]
    theory: Theory | None
    equalities: tuple[Equality, ...]


def default_engines(position: "AbstractPosition") -> list[str]:
    """The engines measured by default: those with the value of minimax, otherwise all suitable ones."""
    engines = [registry.engine(name)[0] for name in registry.engine_names()]
    suitable = [
        engine for engine in engines if _searches_plies(engine) and not engine.incompatibility(position)
    ]
    minimax = [engine for engine in suitable if engine.theorem == "minimax"]
    closest = [engine for engine in suitable if len(engine.players) == 1]  # only for this number of players
    names = [engine.name for engine in minimax or closest or suitable]
    if not names:
        raise Usage(f"no engine that searches by plies plays {name_of(position)}")
    return names


def _searches_plies(engine: "Engine") -> bool:
    """True if the engine searches to a depth in plies."""
    return engine.thinks and engine.by_depth and not engine.simulates and engine.theorem != CHEAPEST_PATH


def ablations(spec: str) -> list[str]:
    """The engine of `spec`, followed by variants with one technique switched off each.
    Techniques are options that are on and may be off, or lists (`order`). Raises Usage if the
    engine has none, and as by `registry.engine`.
    """
    engine, limit = registry.engine(spec)
    if limit:
        raise Usage(f"{spec}: --depth sets the depth. Try: leave the limit out")
    specs = [str(engine)]
    for change in _ablated_options(engine):
        with suppress(Usage):  # an option may require another one
            specs.append(str(replace(engine, **change)))
    if len(specs) == 1:
        raise Usage(
            f"{spec} has no technique that is on. Try: iterative, selective or alphabeta:order=killer"
        )
    return list(dict.fromkeys(specs))


def _ablated_options(engine: "Engine") -> Iterator[dict[str, Any]]:
    """Each technique of an engine as the option that switches it off."""
    for name, field in type(engine).options().items():
        value = getattr(engine, name)
        if name == "order":
            parts = engine.orders()
            for omitted in parts if parts != ["generated"] else []:
                yield {name: "+".join(part for part in parts if part != omitted) or "generated"}
        elif value is True:
            yield {name: False}
        elif value != "off" and (name == "table" or "off" in field.metadata["values"]):
            yield {name: "off"}


def measure(
    specs: Sequence[str],
    positions: Sequence["AbstractPosition"],
    depths: range,
    most: int,
    progress: Callable[[str], object] = lambda text: None,
) -> Iterator[Iteration]:
    """The effort of each engine for the positions, one depth after the other.

    An engine is dropped at the first depth where it is expected to need more than `most` nodes per position,
    extrapolated from its last depths; the iteration ends when no engine is left. `progress` is
    called with a description of the current search. Raises Usage for an engine that cannot play the game or
    does not search plies, and as `registry.engine`.
    """
    engines = {spec: _engine(spec, positions[0]) for spec in specs}
    for spec, engine in engines.items():  # weights are read and memory allocated before times are measured
        _effort(spec, engine, positions, min(WARM_UP, depths[0]))
    last: dict[str, Effort] = {}
    expected = dict.fromkeys(specs, 0.0)  # nodes per position at the next depth
    theory: Theory | None = None
    for depth in depths:
        remaining = [spec for spec in specs if expected[spec] <= most]
        if not remaining:
            return
        theory = predict(positions, depth, theory)
        efforts = []
        for spec in remaining:
            progress(f"{spec}, depth {depth}")
            effort = _effort(spec, engines[spec], positions, depth)
            before = last.get(spec)
            growth = max(MIN_GROWTH, effort.nodes / before.nodes if before else effort.branching)
            expected[spec] = growth * effort.nodes / len(positions)
            last[spec] = effort
            efforts.append(effort)
        yield Iteration(depth, tuple(efforts), theory, tuple(equalities(efforts, engines)))


def _engine(spec: str, position: "AbstractPosition") -> "Engine":
    engine: Engine
    engine, limit = registry.engine(spec)
    if limit:
        raise Usage(f"{spec}: --depth sets the depth. Try: leave the limit out")
    if not _searches_plies(engine):
        raise Usage(f"{spec} does not search by plies: there is nothing to measure depth by depth")
    registry.check_engine(engine, position)
    engine.check(position)
    return engine


def _effort(spec: str, engine: "Engine", positions: Sequence["AbstractPosition"], depth: int) -> Effort:
    """Search each position in a new session, so searches are independent."""
    reports: list[Report] = []
    leaves: int | None = 0
    evaluations: int | None = 0
    for position in positions:
        report = Session(engine).search(position, Limit(depth=depth))
        if report.stopped == "interrupted":
            raise KeyboardInterrupt
        reports.append(report)
        if report.nodes > MAX_TRACED or engine.threads > 1:
            leaves = evaluations = None
        if leaves is not None and evaluations is not None:
            counter = LeafCounter()
            Session(engine).search(position, Limit(depth=depth), trace=counter)
            leaves, evaluations = leaves + counter.leaves, evaluations + counter.evaluations
    return Effort(
        spec,
        depth,
        sum(report.nodes for report in reports),
        leaves,
        evaluations,
        sum(report.probes for report in reports),
        sum(report.hits for report in reports),
        sum(report.cutoffs for report in reports),
        sum(report.first_cutoffs for report in reports),
        sum(report.seconds for report in reports),
        tuple(report.value for report in reports),
        all(report.stopped in ("depth", "proven", "solved") for report in reports),
    )


class LeafCounter:
    """Counts leaves (positions below which nothing was searched) and evaluations in a trace."""

    def __init__(self) -> None:
        self.leaves = self.evaluations = 0

    def __call__(self, event: TraceEvent) -> None:
        if event.what == "enter":
            self.open = True  # nothing has been searched below it
        elif event.what == "leave":
            self.leaves += self.open
            self.open = False
        elif event.what == "evaluate":
            self.evaluations += 1


def predict(
    positions: Sequence["AbstractPosition"], depth: int, before: Theory | None = None
) -> Theory | None:
    """The theoretical counts at a depth, given those of the depth before; None if theory does not apply.

    The width is the mean over the positions; it is computed while that is cheap, and constant from then on.
    """
    first = positions[0]
    if first.players != 2 or not first.zero_sum or first.chance or first.hidden:
        return None
    if before is not None and before.full * before.width > LINES:
        return Theory(depth, before.width, before.counted)
    lines = sum(perft.count(position, depth).nodes for position in positions) / len(positions)
    if not lines:
        return before and Theory(depth, before.width, before.counted)
    return Theory(depth, float(lines ** (1 / depth)), depth)


def equalities(efforts: Sequence[Effort], engines: dict[str, "Engine"]) -> Iterator[Equality]:
    """Compare the engines at one depth by their theorems."""
    groups: dict[tuple[str, tuple[object, ...]], list[Effort]] = {}
    for effort in efforts:
        engine = engines[effort.spec]
        if engine.theorem and effort.exact:
            groups.setdefault((engine.theorem, tuple(value_options(engine))), []).append(effort)
    for (theorem, _), group in groups.items():
        if len(group) > 1:
            columns = zip(*(effort.values for effort in group), strict=True)
            differing = [
                number
                for number, values in enumerate(columns, 1)
                if not all(math.isclose(value, values[0], rel_tol=1e-9, abs_tol=1e-9) for value in values)
            ]
            specs = tuple(effort.spec for effort in group)
            yield Equality(specs, theorem, group[0].depth, tuple(differing))
