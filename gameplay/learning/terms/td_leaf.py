"""TD-leaf(lambda): positions are corrected at the leaf of their principal variation.

With p(t) what the leaf of the search at ply t predicts for the first player, p(T) the result, and w the
weights,

    d(t) = p(t + 1) - p(t)          over the positions of one mover: values of two movers differ by the tempo
    correction of w = sum over t of (derivative of p(t) by w) * sum over j >= t of lambda ** (j - t) * d(j)

(J. Baxter, A. Tridgell and L. Weaver, Experiments in parameter learning using temporal differences, 1998; R.
Sutton, Learning to predict by the methods of temporal differences, 1988.) A leaf that is the end of a game
predicts its result, and has no derivative.

The correction of a weight is divided by the mean sum of squares of its derivatives in a game (diagonal
Gauss-Newton) and by the number of weights, and multiplied by its rate, |sum of its corrections| / sum of
their sizes: a weight whose corrections cancel out converges (temporal coherence, D. Beal and M. Smith 1999).
A game changes the contribution of a term of average size by at most MAX_CHANGE logits, since derivatives are
unreliable when all predictions are nearly certain.
"""

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence

from gameplay.learning.terms.games import LeafGames, LeafTerms, play_task
from gameplay.learning.terms.learner import TermLearner, sigmoid
from gameplay.position import AbstractEvaluation

MAX_CHANGE = 0.1


def errors(predictions: Sequence[float], result: float, decay: float) -> list[float]:
    """The sum over j >= t of decay ** (j - t) * d(j), for each t."""
    sums: list[float] = []
    following, error = result, 0.0
    for prediction in reversed(predictions):
        error = following - prediction + decay * error
        sums.append(error)
        following = prediction
    return sums[::-1]


class TdLeaf(TermLearner):
    """Corrects the weights after each game."""

    def __init__(
        self, games: LeafGames, evaluation: AbstractEvaluation, rng_state: int, decay: float
    ) -> None:
        super().__init__(games, evaluation, rng_state)
        self.decay = decay
        zeros = [0.0] * (len(self.names) + 1)  # of each weight; the last: of the edge
        self.sums, self.sizes, self.squares = array("d", zeros), array("d", zeros), array("d", zeros)
        self.uses = array("q", [0] * len(zeros))  # sums of squares of counts
        self.learned = array("q", [0, 0])  # games, positions
        self.seen, self.seen_loss = 0, 0.0  # positions of a generation, and their loss

    def arrays(self) -> list[memoryview]:
        return super().arrays() + [
            memoryview(part) for part in (self.sums, self.sizes, self.squares, self.uses, self.learned)
        ]

    def play(self, numbers: Iterable[int]) -> Iterator[int]:
        for number in numbers:
            game = play_task(self.games.task(number, self.candidate))
            self.learn(game.leaves, game.result)
            yield number

    def finish(self) -> None:
        seen, loss = self.seen, self.seen_loss
        self.loss = loss / seen if seen else None
        self.positions += seen
        self.seen, self.seen_loss = 0, 0.0

    def learn(self, leaves: Sequence[LeafTerms], result: float) -> None:
        """Correct the weights by a game."""
        corrections, squares = self.corrections(leaves, result)
        seen = [leaf.counts for leaf in leaves if leaf.counts is not None]
        self.learned[0] += 1
        self.learned[1] += len(seen)
        edge = len(self.names)
        for i in (*self.free, edge):
            self.uses[i] += len(seen) if i == edge else sum(counts[i] * counts[i] for counts in seen)
            self.sums[i] += corrections[i]
            self.sizes[i] += abs(corrections[i])
            self.squares[i] += squares[i]
        steps = [self._step(i, corrections[i]) if self.squares[i] > 0 else 0.0 for i in range(edge + 1)]
        for i in self.free:
            self.values[i] += steps[i] / self.slope
        self.edge[0] += steps[edge]

    def _step(self, i: int, correction: float) -> float:
        """The change of a weight times the slope, in logits."""
        rate = abs(self.sums[i]) / self.sizes[i] if self.sizes[i] else 0.0
        step = rate * correction / (self.squares[i] / self.learned[0]) / (len(self.free) + 1)
        limit = MAX_CHANGE / math.sqrt(self.uses[i] / self.learned[1])
        return max(-limit, min(limit, step))

    def corrections(self, leaves: Sequence[LeafTerms], result: float) -> tuple[list[float], list[float]]:
        """The correction of each weight times the slope, then of the edge; sums of squared derivatives."""
        logits = [0.0 if leaf.counts is None else self.logit(leaf.counts) for leaf in leaves]
        predictions = [
            leaf.result if leaf.counts is None else sigmoid(logit)
            for leaf, logit in zip(leaves, logits, strict=True)
        ]
        totals, squares = [0.0] * (len(self.names) + 1), [0.0] * (len(self.names) + 1)
        deltas = [0.0] * len(leaves)
        for turn in (0, 1):
            plies = [t for t, leaf in enumerate(leaves) if leaf.turn == turn]
            sums = errors([predictions[t] for t in plies], result, self.decay)
            for t, delta in zip(plies, sums, strict=True):
                deltas[t] = delta
        for leaf, logit, prediction, delta in zip(leaves, logits, predictions, deltas, strict=True):
            if leaf.counts is None:
                continue
            self.seen += 1
            self.seen_loss += math.log1p(math.exp(-abs(logit))) + max(logit, 0.0) - result * logit
            steepness = prediction * (1 - prediction)
            for i, count in enumerate((*leaf.counts, 1)):
                if count:
                    derivative = steepness * count
                    totals[i] += delta * derivative
                    squares[i] += derivative * derivative
        return totals, squares
