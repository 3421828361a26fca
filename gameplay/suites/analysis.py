"""Analyses one position with several engines, and compares values that must be equal in theory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gameplay import registry, specs
from gameplay.errors import EngineFault, GameplayError, Usage
from gameplay.players import seats
from gameplay.players.knowledge import search_knowledge
from gameplay.plural import plural
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import Session

if TYPE_CHECKING:
    from gameplay.knowledge.knowledge import Knowledge
    from gameplay.position import AbstractPosition
    from gameplay.registry import Game
    from gameplay.search.engine import Engine


@dataclass(frozen=True)
class Opinion:
    """The analysis of the position by the engine of `spec`. `report` is None before it begins.

    Without a report `fault` is the reason: the engine cannot play the game, or it failed.
    """

    spec: str
    engine: "Engine"
    limit: Limit
    report: Report | None = None
    fault: GameplayError | None = None
    knowledge: "tuple[Knowledge, ...]" = ()  # sources probed by its search

    @property
    def unfinished(self) -> bool:
        """True if it was stopped before the requested depth or is still running."""
        report = self.report
        if report is None or not report.final or report.unfinished or report.stopped == "interrupted":
            return True
        return self.limit.depth is not None and report.stopped in ("nodes", "time")


def collect_opinions(
    players: Sequence[str], game: "Game", position: "AbstractPosition", limit: Limit
) -> list[Opinion]:
    """The engines of these specs, each limited by its spec and by `limit`, with their knowledge.
    An engine that does not search or cannot play the game has a `fault`. Raises Usage if all have one, and as
    `registry.engine` and `players.knowledge.opened`.
    """
    opinions = []
    for spec in players:
        program = specs.is_program(spec)
        parsed = specs.parse(spec) if program else specs.engine(spec)
        engine, own = seats.analysis_engine(str(parsed.with_knowledge({})))
        each = engine.combine_limits(own, limit)
        opinion = Opinion(spec, engine, each)
        try:
            if engine.instant:
                raise Usage(f"{engine.name} does not search: there is nothing to analyse")
            engine.check(position) if program else registry.check_engine(engine, position)
            engine.default_limit(position, each)
            opinion = replace(opinion, knowledge=search_knowledge(engine, parsed.knowledge, game))
        except Usage as error:
            opinion = replace(opinion, fault=error)
        opinions.append(opinion)
    faults = [opinion.fault for opinion in opinions if opinion.fault is not None]
    if faults and len(faults) == len(opinions):
        raise faults[0]
    return opinions


def search(opinion: Opinion, position: "AbstractPosition", watch: Callable[[Opinion], None]) -> Opinion:
    """Search the position; `watch` is called with intermediate results.
    The report is None if Ctrl-C stopped a user engine before its first report; `fault` is set if the engine
    failed.
    """
    session = Session(opinion.engine)
    session.knowledge = opinion.knowledge
    try:
        final = session.search(position, opinion.limit, lambda report: watch(replace(opinion, report=report)))
    except EngineFault as error:
        return replace(opinion, report=None, fault=None if session.interrupted else error)
    return replace(opinion, report=final)


@dataclass(frozen=True)
class Agreement:
    """Engines that must have the same value by their theorems, and whether they do."""

    specs: tuple[str, ...]
    theorem: str
    depth: int
    equal: bool

    def __str__(self) -> str:
        names = f"{', '.join(self.specs[:-1])} and {self.specs[-1]}"
        plies = plural(self.depth, "ply", "plies")
        if self.equal:
            return f"{names} have the same value, as predicted by theory: that of {self.theorem} at {plies}"
        return (
            f"{names} differ, though by theory each has the value of {self.theorem} at {plies} "
            "(where positions repeat, a transposition table may be the cause: try table=off)"
        )


# Options that change the value stated by a theorem, with the default for engines without them.
VALUE_OPTIONS = {"eval": "", "alliance": "", "others": ""} | dict.fromkeys(
    ("max_threshold", "min_threshold", "standout"), "off"
)


def value_options(engine: "Engine") -> list[object]:
    """The options of an engine that change the value stated by its theorem."""
    return [getattr(engine, name, usual) for name, usual in VALUE_OPTIONS.items()]


def agreement(opinions: Sequence[Opinion]) -> Agreement | None:
    """Compare the engines that finished by their theorems; None if fewer than two can be compared.

    Engines are compared if theorem, depth and `VALUE_OPTIONS` are equal; a proved value also holds at every
    greater depth.
    """
    done = [opinion for opinion in opinions if not opinion.unfinished and opinion.report is not None]
    for first in done:
        theorem, sense = first.engine.theorem, value_options(first.engine)
        alike = [
            opinion
            for opinion in done
            if opinion.engine.theorem == theorem and value_options(opinion.engine) == sense
        ]
        depth = max(opinion.report.depth for opinion in alike if opinion.report is not None)
        alike = [
            opinion
            for opinion in alike
            if opinion.report is not None
            and (opinion.report.depth == depth or opinion.report.stopped == "proven")
        ]
        if theorem and len(alike) > 1:
            values = {opinion.report.value for opinion in alike if opinion.report is not None}
            return Agreement(tuple(opinion.spec for opinion in alike), theorem, depth, len(values) == 1)
    return None
