"""The base of learners of named terms: the weights being learned, and those kept last.

`values` are the weights as real numbers, in units of the evaluation. A result is predicted from an evaluation
v, first player's view, by 1 / (1 + exp(-edge - slope v)); `edge` is the advantage of the first player.
Before the first game of a run the slope is fitted to a few games by the initial weights, and the spread of
each term in them is measured (calibration), so that steps change predictions equally for all terms.
"""

import math
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Iterator

from gameplay.learning.terms.games import LeafGames, play_task
from gameplay.learning.terms.logistic import fit
from gameplay.position import AbstractEvaluation
from gameplay.value import half_win

CALIBRATION = 30  # games
FINE = 100  # weights have at least this many steps per unit, if the evaluation allows it


class TermLearner(ABC):
    """Weights that are being learned, by name in the order of the evaluation."""

    def __init__(self, games: LeafGames, evaluation: AbstractEvaluation, rng_state: int) -> None:
        """`evaluation` has the initial weights."""
        self.games = games
        self.evaluation = evaluation
        self.rng_state = rng_state  # unused: each game has its own generator
        self.names = tuple(evaluation.weights)
        self.free = [i for i, name in enumerate(self.names) if name not in evaluation.fixed]
        self.fixed = [i for i, name in enumerate(self.names) if name in evaluation.fixed]
        self.scale = evaluation.scale
        self.finer = _finer(evaluation)
        initial = [weight * self.finer for weight in evaluation.weights.values()]
        self.values = array("d", [weight / self.scale for weight in initial])
        self.kept = array("q", initial)
        self.spread = array("d", [0.0] * len(initial))  # root mean square of each count
        self.slopes = array("d", [0.0])  # one number: the slope; 0: not calibrated yet
        self.edge = array("d", [0.0])  # one number
        self.positions = 0  # learned from, in all generations
        self.loss: float | None = None  # mean loss of the predictions of a generation, in nats

    # -- what a method defines -------------------------------------------------------------------------------

    @abstractmethod
    def play(self, numbers: Iterable[int]) -> Iterator[int]:
        """Play the games of these numbers, learning now or in `finish`; yield each number when done."""

    @abstractmethod
    def finish(self) -> None:
        """Learn from all games of a generation together."""

    def arrays(self) -> list[memoryview]:
        """The arrays that a run stores."""
        return [memoryview(part) for part in (self.values, self.kept, self.spread, self.slopes, self.edge)]

    # -- weights ---------------------------------------------------------------------------------------------

    @property
    def slope(self) -> float:
        """Logits per unit of the evaluation."""
        return self.slopes[0]

    def rounded(self, values: "array[float]") -> dict[str, int]:
        """Integer weights for the evaluation; fixed ones do not change."""
        limit = self.evaluation.max_weight
        weights = {
            name: max(-limit, min(limit, round(value * self.scale)))
            for name, value in zip(self.names, values, strict=True)
        }
        return weights | {self.names[i]: self.kept[i] for i in self.fixed}

    @property
    def candidate(self) -> AbstractEvaluation:
        """The evaluation with the current weights."""
        return self.evaluation.with_weights(self.rounded(self.values))

    @property
    def reference(self) -> AbstractEvaluation:
        """The evaluation with the weights kept last."""
        return self.evaluation.with_weights(dict(zip(self.names, self.kept, strict=True)))

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
        """Measure the slope and the spread of the terms in games by the initial weights."""
        if self.slope:
            return
        tasks = [self.games.task(i, self.reference, "calibration") for i in range(CALIBRATION)]
        leaves = [
            (leaf.counts, game.result)
            for game in self.games.each(play_task, tasks)
            for leaf in game.leaves
            if leaf.counts is not None
        ]
        for i in range(len(self.names)):
            squares = sum(counts[i] * counts[i] for counts, _ in leaves)
            self.spread[i] = math.sqrt(squares / max(1, len(leaves)))
        unit = self.games.game.new().unit
        default = math.log(3) / (1.5 * half_win(unit)) / self.finer  # the slope of `value.expected_score`
        self.slopes[0] = default
        if leaves and any(self.values):
            inputs = array("d", [part for counts, _ in leaves for part in (self.logit(counts), 1.0)])
            results = array("d", [result for _, result in leaves])
            factor, edge = fit(inputs, results, [1.0, 0.0], ridge=len(leaves) / CALIBRATION).parameters
            if factor > 0:
                self.slopes[0], self.edge[0] = default * factor, edge


def sigmoid(logit: float) -> float:
    """1 / (1 + exp(-logit)), without overflow."""
    small = math.exp(-abs(logit))
    return 1 / (1 + small) if logit >= 0 else small / (1 + small)


def _finer(evaluation: AbstractEvaluation) -> int:
    """The factor of all weights that makes rounding them negligible."""
    if evaluation.fixed or evaluation.scale >= FINE:
        return 1
    largest = max(map(abs, evaluation.weights.values()), default=0)
    return max(1, min(FINE, evaluation.max_weight // (4 * max(1, largest))))
