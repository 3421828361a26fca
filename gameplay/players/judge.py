"""What an engine thinks of a position, for people who ask: `hint` and `eval`."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gameplay import registry
from gameplay.errors import Usage
from gameplay.players.player import MatchView
from gameplay.search.limit import Limit
from gameplay.search.report import Report
from gameplay.search.session import Session

SECONDS = 1.0  # that a question may take
PATIENT = 10.0  # ... of a puzzle, of which nothing is known before it is solved


class Judge:
    """Searches a replica of the match's position with the engine that suits the game best, all moves alike.

    There is one search of a position: whoever asks again is told the same, or what the search finds when it
    goes on from there.
    """

    def __init__(self) -> None:
        self.session: Session | None = None  # one for all questions: its table is made once
        self.place: tuple[object, ...] = ()  # the position that was searched last
        self.known: Report | None = None  # ... and what is known of it
        self.watch: Callable[[Report], Any] | None = None  # called while it searches; true: answer now

    def takes(self, match: MatchView, plies: int | None = None) -> float:
        """Seconds that the first question about the position takes at most; 0: it has been asked."""
        if self.known is not None and self.place == _place(match, plies):
            return 0.0
        return PATIENT if match.position.players == 1 else SECONDS

    def report(self, match: MatchView, deeper: bool = False, plies: int | None = None) -> Report:
        """What is known of the position: `candidates` are all legal moves, the best first, equally deep.

        `plies`: of the position after so many moves instead.
        The first question takes a second; `deeper` takes one more each time, until the value is proven.
        Raises Usage if no engine can judge this game.
        """
        place = _place(match, plies)
        if place != self.place:
            self.place, self.known = place, None
        known = self.known
        if known is not None and (not deeper or not self._goes_on(known)):
            return known
        position = match.replica(plies)
        engine = registry.usual_engine(position)
        if not engine.thinks:
            why = registry.engine_class("mcts").misfit(position)
            raise Usage(f"no engine here can advise on this game: {why}")
        best = engine(**guided(position))
        if self.session is None or self.session.engine != best:
            self.session = Session(best)
        limit = Limit(seconds=SECONDS, multipv=len(position.moves()))
        if position.players == 1:
            limit = Limit(seconds=PATIENT)
        found = self.session.search(position, limit, self.watch, again=known is not None)
        if known is not None:
            best = found if found.depth >= known.depth else known
            nodes, seconds = known.nodes + found.nodes, known.seconds + found.seconds
            found = replace(best, nodes=nodes, seconds=seconds)
        self.known = found
        return found

    def _goes_on(self, known: Report) -> bool:
        """True if a longer search can build on what it knows, and may find more."""
        assert self.session is not None
        return known.stopped != "proven" and getattr(self.session.engine, "table", "off") != "off"


def _place(match: MatchView, plies: int | None = None) -> tuple[object, ...]:
    """What tells one position of a match, as a seat sees it, from all others."""
    words = match.words()[:plies]
    return (match.game.spec, match.start, match.seat if match.secrets else None, *words)


def guided(position: Any) -> dict[str, str]:
    """The options of an engine for puzzles: a heuristic that looks up a pattern database, if one is built."""
    built: list[str] = getattr(position, "built", list)()
    return {"heuristic": built[0]} if built else {}
