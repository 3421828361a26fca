"""Perfect play with adjustable strength: the exact value of every move, and a choice among them.

Theorem: a search that was not stopped has the value of the game, and each candidate its own.

1. Probe tables and books for exact values of the position and of its successors. Otherwise solve it: by the
   game's own solver, as in Connect Four, or by iterative deepening until every line reaches the end of the
   game (`search.solver`).
2. If more than the best move is needed, solve each move, one after the other.
3. Among equally good moves play the first one, or a random one; the option `aim` defines which are good.
4. Until a position is solved, report the result of iterative deepening. A game's own solver has no result
   before it is done: if it is stopped, a short search by iterative deepening chooses the move.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING, Any

from msgspec import structs

from gameplay.adapter import PositionKernel
from gameplay.engines.iterative import Iterative
from gameplay.errors import Usage
from gameplay.kernel import Kernel
from gameplay.options import Whole
from gameplay.position import AbstractPosition
from gameplay.search.control import Control
from gameplay.search.engine import Engine
from gameplay.search.limit import Limit, restrict_moves
from gameplay.search.options import needed_table_option, option, seed_option
from gameplay.search.probe import Probe
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Search, SearchMemory, SearchSetup, Session, Trace
from gameplay.search.solver import Solver, TreeSolver
from gameplay.value import INF, MAX_PLY, WIN, delay, format_value, is_counted, is_win

if TYPE_CHECKING:
    from gameplay.knowledge.knowledge import Knowledge

ALIASES = ("solve", "solver")
FALLBACK_NODES = 1000  # nodes of the short search

AIMS = {
    "win": "the best move: the soonest win, the longest resistance",
    "lose": "the worst move, as in misère play",
    "hold": "the smallest win that keeps the result, as late as possible; no move loses it",
    "level": "the move whose value is nearest to a draw: mistakes of the opponent are returned",
}


class SolverMemory:
    """The solver shared by the searches of a game, created with the first of them."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.cached_solver: Solver | None = None

    def new_search(self, keep: bool, /) -> None:
        """Prepare for another search; without `keep`, of another game: drop the solver."""
        if not keep:
            self.cached_solver = None

    def make_resident(self) -> None:
        """Nothing to do: the solver is created by the first search."""

    def solver(self, kernel: Kernel) -> Solver:
        """The solver for the game of a position; the game's own where it has one."""
        if self.cached_solver is None:
            own = None if kernel.python else kernel.solver(self.bits + 1)
            self.cached_solver = own or TreeSolver(tree_engine(self.bits))
        assert self.cached_solver is not None
        return self.cached_solver


def tree_engine(bits: int) -> Iterative:
    """The engine that solves games without a solver, with a table of 2**bits pairs."""
    return Iterative(table=f"{16 << bits >> 10}KB")


