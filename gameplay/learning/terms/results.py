"""Logistic regression on results: the weights that best predict them from the leaves of positions.

The games of all generations so far count. Fixed terms together are one input, whose parameter is the slope;
the others are weights times slope. One more input is 1 in all positions: its parameter is the edge.
"""

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence

from gameplay.learning.terms.games import GameTask, GivenGame, LeafGame, LeafGames, played
from gameplay.learning.terms.learner import TermLearner
from gameplay.learning.terms.logistic import RIDGE, fit
from gameplay.position import AbstractEvaluation


class ResultsRegression(TermLearner):
    """Plays games by the weights that were kept, or takes given ones, and fits weights after a generation."""

    def __init__(
        self,
        games: LeafGames,
        evaluation: AbstractEvaluation,
        rng_state: int,
        positions: int,
        given: Sequence[GivenGame] = (),
    ) -> None:
        """`positions`: how many are stored. `given`: games to learn from in place of its own."""
        super().__init__(games, evaluation, rng_state)
        self.given = given
        self.width = len(self.names) + 1
        self.rows = array("i", bytes(4 * self.width * positions))  # counts, and twice the result
        self.positions = positions
        self.learned = array("q", [0])  # games

    def arrays(self) -> list[memoryview]:
        stored = (self.learned, self.rows) if self.rows else (self.learned,)
        return super().arrays() + [memoryview(one) for one in stored]

    def play(self, numbers: Iterable[int]) -> Iterator[int]:
        numbers = list(numbers)
        for number, game in zip(numbers, self.games.each(played, map(self._task, numbers)), strict=True):
            self.add(game)
            yield number

    def _task(self, number: int) -> GameTask:
        if not self.given:
            return self.games.task(number, self.reference)
        return GameTask(self.games, dict(self.reference.weights), given=self.given[number])

    def add(self, game: LeafGame) -> None:
        """Take the positions of a game."""
        for leaf in game.leaves:
            if leaf.counts is not None:
                self.rows.extend(leaf.counts)
                self.rows.append(round(2 * game.result))
        self.learned[0] += 1
        self.positions = len(self.rows) // self.width

    def finish(self) -> None:
        """Fit the weights to the positions of all games. Without any they stay."""
        if not self.positions:
            return
        material = bool(self.fixed)
        inputs, results = self._inputs(material)
        values = [self.kept[i] / self.scale for i in self.free]
        start = [self.slope] * material + [self.slope * value for value in values] + [self.edge[0]]
        found = fit(inputs, results, start, ridge=RIDGE * self.positions / self.learned[0])
        slope = found.parameters[0] if material else self.slope
        self.loss = found.loss
        if slope <= 0:
            return  # games too few to show that material wins
        self.slopes[0], self.edge[0] = slope, found.parameters[-1]
        for i, parameter in zip(self.free, found.parameters[material:], strict=False):
            self.values[i] = parameter / slope

    def _inputs(self, material: bool) -> "tuple[array[float], array[float]]":
        """The inputs of all positions one after the other, and their results."""
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
