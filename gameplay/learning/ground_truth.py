"""Ground truth for learning curves: positions of a game, their values and their best moves, by exact search.

In a small game these are all of its positions, of a larger one some of random games that a solver values. The
error of an evaluation is the share of positions in which the move that it prefers loses value, or the mean
distance of its value from the exact one. Values are results for the first player as learning has them, from
-1 to 1: in games of points whose limits are not known each win counts alike.
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

WHOLE = 6_000  # positions of a game whose positions are all asked for
POSITIONS = 100  # of a larger game
TRIES = 3  # random positions looked at for each of them
HOPELESS = 30  # ... in vain before a game is given up
NODES = 20_000  # of the search that values a move
TOTAL = 4_000_000  # ... of all searches, about


@dataclass(frozen=True)
class SolvedPosition:
    """A position, as the moves that lead to it, its best moves and its value; there are other moves."""

    moves: tuple[int, ...]
    best: frozenset[int]
    value: float  # for the first player, from -1 to 1


@dataclass(frozen=True)
class GroundTruth:
    """The positions; `whole`: all in which a move can be wrong."""

    positions: tuple[SolvedPosition, ...]
    whole: bool

    def wrong(self, best: Callable[[Sequence[int]], int]) -> int:
        """In how many positions a player is wrong who plays `best(moves)` after these moves."""
        return sum(best(solved.moves) not in solved.best for solved in self.positions)

    def error(self, value: Callable[[Sequence[int]], float]) -> float:
        """The mean distance of `value(moves)`, the value after these moves, from the exact one."""
        distances = [abs(value(solved.moves) - solved.value) for solved in self.positions]
        return sum(distances) / len(distances)

    def stored(self) -> dict[str, Any]:
        """For a file."""
        rows = [[list(one.moves), sorted(one.best), one.value] for one in self.positions]
        return {"whole": self.whole, "positions": rows}

    @classmethod
    def restored(cls, data: dict[str, Any], game: "Game") -> "GroundTruth":
        """From a file of what `stored` returned, of the same game.

        Raises KeyError, TypeError, ValueError or IllegalMove for anything else: no illegal move gets further.
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
    """The positions that an evaluation is measured on; None for a game with chance, or one too hard to solve.

    Values of a win count by their sign: a slow win is as good as a fast one. `step` is called before each
    search, and may raise what ends all.
    """
    first = game.new()
    if first.chance:
        return None
    every = _every(game)
    if every is not None:
        return GroundTruth(tuple(every), whole=True)
    positions = _sampled(game, random.Random(f"truth {seed}"), step)
    return GroundTruth(tuple(positions), whole=False) if positions else None


def _sampled(game: "Game", rng: random.Random, step: Callable[[], object]) -> list[SolvedPosition]:
    """Positions of random games that a solver values."""
    engine, _ = registry.engine("perfect")
    positions: dict[Hashable, SolvedPosition] = {}
    nodes = 0
    for number in range(POSITIONS * TRIES):
        if len(positions) == POSITIONS or nodes > TOTAL or (number == HOPELESS and not positions):
            break
        moves = rng.choice(_lines(game, rng))
        position = game.new()
        for move in moves:
            position.make(move)
        values: dict[int, float] = {}
        legal, mover = list(position.moves()), position.turn
        for move in legal:
            step()
            position.make(move)
            value, searched = _searched(position, mover, engine)
            position.unmake()
            nodes += searched
            if value is None:
                break
            values[move] = value
        solved = _solved(moves, values, mover) if len(values) == len(legal) else None
        if solved is not None:
            positions[position.key()] = solved
    return list(positions.values())


def _lines(game: "Game", rng: random.Random) -> list[tuple[int, ...]]:
    """The moves that lead to each position of a random game."""
    lines: list[tuple[int, ...]] = []
    made: list[int] = []
    position = game.new()
    while position.outcome() is None and len(made) < 400:
        lines.append(tuple(made))
        made.append(rng.choice(list(position.moves())))
        position.make(made[-1])
    return lines


def _searched(position: AbstractPosition, player: int, engine: "Engine") -> tuple[float | None, int]:
    """The value for a player, None if it is too hard; the nodes of the search."""
    if position.outcome() is not None:
        return _rated(position, terminal_value(position, player)), 0
    report = engine.search(position, Limit(nodes=NODES))
    if report.stopped == "interrupted":  # Ctrl-C; a search ends early instead of raising
        raise KeyboardInterrupt
    if not (report.exact or report.stopped == "proven"):
        return None, report.nodes
    return _rated(position, report.value if position.turn == player else -report.value), report.nodes


def _rated(position: AbstractPosition, value: float) -> float:
    """The value as a result, from -1 to 1."""
    return max(-1.0, min(1.0, value / goal_of(position))) if position.scored else float(sign(value))


def _solved(moves: Sequence[int], values: dict[int, float], mover: int) -> SolvedPosition | None:
    """What is asked of a position with these values of its moves for the mover; None: none can be wrong."""
    most = max(values.values())
    best = frozenset(move for move, value in values.items() if value == most)
    if len(best) == len(values):
        return None
    return SolvedPosition(tuple(moves), best, most if mover == 0 else -most)


def _every(game: "Game") -> list[SolvedPosition] | None:
    """All positions of a small game in which a move can be wrong; None if it is larger, or has no end."""
    values: dict[Hashable, float | None] = {}  # for the mover; None: being computed
    positions: list[SolvedPosition] = []
    position = game.new()
    made: list[int] = []

    def value() -> float:
        """The value for the first player. Raises _TooLarge."""
        if position.outcome() is not None:
            return _rated(position, terminal_value(position, 0))
        key = position.key()
        if key in values:
            known = values[key]
            if known is None:
                raise _TooLarge
            return known
        if len(values) == WHOLE or len(made) > 200:
            raise _TooLarge
        values[key] = None
        found: dict[int, float] = {}
        mover = position.turn
        for move in list(position.moves()):
            position.make(move)
            made.append(move)
            found[move] = value()
            made.pop()
            position.unmake()
        own = {move: one if mover == 0 else -one for move, one in found.items()}
        solved = _solved(made, own, mover)
        if solved is not None:
            positions.append(solved)
        best = max(own.values())
        values[key] = result = best if mover == 0 else -best
        return result

    try:
        value()
    except _TooLarge:
        return None
    return positions


class _TooLarge(Exception):
    """The game is not small."""
