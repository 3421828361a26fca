"""One position, several engines: what each finds, and whether those agree that must."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gameplay import registry
from gameplay.errors import EngineFault, Usage
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import Session


@dataclass(frozen=True)
class Opinion:
    """What an engine of `spec` says of the position. `report` is None before it begins."""

    spec: str
    engine: Any
    limit: Limit
    report: Report | None = None

    @property
    def unfinished(self) -> bool:
        """True if it was stopped before the depth that was asked for, or is still at work."""
        report = self.report
        if report is None or not report.final or report.unfinished or report.stopped == "interrupted":
            return True
        return self.limit.depth is not None and report.stopped in ("nodes", "time")


def asked(specs: Sequence[str], position: Any, limit: Limit) -> list[Opinion]:
    """The engines of `specs`, each with its own limits or else with those of `limit`.

    Raises Usage for an engine that does not search or cannot play the game, and as `registry.engine`.
    """
    found = []
    for spec in specs:
        engine, own = registry.engine(spec)
        if engine.instant:
            raise Usage(f"{engine.name} does not search, so that there is nothing to analyse")
        registry.fit(engine, position)
        each = replace(own, multipv=max(own.multipv, limit.multipv)) if own else limit
        engine.default_limit(position, each)
        found.append(Opinion(spec, engine, each))
    return found


def search(opinion: Opinion, position: Any, watch: Callable[[Opinion], None]) -> Opinion:
    """Let the engine search the position; `watch` is told what it says meanwhile.

    There is no report if Ctrl-C ended an engine of one's own that had told no move.
    """
    session = Session(opinion.engine)
    try:
        told = session.search(position, opinion.limit, lambda report: watch(replace(opinion, report=report)))
    except EngineFault:
        if not session.interrupted:
            raise
        return replace(opinion, report=None)
    return replace(opinion, report=told)


@dataclass(frozen=True)
class Agreement:
    """Engines whose theorems give them the same value, and whether they found it."""

    specs: tuple[str, ...]
    theorem: str
    depth: int
    equal: bool

    def __str__(self) -> str:
        names = f"{', '.join(self.specs[:-1])} and {self.specs[-1]}"
        plies = f"{self.depth} {'ply' if self.depth == 1 else 'plies'}"
        if self.equal:
            return f"{names} found the same value, as theory says: that of {self.theorem} at {plies}"
        return (
            f"{names} differ, though by theory each has the value of {self.theorem} at {plies} "
            "(where positions repeat, a transposition table may be the cause: try table=off)"
        )


def agreement(opinions: Sequence[Opinion]) -> Agreement | None:
    """What follows from the theorems of the engines that finished; None where fewer than two can be compared.

    Compared are engines with the same theorem, evaluation and depth; one that proved its value has it at
    every greater depth too.
    """
    done = [one for one in opinions if not one.unfinished and one.report is not None]
    for first in done:
        theorem, leaves = first.engine.theorem, getattr(first.engine, "eval", "")
        alike = [
            one for one in done if one.engine.theorem == theorem and getattr(one.engine, "eval", "") == leaves
        ]
        depth = max(one.report.depth for one in alike if one.report is not None)
        alike = [
            one
            for one in alike
            if one.report is not None and (one.report.depth == depth or one.report.stopped == "proven")
        ]
        if theorem and len(alike) > 1:
            values = {one.report.value for one in alike if one.report is not None}
            return Agreement(tuple(one.spec for one in alike), theorem, depth, len(values) == 1)
    return None
