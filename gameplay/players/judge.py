"""An engine's evaluation of a position for the user: `hint`, `eval`, the tutor."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import structs

from gameplay import registry
from gameplay.adapter import kernel_of
from gameplay.capabilities import HasPatternDatabases
from gameplay.errors import Usage
from gameplay.players.knowledge import search_knowledge
from gameplay.players.player import MatchView
from gameplay.position import AbstractPosition
from gameplay.search.limit import Limit
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Session

if TYPE_CHECKING:
    from gameplay.search.engine import Engine

SECONDS = 1.0  # per search
SOLVER_TABLE_BITS = 1  # the smallest table, to test whether a game has a solver
PUZZLE_SECONDS = 10.0  # ... of a puzzle, which has no value until it is solved


class Judge:
    """Searches all moves of the match's position to equal depth, with the game's default engine.

    Each position is searched once: a second call returns the same report, or continues the search.
    `limit`: of each search [one second; ten seconds for a puzzle].
    """

    def __init__(self, limit: Limit | None = None) -> None:
        self.limit = limit
        self.session: Session | None = None  # reused: its table is allocated once
        self.engine: Engine | None = None  # of the session
        self.last_key: tuple[object, ...] = ()  # the position that was searched last
        self.last_report: Report | None = None  # ... and its report
        self.watch: Callable[[Report], object] | None = None  # called while it searches; true: stop
        self.solver: Session | None = None  # the game's endgame solver
        self.solver_game = ""  # the game for which `solver` was determined

    def estimated_seconds(self, match: MatchView, plies: int | None = None) -> float:
        """Upper bound in seconds for the first search of the position; 0 if it was searched."""
        if self.last_report is not None and self.last_key == _position_key(match, plies):
            return 0.0
        if match.position.players == 1:
            return PUZZLE_SECONDS
        return SECONDS if self._solver(match) is None else 2 * SECONDS

    def report(self, match: MatchView, deeper: bool = False, plies: int | None = None) -> Report:
        """The report on the position: `candidates` are all legal moves, best first, searched equally deep.

        `plies`: report on the position after so many plies. Values are exact if the game has a solver that
        finds them within a second. Otherwise the first search takes a second, and each call with `deeper`
        one more until the value is proven. Raises Usage if no engine supports the game.
        """
        key = _position_key(match, plies)
        if key != self.last_key:
            self.last_key, self.last_report = key, None
        previous = self.last_report
        if previous is not None and (not deeper or not self._can_continue(previous)):
            return previous
        position = match.replica(plies)
        if previous is None and (solver := self._solver(match)) is not None:
            report = solver.search(position, self._multipv_limit(position), self.watch)
            if report.exact:
                self.last_report = report
                return report
        engine = registry.default_engine(position)
        if not engine.thinks:
            reason = registry.engine_class("mcts").incompatibility(position)
            raise Usage(f"no engine can advise on this game: {reason}")
        configured = engine(**puzzle_options(position))
        if self.session is None or self.engine != configured:
            self.engine, self.session = configured, Session(configured)
        report = self.session.search(
            position, self._multipv_limit(position), self.watch, again=previous is not None
        )
        if previous is not None:
            deeper_report = report if report.depth >= previous.depth else previous
            nodes, seconds = previous.nodes + report.nodes, previous.seconds + report.seconds
            report = deeper_report.with_(nodes=nodes, seconds=seconds)
        self.last_report = report
        return report

    def with_reply(self, match: MatchView, candidate: Candidate, plies: int | None = None) -> Candidate:
        """A candidate with a full line: solvers report a line for the best move only."""
        if len(candidate.pv) > 1 or not candidate.proven or self.solver is None:
            return candidate
        position = match.replica(plies)
        position.make(candidate.move)
        if position.outcome() is not None:
            return candidate
        return structs.replace(
            candidate,
            pv=(candidate.move, *self.solver.search(position, self._time_limit(SECONDS), self.watch).pv),
        )

    def _time_limit(self, seconds: float) -> Limit:
        """The judge's limit, or one of `seconds`."""
        return Limit(seconds=seconds) if self.limit is None else self.limit

    def _multipv_limit(self, position: AbstractPosition) -> Limit:
        """The limit of a search of all moves of a position."""
        if position.players == 1:
            return self._time_limit(PUZZLE_SECONDS)
        return self._time_limit(SECONDS).with_(multipv=len(position.moves()))

    def _solver(self, match: MatchView) -> Session | None:
        """The game's solver, if it has one."""
        if self.solver_game != match.game.spec:
            self.solver_game, self.solver = match.game.spec, None
            kernel = kernel_of(match.replica())
            engine = registry.engine("perfect")[0]
            if (
                not kernel.python
                and not engine.incompatibility(kernel)
                and kernel.solver(SOLVER_TABLE_BITS) is not None
            ):
                self.solver = Session(engine)
                self.solver.knowledge = search_knowledge(engine, {}, match.game)
                self.solver.begin()
        return self.solver

    def _can_continue(self, report: Report) -> bool:
        """True if a longer search can continue this one and improve it."""
        if report.exact or self.engine is None:
            return False
        return report.stopped != "proven" and self.engine.table != "off"


def _position_key(match: MatchView, plies: int | None = None) -> tuple[object, ...]:
    """The key of a match's position as a seat sees it."""
    words = match.words()[:plies]
    return (match.game.spec, match.start, match.seat if match.secrets else None, *words)


def puzzle_options(position: AbstractPosition) -> dict[str, str]:
    """Engine options for a puzzle: the heuristic of a pattern database, if one is built."""
    built = position.built_heuristics() if isinstance(position, HasPatternDatabases) else []
    return {"heuristic": built[0]} if built else {}
