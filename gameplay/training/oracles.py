"""Oracles that value every move of an endgame position exactly: endgame tables, solvers, bear-off tables.

Values are from the mover's view, on the scale of `gameplay.value`; in games of chance the expected payoff of
the mover as a float, in the game's `unit`.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from gameplay import registry
from gameplay.capabilities import HasSolver
from gameplay.knowledge.bearoff import Bearoff
from gameplay.knowledge.tables.tables import Tables, rank_moves
from gameplay.position import AbstractPosition
from gameplay.registry import Game
from gameplay.search.limit import Limit
from gameplay.search.session import Session
from gameplay.search.solver import Solver
from gameplay.value import WIN

Values = Mapping[int, float]  # by legal move


class MoveOracle(Protocol):
    """Exact values of moves, in the positions that it covers.

    `tries`: random positions of an ending to try for one of a level.
    """

    tries: int

    def values(self, position: AbstractPosition, nodes: int = 0) -> Values:
        """The exact value of each legal move; empty if unknown.

        `nodes`: limit of a search; 0: none.
        """
        ...


class TableOracle:
    """Endgame tables in a folder. Raises BadInput if there are none, or a file is damaged."""

    tries = 1500

    def __init__(self, game: Game, folder: Path) -> None:
        self.tables = Tables(str(folder), game)

    def values(self, position: AbstractPosition, nodes: int = 0) -> Values:
        """Wins and losses with their distances, by a probe after each move."""
        values = {}
        for move, (result, length) in rank_moves(self.tables, position):
            distance = WIN - 1 - abs(length)  # a loss ranks by its plies, a win by their negative
            values[move] = (-distance, 0, distance)[result]
        return values


class SolverOracle:
    """The engine `perfect`, with the game's solver if it has one."""

    tries = 150

    def __init__(self, game: Game, folder: Path) -> None:
        engine, _ = registry.engine("perfect:table=32MB")
        self.session = Session(engine)
        self.session.begin()

    def values(self, position: AbstractPosition, nodes: int = 0) -> Values:
        """Each move solved to the end of the game."""
        count = len(position.moves()) if position.outcome() is None else 0
        if not count:
            return {}
        report = self.session.search(position, Limit(nodes=nodes or None, multipv=count, seconds=FOREVER))
        if report.stopped == "interrupted":
            raise KeyboardInterrupt
        if not report.exact or len(report.candidates) < count:
            return {}
        return {candidate.move: candidate.value for candidate in report.candidates}


class GameSolverOracle:
    """The game's solver, `gameplay.search.solver.Solver`, for scored games."""

    tries = 150

    def __init__(self, game: Game, folder: Path) -> None:
        position = game.new()
        assert isinstance(position, HasSolver)
        self.solver: Solver = position.solver(SIZE)

    def values(self, position: AbstractPosition, nodes: int = 0) -> Values:
        """Each move solved to the end of the game, within `nodes`, by default SOLVER_NODES, in all."""
        values = {}
        self.solver.node_limit = self.solver.nodes + (nodes or SOLVER_NODES)
        for move in position.moves() if position.outcome() is None else ():
            mover = position.turn
            position.make(move)
            payoffs = position.outcome()
            value = self.solver.value(position) if payoffs is None else payoffs[mover] * position.unit
            same = payoffs is not None or position.turn == mover
            position.unmake()
            if value is None:
                return {}
            values[move] = value if same else -value
        return values


class BearoffOracle:
    """Bear-off tables of both sides in a folder. Raises BadInput if there are none."""

    tries = 1500

    def __init__(self, game: Game, folder: Path) -> None:
        self.tables = Bearoff(str(folder), game)

    def values(self, position: AbstractPosition, nodes: int = 0) -> Values:
        """The equity after each turn: gammons are no longer possible, so a game counts one point."""
        chances = self.tables.move_win_probabilities(position)
        return {move: (2 * chance - 1) * position.unit for move, chance in chances.items()}


SIZE = 18  # the logarithm of the entries of a game solver's table
SOLVER_NODES = 200_000  # nodes of a game solver for the moves of a position: 0.4 s in Go
FOREVER = 10.0**9  # seconds: without any limit an engine sets a default one
ORACLES: Mapping[str, Callable[[Game, Path], MoveOracle]] = {
    "tables": TableOracle,
    "solver": SolverOracle,
    "game solver": GameSolverOracle,
    "bearoff": BearoffOracle,
}
