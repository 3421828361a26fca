"""Solves a position: the exact value and line of perfect play of each move."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import Session
from gameplay.search.solver import FOREVER

if TYPE_CHECKING:
    from gameplay.knowledge.knowledge import Knowledge
    from gameplay.matches.match import Match
    from gameplay.search.engine import Engine


@dataclass(frozen=True)
class MoveSolved:
    """A formatted move and its result. value: from the mover's view; None: not solved yet."""

    word: str
    value: int | None = None
    line: tuple[str, ...] = ()  # formatted moves, `word` first: the line of perfect play
    nodes: int = 0
    seconds: float = 0.0
    kept: bool = False  # from the cache


def rank_moves(rows: list[MoveSolved]) -> list[MoveSolved]:
    """Sort the moves: best first, unknown last, otherwise in the game's order."""
    solved = [row for row in rows if row.value is not None]
    solved.sort(key=lambda row: -(row.value or 0))
    return solved + [row for row in rows if row.value is None]


def solve(
    match: "Match",
    engine: "Engine",
    sources: "Sequence[Knowledge]",
    seconds: float | None,
    known: Callable[[str], MoveSolved | None],
    watch: Callable[[list[MoveSolved]], object],
    done: Callable[[MoveSolved], object],
) -> tuple[list[MoveSolved], str]:
    """Solve each move of the match's position in turn, except the `known` ones.

    sources: knowledge probed before searching. watch: called with all moves while one is being solved; done:
    called with each solved one. Returns the moves and why it ended: `solved`, `time` or `interrupted`.
    """
    session = Session(engine)
    session.begin()
    session.knowledge = sources
    position = match.replica()
    moves = list(match.moves())
    rows = []
    for move in moves:
        word = match.call_game("format()", match.position.format, move)
        rows.append(known(word) or MoveSolved(word))
    remaining = seconds
    for number, move in enumerate(moves):
        if rows[number].value is not None:
            continue

        def record_progress(report: Report, number: int = number) -> None:
            rows[number] = replace(rows[number], nodes=report.nodes, seconds=report.seconds)
            watch(rows)

        watch(rows)
        report = session.search(position, Limit(seconds=remaining or FOREVER, moves=(move,)), record_progress)
        rows[number] = replace(rows[number], nodes=report.nodes, seconds=report.seconds)
        if not report.exact:
            return rows, report.stopped
        line = tuple(match.spell(report.pv))
        rows[number] = replace(rows[number], value=int(report.value), line=line)
        done(rows[number])
        if session.interrupted:  # interrupted after the value was found, while the line was searched
            return rows, "interrupted"
        if remaining is not None:
            remaining = max(0.001, remaining - report.seconds)
    return rows, "solved"
