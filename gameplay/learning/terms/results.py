"""Logistic regression: fits weights to predict results from the leaves of positions, in all games so far.

The fixed terms together are one input, whose parameter is the slope; the parameters of the other terms are
weights times slope. A constant input has the edge as its parameter.
"""

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence

from gameplay.learning.terms.games import GameTask, LeafGame, LeafGames, TrainingGame, play_task
from gameplay.learning.terms.learner import TermLearner
from gameplay.learning.terms.logistic import RIDGE, fit
from gameplay.position import AbstractEvaluation


class ResultsRegression(TermLearner):
    """Plays games by the kept weights, or replays recorded ones, and fits weights after each generation."""

    def __init__(
        self,
        games: LeafGames,
        evaluation: AbstractEvaluation,
        rng_state: int,
        positions: int,
        recorded: Sequence[TrainingGame] = (),
    ) -> None:
        """`positions`: number of stored positions. `recorded`: games to learn from instead of self-play."""
        super().__init__(games, evaluation, rng_state)
        self.recorded = recorded
        self.width = len(self.names) + 1
        self.rows = array("i", bytes(4 * self.width * positions))  # counts, and twice the result
        self.positions = positions
        self.learned = array("q", [0])  # games

    def arrays(self) -> list[memoryview]:
        stored = (self.learned, self.rows) if self.rows else (self.learned,)
        return super().arrays() + [memoryview(part) for part in stored]

    def play(self, numbers: Iterable[int]) -> Iterator[int]:
        numbers = list(numbers)
        for number, game in zip(numbers, self.games.each(play_task, map(self._task, numbers)), strict=True):
            self.add(game)
            yield number

    def _task(self, number: int) -> GameTask:
        if not self.recorded:
            return self.games.task(number, self.reference)
        return GameTask(self.games, dict(self.reference.weights), recorded=self.recorded[number])

    def add(self, game: LeafGame) -> None:
        """Store the positions of a game."""
        for leaf in game.leaves:
            if leaf.counts is not None:
                self.rows.extend(leaf.counts)
                self.rows.append(round(2 * game.result))
        self.learned[0] += 1
        self.positions = len(self.rows) // self.width

    def finish(self) -> None:
        """Fit the weights to the positions of all games, if there are any."""
        if not self.positions:
            return
        material = bool(self.fixed)
        inputs, results = self._inputs(material)
        values = [self.kept[i] / self.scale for i in self.free]
        start = [self.slope] * material + [self.slope * value for value in values] + [self.edge[0]]
        result = fit(inputs, results, start, ridge=RIDGE * self.positions / self.learned[0])
        slope = result.parameters[0] if material else self.slope
        self.loss = result.loss
        if slope <= 0:
            return  # too few games to show that material wins
        self.slopes[0], self.edge[0] = slope, result.parameters[-1]
        for i, parameter in zip(self.free, result.parameters[material:], strict=False):
            self.values[i] = parameter / slope

    def _inputs(self, material: bool) -> "tuple[array[float], array[float]]":
        """The inputs of all positions, row by row, and their results."""
        inputs, results, width = array("d"), array("d"), self.width
        fixed = [(i, self.values[i]) for i in self.fixed]
        for at in range(0, len(self.rows), width):
            row = self.rows[at : at + width]
            if material:
                inputs.append(math.fsum([value * row[i] for i, value in fixed]))
            inputs.extend([row[i] for i in self.free])
            inputs.append(1.0)
            results.append(row[-1] / 2)
        return inputs, results
