"""Games of a learner against itself: random openings, searches to a fixed depth, and the result."""

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
    """Play so many random moves, fewer where they would end the game; return them."""
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
    """What the trainers of all methods share."""

    game: "Game"
    evaluation: AbstractEvaluation  # linear
    engine: "Engine"  # a small table suffices, and is cleared for each search
    seed: int
    depth: int  # plies of a search
    plies: int  # of a game that has a material term, at most
    opening: int  # random moves before a game

    def _begin(self, number: int) -> tuple[int, AbstractPosition, list[int]]:
        """The seat of Alpha in a game, the position after its random moves, and these moves."""
        position = self.game.new()
        return number % 2, position, self._open(position, number)

    def _open(self, position: AbstractPosition, number: int) -> list[int]:
        """Play the random moves of a game's opening, which is played twice, once from each side."""
        return random_opening(position, self.opening, random.Random(f"{self.seed}/{number // 2}"))

    def _continues(self, position: AbstractPosition, moves: list[int]) -> bool:
        """True until the game is over or, in a game with a material term, cut off."""
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
