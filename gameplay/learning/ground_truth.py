"""Ground truth for learning curves: positions with their exact values and best moves.

These are all positions of a small game, or positions from random games of a larger one, solved by search.
The error of an evaluation is the share of positions in which its best move loses value, or the mean absolute
error of its value. Values are results for the first player, from -1 to 1; all wins count alike unless the
game is scored and its limits are known.
"""

import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gameplay import registry
from gameplay.learning.self_play import sign
from gameplay.ntuples.learned import goal_of
from gameplay.position import AbstractPosition
from gameplay.search.limit import Limit
from gameplay.value import terminal_value

if TYPE_CHECKING:
    from gameplay.registry import Game
    from gameplay.search.engine import Engine

MAX_STATES = 6_000  # positions of a game that is enumerated
POSITIONS = 100  # sampled from a larger game
TRIES = 3  # random positions searched for each sample
MAX_FAILURES = 30  # unsolved positions before giving up, if none was solved
NODES = 20_000  # per search
TOTAL_NODES = 4_000_000  # of all searches, approximately


@dataclass(frozen=True)
class SolvedPosition:
    """A position given by its moves from the start, with its best moves and its value.

    At least one legal move is not a best one.
    """

    moves: tuple[int, ...]
    best: frozenset[int]
    value: float  # for the first player, from -1 to 1


@dataclass(frozen=True)
class GroundTruth:
    """Solved positions. `whole`: all positions of the game in which a move can be wrong."""

    positions: tuple[SolvedPosition, ...]
    whole: bool

    def wrong(self, best: Callable[[Sequence[int]], int]) -> int:
        """Count the positions in which the move `best(moves)` is not a best move."""
        return sum(best(solved.moves) not in solved.best for solved in self.positions)

    def error(self, value: Callable[[Sequence[int]], float]) -> float:
        """The mean absolute error of `value(moves)`, the predicted value after these moves."""
        distances = [abs(value(solved.moves) - solved.value) for solved in self.positions]
        return sum(distances) / len(distances)

    def stored(self) -> dict[str, Any]:
        """The data to store as JSON."""
        rows = [[list(solved.moves), sorted(solved.best), solved.value] for solved in self.positions]
        return {"whole": self.whole, "positions": rows}

    @classmethod
    def restore(cls, data: dict[str, Any], game: "Game") -> "GroundTruth":
        """Restore the result of `stored`, checking that all moves are legal.

        Raises KeyError, TypeError, ValueError or IllegalMove for invalid data.
        """
        rows = []
        if game.new().chance:
            raise ValueError("a game with chance has no ground truth")
        for moves, best, value in data["positions"]:
            position = game.new()
            for move in moves:
                position.make(move)
            if not best or not {*best} <= {*position.moves()}:
                raise ValueError("a best move is not legal")
            if type(value) not in (int, float) or not -1 <= value <= 1:
                raise ValueError("a value is out of range")
            rows.append(SolvedPosition(tuple(moves), frozenset(best), value))
        return cls(tuple(rows), bool(data["whole"]))


def ground_truth(game: "Game", seed: int, step: Callable[[], object] = lambda: None) -> GroundTruth | None:
    """Solve the positions that an evaluation is measured on; None for games with chance or too hard to solve.

    A slow win is as good as a fast one. `step` is called before each search and may raise to stop.
    """
    first = game.new()
    if first.chance:
        return None
    enumerated = _solve_all(game)
    if enumerated is not None:
        return GroundTruth(tuple(enumerated), whole=True)
    positions = _sample_positions(game, random.Random(f"truth {seed}"), step)
    return GroundTruth(tuple(positions), whole=False) if positions else None


def _sample_positions(game: "Game", rng: random.Random, step: Callable[[], object]) -> list[SolvedPosition]:
    """Solve positions of random games."""
    engine, _ = registry.engine("perfect")
    positions: dict[Hashable, SolvedPosition] = {}
    nodes = 0
    for number in range(POSITIONS * TRIES):
        if len(positions) == POSITIONS or nodes > TOTAL_NODES or (number == MAX_FAILURES and not positions):
            break
        moves = rng.choice(_random_lines(game, rng))
        position = game.new()
        for move in moves:
            position.make(move)
        values: dict[int, float] = {}
        legal, mover = list(position.moves()), position.turn
        for move in legal:
            step()
            position.make(move)
            value, searched = _search(position, mover, engine)
            position.unmake()
            nodes += searched
            if value is None:
                break
            values[move] = value
        solved = _solved_position(moves, values, mover) if len(values) == len(legal) else None
        if solved is not None:
            positions[position.key()] = solved
    return list(positions.values())


def _random_lines(game: "Game", rng: random.Random) -> list[tuple[int, ...]]:
    """The moves from the start to each position of a random game."""
    lines: list[tuple[int, ...]] = []
    made: list[int] = []
    position = game.new()
    while position.outcome() is None and len(made) < 400:
        lines.append(tuple(made))
        made.append(rng.choice(list(position.moves())))
        position.make(made[-1])
    return lines


def _search(position: AbstractPosition, player: int, engine: "Engine") -> tuple[float | None, int]:
    """Return the exact value for a player, None if not solved within NODES, and the nodes searched."""
    if position.outcome() is not None:
        return _normalize(position, terminal_value(position, player)), 0
    report = engine.search(position, Limit(nodes=NODES))
    if report.stopped == "interrupted":  # Ctrl-C; a search ends early instead of raising
        raise KeyboardInterrupt
    if not (report.exact or report.stopped == "proven"):
        return None, report.nodes
    return _normalize(position, report.value if position.turn == player else -report.value), report.nodes


def _normalize(position: AbstractPosition, value: float) -> float:
    """Convert a value to a result, from -1 to 1."""
    return max(-1.0, min(1.0, value / goal_of(position))) if position.scored else float(sign(value))


def _solved_position(moves: Sequence[int], values: dict[int, float], mover: int) -> SolvedPosition | None:
    """The position whose moves have these values for the mover; None if all moves are equally good."""
    best_value = max(values.values())
    best = frozenset(move for move, value in values.items() if value == best_value)
    if len(best) == len(values):
        return None
    return SolvedPosition(tuple(moves), best, best_value if mover == 0 else -best_value)


def _solve_all(game: "Game") -> list[SolvedPosition] | None:
    """All positions of a small game in which a move can be wrong; None for a larger or cyclic game."""
    values: dict[Hashable, float | None] = {}  # for the first player; None: being computed
    positions: list[SolvedPosition] = []
    position = game.new()
    made: list[int] = []

    def value() -> float:
        """The value for the first player. Raises _TooLarge."""
        if position.outcome() is not None:
            return _normalize(position, terminal_value(position, 0))
        key = position.key()
        if key in values:
            cached = values[key]
            if cached is None:
                raise _TooLarge
            return cached
        if len(values) == MAX_STATES or len(made) > 200:
            raise _TooLarge
        values[key] = None
        move_values: dict[int, float] = {}  # for the mover
        mover = position.turn
        for move in list(position.moves()):
            position.make(move)
            made.append(move)
            move_values[move] = value() if mover == 0 else -value()
            made.pop()
            position.unmake()
        solved = _solved_position(made, move_values, mover)
        if solved is not None:
            positions.append(solved)
        best = max(move_values.values())
        values[key] = result = best if mover == 0 else -best
        return result

    try:
        value()
    except _TooLarge:
        return None
    return positions


class _TooLarge(Exception):
    """The game has more than MAX_STATES positions, or a cycle."""
