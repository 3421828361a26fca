"""Self-play games of linear evaluations: random openings, searches to a fixed depth, the result."""

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gameplay.position import AbstractEvaluation, AbstractPosition
from gameplay.search.limit import Limit
from gameplay.search.report import Report

if TYPE_CHECKING:
    from gameplay.registry import Game
    from gameplay.search.engine import Engine


def sign(number: float) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)


def random_opening(position: AbstractPosition, plies: int, rng: random.Random) -> list[int]:
    """Play and return `plies` random moves, fewer if one would end the game."""
    moves: list[int] = []
    while len(moves) < plies and position.outcome() is None:
        moves.append(rng.choice(list(position.moves())))
        position.make(moves[-1])
        if position.outcome() is not None:
            position.unmake()
            return moves[:-1]
    return moves


@dataclass(eq=False)
class SelfPlay:
    """The settings and searches that trainers of linear evaluations share."""

    game: "Game"
    evaluation: AbstractEvaluation  # linear
    engine: "Engine"  # a small table suffices, and is cleared for each search
    seed: int
    depth: int  # plies of a search
    plies: int  # of a game that has a material term, at most
    opening: int  # random moves before a game

    def _begin(self, number: int) -> tuple[int, AbstractPosition, list[int]]:
        """Start a game; return Alpha's seat, the position after the opening, and its moves."""
        position = self.game.new()
        return number % 2, position, self._open(position, number)

    def _open(self, position: AbstractPosition, number: int) -> list[int]:
        """Play the opening of a game, which two games share, with Alpha in either seat."""
        return random_opening(position, self.opening, random.Random(f"{self.seed}/{number // 2}"))

    def _continues(self, position: AbstractPosition, moves: list[int]) -> bool:
        """False at the end of the game, or after `plies` plies if material can decide it."""
        return position.outcome() is None and (not self.evaluation.fixed or len(moves) < self.plies)

    def _search(self, position: AbstractPosition, evaluation: AbstractEvaluation, depth: int = 0) -> Report:
        position.evaluation = evaluation
        report = self.engine.search(position, Limit(depth=depth or self.depth))
        if report.stopped == "interrupted":  # Ctrl-C; a search ends early instead of raising
            raise KeyboardInterrupt
        return report

    def _result(self, position: AbstractPosition, seat: int) -> int:
        payoffs = position.outcome()
        if payoffs is not None:
            return sign(payoffs[seat] - payoffs[1 - seat])
        ahead = sign(self._material(self.evaluation.counts(position)))
        return ahead if position.turn == seat else -ahead

    def _material(self, counts: dict[str, int]) -> int:
        return sum(self.evaluation.weights[name] * counts[name] for name in self.evaluation.fixed)