class PerfectSearch:
    """Solves one position; see `session.Search`."""

    def __init__(
        self,
        engine: "Perfect",
        kernel: Kernel,
        control: Control,
        solver: Solver,
        knowledge: "Sequence[Knowledge]" = (),
    ) -> None:
        self.engine = engine
        self.knowledge = knowledge
        self.kernel = kernel
        self.position: AbstractPosition = kernel.position if isinstance(kernel, PositionKernel) else kernel
        self.control = control
        self.solver = solver
        self.start_nodes = solver.nodes
        self.fallback_nodes = 0  # nodes of the short search
        self.sources: set[str] = set()  # of the values: book, tables, solver
        self.moves: list[int] = list(self.position.moves())
        self.values: dict[int, int] = {}  # exact ones, by move
        self.estimate: Report | None = None  # before the first exact value
        self.lines: dict[int, tuple[int, ...]] = {}
        self.chosen: int | None = None
        self.node_limit = 0
        self.multipv = 1
        self.deepens = False
        self.helper = 0
        self.helpers: list[Search] = []
        self.shared = False
        self.probe: Probe | None = None

    @property
    def nodes(self) -> int:
        """Positions visited."""
        return int(self.solver.nodes - self.start_nodes) + self.fallback_nodes

    def restrict_moves(self, moves: tuple[int, ...]) -> None:
        """Search only these moves."""
        self.moves = restrict_moves(self.moves, moves)

    def set_trace(self, trace: Trace | None) -> None:
        """Not supported: there are no steps to trace."""
        if trace is not None:
            raise Usage(f"{self.engine.name} cannot be traced: trace the engine that searches, iterative")

    def check(self) -> None:
        """Nothing to do: exceptions are not deferred."""

    def run(self, depth: int) -> None:
        """Solve the position and choose a move; with a depth limit always by iterative deepening."""
        if depth < MAX_PLY and not isinstance(self.solver, TreeSolver):
            self.solver, self.start_nodes = TreeSolver(tree_engine(self.engine.table_bits)), 0
        if isinstance(self.solver, TreeSolver):
            self.solver.depth = depth
        own = not isinstance(self.solver, TreeSolver)
        node_limit = self.node_limit - min(FALLBACK_NODES, self.node_limit // 4) if own else self.node_limit
        self.solver.control = self.control
        self.solver.node_limit = self.start_nodes + node_limit if node_limit else 0
        try:
            if self._solve_every_move() if self._needs_every_move() else self._solve_position():
                self.chosen = self.engine.choice(self.position, self.values)
                self.lines = {self.chosen: self._perfect_line(self.chosen)}
                self.control.reason = self.control.reason or "solved"
                return
            if not self.control.stop:
                self.control.reason = (self.estimate and self.estimate.stopped) or "nodes"
            if own and not self.values and len(self.moves) > 1:
                self._search_briefly()
        finally:
            self.solver.control, self.solver.node_limit = None, 0

    def report(self) -> Report:
        """The result so far: exact values, or an estimate before the first of them."""
        solved = tuple(
            Candidate(move, value, pv=self.lines.get(move, (move,)), proven=True)
            for move, value in sorted(self.values.items(), key=lambda item: -item[1])
        )
        nodes, tried = self.nodes, len(self.values)
        counts: dict[str, Any] = {
            "nodes": nodes,
            "source": next(iter(self.sources)) if len(self.sources) == 1 else "solver",
            "tried": tried,
            "choices": len(self.moves),
        }
        if self.chosen is not None:
            first = next(candidate for candidate in solved if candidate.move == self.chosen)
            rest = [candidate for candidate in solved if candidate is not first]
            shown = (first, *rest)[: max(1, self.multipv)]
            exact: dict[str, Any] = {"exact": True, "value": first.value, "pv": first.pv}
            if counts["source"] == "book":
                exact["facts"] = format_value(first.value, True, self.position.unit)
            return Report(move=first.move, candidates=shown, seldepth=len(first.pv), **exact, **counts)
        if self.estimate is not None and not solved:
            return self.estimate.with_(**counts | {"source": "search"})
        move = solved[0].move if solved else self.moves[0]
        value = solved[0].value if solved else 0
        candidates = solved or (Candidate(move, bound="unknown", pv=(move,)),)
        bound = "lower" if solved else "unknown"
        return Report(
            move=move, value=value, bound=bound, candidates=candidates, pv=(move,), ahead=1, **counts
        )

    # -- inside ------------------------------------------------------------------------------------

    def _needs_every_move(self) -> bool:
        return (
            self.multipv > 1 or self.engine.needs_every_value or len(self.moves) < len(self.position.moves())
        )

    def _solve_every_move(self) -> bool:
        """Find the value of each move. False if it was stopped."""
        whole = len(self.moves) == len(self.position.moves()) and self._known_value() is None
        if whole and isinstance(self.solver, TreeSolver) and not _proven(self._deepen(self.solver)):
            return False  # its moves cannot be solved either; the report has an estimate
        for move in list(self.moves):
            value = self._move_value(move)
            if value is None:
                return False
            self.values[move] = value
        return True

    def _known_value(self) -> int | None:
        """The exact value of the position, if it is known without a search."""
        for source in self.knowledge:
            advice = source.probe(self.position)
            if advice is not None and advice.settled:
                self.sources.add(advice.source)
                return advice.value
        return None

    def _solve_position(self) -> bool:
        """Find the value of the position and a move that keeps it. False if it was stopped."""
        best = self._known_value()
        if best is None and isinstance(self.solver, TreeSolver):
            self.sources.add("solver")
            report = self._deepen(self.solver)
            if not _proven(report):
                return False
            assert report.move is not None
            self.values[report.move] = int(report.value)
            return True
        if best is None:
            self.sources.add("solver")
            best = self.solver.value(self.position)
        if best is None:
            return False
        least = best if is_counted(best) or not is_win(best) else 1 if best > 0 else -INF
        for move in self.moves:
            value = self._move_value(move, least)
            if value is None:
                return False
            if value >= least:
                self.values[move] = best
                return True
        raise AssertionError("no move has the value of the position")

    def _deepen(self, solver: TreeSolver) -> Report:
        """The report of iterative deepening, kept as an estimate while it runs."""
        solver.callback = lambda report: setattr(self, "estimate", report)
        try:
            self.estimate = solver.report(self.position)
        finally:
            solver.callback = None
        return self.estimate

    def _search_briefly(self) -> None:
        """A short search, for a better first move than an arbitrary one."""
        nodes = (
            max(1, min(FALLBACK_NODES, self.node_limit - self.nodes)) if self.node_limit else FALLBACK_NODES
        )
        session = Session(tree_engine(10))  # 16 KB suffice
        self.estimate = session.search(self.position, Limit(nodes=nodes, moves=tuple(self.moves)))
        self.fallback_nodes = self.estimate.nodes

    def _move_value(self, move: int, wanted: int | None = None) -> int | None:
        """The value of a move for the mover, or a bound that compares it with `wanted`; None if stopped."""
        position, mover = self.position, self.position.turn
        position.make(move)
        try:
            payoffs = position.outcome()
            if payoffs is not None:
                if position.scored:
                    points: int = round(payoffs[mover] * int(position.unit))
                    return points
                return (WIN - 1) * int((payoffs[mover] > 0) - (payoffs[mover] < 0))
            same = position.turn == mover
            value = self._known_value()
            if value is None:
                low, high = -INF, INF
                if wanted is not None and wanted > -INF:
                    sooner = delay(wanted, -1)
                    low, high = (sooner - 1, sooner) if same else (-sooner, 1 - sooner)
                self.sources.add("solver")
                value = self.solver.value(position, low, high)
            if value is None:
                return None
            return delay(value if same else -value)
        finally:
            position.unmake()

    def _perfect_line(self, move: int) -> tuple[int, ...]:
        """The line of perfect play after a move, as far as it is known."""
        line = [move]
        position = self.position
        ends_soon = isinstance(self.solver, TreeSolver) or is_counted(self.values[move])
        longest = MAX_LINE if ends_soon else MAX_UNCOUNTED_LINE
        try:
            position.make(move)
            while position.outcome() is None and len(line) < longest:
                inner = PerfectSearch(
                    self.engine.plain(), self.kernel, self.control, self.solver, self.knowledge
                )
                if not inner._solve_position():
                    break
                (move,) = inner.values
                line.append(move)
                position.make(move)
        finally:
            for _ in line:
                position.unmake()
        return tuple(line)


MAX_LINE = 200  # plies of a line
MAX_UNCOUNTED_LINE = 16  # ... where the solver does not know how long the game goes on


@dataclass
class Perfect(Engine):
    """Solves the position and plays perfectly; `level` sets a lower strength."""

    name = "perfect"
    anytime = True
    keeps = True
    probes_root = True
    priority = 1

    skill: int = option(
        100, "Percentage of moves chosen by the solver; the others are random", kind=Whole(0, 100)
    )
    aim: str = option("win", "What a chosen move is", values=AIMS)
    equal: str = option(
        "first",
        "The choice among equally good moves",
        values={"first": "the first in the game's order", "random": "a random one, by the seed"},
    )
    table: str = needed_table_option("128MB", "the solver's transposition table (TT)")
    seed: int = seed_option("random moves", "move")

    @property
    def draws(self) -> bool:
        """True if the seed matters."""
        return self.skill < 100 or self.equal == "random"

    @property
    def needs_every_value(self) -> bool:
        """True if the value of every move is needed."""
        return self.aim != "win" or self.draws

    def new_table(self, bits: int) -> SolverMemory:
        return SolverMemory(bits)

    def searches(self, setup: SearchSetup) -> list[Search]:
        """The search, which probes the sources of knowledge itself."""
        (search,) = super().searches(structs.replace(setup, knowledge=()))
        assert isinstance(search, PerfectSearch)
        search.knowledge = setup.knowledge
        if isinstance(search.solver, TreeSolver):
            search.solver.session.knowledge = setup.knowledge
        return [search]

    def open(self, kernel: Kernel, control: Control, table: SearchMemory | None) -> PerfectSearch:
        assert isinstance(table, SolverMemory)
        return PerfectSearch(self, kernel, control, table.solver(kernel))

    def plain(self) -> "Perfect":
        """An engine with the same table that plays the best move."""
        return Perfect(table=self.table)

    def choice(self, position: AbstractPosition, values: dict[int, int]) -> int:
        """The move to play, among those with known values."""
        words = f"{self.seed}:{position.infoset(position.turn)!r}"
        rng = Random(int.from_bytes(blake2b(words.encode(), digest_size=8).digest(), "little"))
        if self.skill < 100 and rng.random() * 100 >= self.skill:
            return rng.choice(sorted(values))
        preference = PREFERENCES[self.aim]
        best = max(preference(value, values.values()) for value in values.values())
        equal = [move for move, value in values.items() if preference(value, values.values()) == best]
        return rng.choice(equal) if self.equal == "random" else equal[0]


def _proven(report: Report) -> bool:
    return report.exact or report.stopped == "proven"


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _hold_preference(value: int, all_values: Collection[int]) -> tuple[bool, int]:
    """Rank moves that keep the result first, the smallest value before others; if all lose, the best."""
    best = max(all_values)
    if _sign(best) < 0:
        return True, value
    return _sign(value) == _sign(best), -value


PREFERENCES: dict[str, Callable[[int, Collection[int]], tuple[bool, int] | int]] = {
    "win": lambda value, _: value,
    "lose": lambda value, _: -value,
    "hold": _hold_preference,
    "level": lambda value, _: -abs(value),
}
