"""Double-dummy values of moves, for reviews of games that have such a solver.

The solver uses information that no player had: a move it calls a mistake may have been right given the
player's information.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gameplay.errors import Usage
from gameplay.search.engine import Engine, GeneralEngine
from gameplay.search.limit import Limit
from gameplay.search.plain import PlainSearch
from gameplay.search.report import Candidate, Report
from gameplay.search.session import Search, SearchSetup

if TYPE_CHECKING:
    from gameplay.capabilities import DealSolver
    from gameplay.position import AbstractPosition
    from gameplay.search.control import Control


@dataclass
class Hindsight(GeneralEngine):
    """Values every move by the game's double-dummy solver; other moves have unknown values."""

    name = "hindsight"
    players = range(2, 1000)

    def __post_init__(self) -> None:
        Engine.__post_init__(self)
        self.solver: DealSolver[AbstractPosition] | None = None

    def __str__(self) -> str:
        return "the solver of open cards"

    def words(self, move: int) -> str:
        """The result of a move in the position searched last."""
        assert self.solver is not None
        return self.solver.words(move)

    def searches(self, setup: SearchSetup) -> list[Search]:
        """The search by the solver."""
        if setup.trace is not None:
            raise Usage("the double-dummy solver cannot be traced")
        self.solver = setup.position.dealt_solver(setup.control)
        return [HindsightSearch(setup.position, setup.limit, setup.control, self.solver)]


class HindsightSearch(PlainSearch):
    """Values all moves with the solver."""

    def __init__(
        self,
        position: "AbstractPosition",
        limit: Limit,
        control: "Control",
        solver: "DealSolver[AbstractPosition] | None",
    ) -> None:
        super().__init__(position, limit, control)
        self.solver = solver
        unknown = Candidate(self.moves[0], bound="unknown", pv=(self.moves[0],))
        self.latest = Report(move=unknown.move, bound="unknown", candidates=(unknown,))

    def run(self, depth: int) -> None:
        """Run the solver; no values if it is stopped."""
        values = self.solver.values(self.position, self.node_limit) if self.solver is not None else None
        self.nodes = self.solver.nodes if self.solver is not None else 0
        if values is None:
            self.control.halt("nodes")
            return
        candidates = [Candidate(move, round(values[move]), pv=(move,), proven=True) for move in self.moves]
        candidates.sort(key=lambda candidate: -candidate.value)
        best = candidates[0]
        self.latest = Report(
            move=best.move,
            value=best.value,
            candidates=tuple(candidates[: self.multipv]),
            nodes=self.nodes,
            pv=best.pv,
            exact=True,
        )
        self.control.halt("proven")
