"""What learns the weights of named terms: the weights that it plays by, and those that were kept.

Learning is in real numbers, `values`: what one of a term adds to an evaluation, in its unit. Results are
predicted from an evaluation v, first player's view, by 1 / (1 + exp(-edge - slope v)); the edge is the
advantage of the first player, which is no term and would spoil others. Before the first game of a run the
slope is fitted to a few games of the weights that it begins with, and the spread of each term in them is
measured (calibration): steps of all terms can then be equally large in what they do to a prediction.
"""

import math
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Iterator

from gameplay.learning.terms.games import LeafGames, played
from gameplay.learning.terms.logistic import fit
from gameplay.position import AbstractEvaluation
from gameplay.value import half_win

CALIBRATION = 30  # games
FINE = 100  # parts of a unit in which weights are written at least, where the evaluation allows it


class TermLearner(ABC):
    """Weights that are being learned, by name in the order of the evaluation."""

    def __init__(self, games: LeafGames, evaluation: AbstractEvaluation, rng_state: int) -> None:
        """`evaluation` has the weights to begin with."""
        self.games = games
        self.evaluation = evaluation
        self.rng_state = rng_state  # not used: each game has a generator of its own
        self.names = tuple(evaluation.weights)
        self.free = [i for i, name in enumerate(self.names) if name not in evaluation.fixed]
        self.fixed = [i for i, name in enumerate(self.names) if name in evaluation.fixed]
        self.scale = evaluation.scale
        self.finer = _finer(evaluation)
        held = [weight * self.finer for weight in evaluation.weights.values()]
        self.values = array("d", [weight / self.scale for weight in held])
        self.kept = array("q", held)
        self.spread = array("d", [0.0] * len(held))  # root of the mean square of each count
        self.slopes = array("d", [0.0])  # one number: the slope; 0: not calibrated yet
        self.edge = array("d", [0.0])  # one number
        self.positions = 0  # that were learned from, in all generations
        self.loss: float | None = None  # mean of the predictions of a generation, in nats

    # -- what a method defines -------------------------------------------------------------------------------

    @abstractmethod
    def play(self, numbers: Iterable[int]) -> Iterator[int]:
        """Play the games of these numbers and learn from them, at once or later; yield each number then."""

    @abstractmethod
    def finish(self) -> None:
        """Learn what the games of a generation show together."""

    def arrays(self) -> list[memoryview]:
        """What a run stores."""
        return [memoryview(one) for one in (self.values, self.kept, self.spread, self.slopes, self.edge)]

    # -- weights ---------------------------------------------------------------------------------------------

    @property
    def slope(self) -> float:
        """Logits that one of the evaluation's unit is worth."""
        return self.slopes[0]

    def rounded(self, values: "array[float]") -> dict[str, int]:
        """Weights for the evaluation; fixed ones are as they were."""
        most = self.evaluation.most
        given = {
            name: max(-most, min(most, round(value * self.scale)))
            for name, value in zip(self.names, values, strict=True)
        }
        return given | {self.names[i]: self.kept[i] for i in self.fixed}

    @property
    def candidate(self) -> AbstractEvaluation:
        """The evaluation as it has been learned by now."""
        return self.evaluation.weighed(self.rounded(self.values))

    @property
    def reference(self) -> AbstractEvaluation:
        """The evaluation that was kept last."""
        return self.evaluation.weighed(dict(zip(self.names, self.kept, strict=True)))

    def keep(self) -> None:
        """Replace the reference by the candidate."""
        for i, weight in enumerate(self.candidate.weights.values()):
            self.kept[i] = weight

    # -- predictions -----------------------------------------------------------------------------------------

    def logit(self, counts: tuple[int, ...]) -> float:
        """The logit of the first player's result that the values predict."""
        return self.edge[0] + self.slope * math.fsum(
            value * count for value, count in zip(self.values, counts, strict=True) if count
        )

    def calibrate(self) -> None:
        """Find the slope and the spread of the terms, from games of the weights to begin with."""
        if self.slope:
            return
        tasks = [self.games.task(i, self.reference, "calibration") for i in range(CALIBRATION)]
        leaves = [
            (leaf.counts, game.result)
            for game in self.games.each(played, tasks)
            for leaf in game.leaves
            if leaf.counts is not None
        ]
        for i in range(len(self.names)):
            squares = sum(counts[i] * counts[i] for counts, _ in leaves)
            self.spread[i] = math.sqrt(squares / max(1, len(leaves)))
        unit = self.games.game.new().unit
        usual = math.log(3) / (1.5 * half_win(unit)) / self.finer  # the curve of `value.expected`
        self.slopes[0] = usual
        if leaves and any(self.values):
            inputs = array("d", [part for counts, _ in leaves for part in (self.logit(counts), 1.0)])
            results = array("d", [result for _, result in leaves])
            factor, edge = fit(inputs, results, [1.0, 0.0], ridge=len(leaves) / CALIBRATION).parameters
            if factor > 0:
                self.slopes[0], self.edge[0] = usual * factor, edge


def sigmoid(logit: float) -> float:
    """1 / (1 + exp(-logit)), without overflow."""
    small = math.exp(-abs(logit))
    return 1 / (1 + small) if logit >= 0 else small / (1 + small)


def _finer(evaluation: AbstractEvaluation) -> int:
    """By what all weights are multiplied to begin with, so that rounding them does not matter."""
    if evaluation.fixed or evaluation.scale >= FINE:
        return 1
    largest = max(map(abs, evaluation.weights.values()), default=0)
    return max(1, min(FINE, evaluation.most // (4 * max(1, largest))))
