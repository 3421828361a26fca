"""SPSA: perturbs all weights at random, and moves them in the direction that wins a pair of games.

In step k = 1, 2, ... of N, with a random sign D(i) for each weight:

    play w + c(k) D against w - c(k) D, two games with seats exchanged; y = wins - losses, -2 to 2
    w(i) becomes w(i) + a(k) / c(k) * y * D(i)

    c(k) = c / k ** 0.101        c(N) D changes a prediction by STEP logits, each term by an equal part
    a(k) = a / (A + k) ** 0.602  A = N / 10; a(N) = R c(N) ** 2, R = GAIN / sqrt(N)

(J. Spall, Multivariate stochastic approximation using a simultaneous perturbation gradient approximation,
1992; the exponents and A: Implementation of the simultaneous perturbation algorithm, 1998; c and a by their
last values, and R, as on Stockfish's test server.) The random part of all steps together is about 2 GAIN
c(N) for any N; the systematic part grows as sqrt(N). Ten terms take a thousand pairs or more.
"""

import random
from array import array
from collections.abc import Iterable, Iterator

from gameplay.learning.terms.contest import Contest, Contestant
from gameplay.learning.terms.games import LeafGames
from gameplay.learning.terms.learner import TermLearner
from gameplay.position import AbstractEvaluation

ALPHA, GAMMA, STABILITY = 0.602, 0.101, 0.1
STEP = 0.1
GAIN = 0.2


def gain_sequences(k: int, steps: int) -> tuple[float, float]:
    """c(k) and a(k), scaled so that c(N) is 1."""
    c = (steps / k) ** GAMMA
    stable = STABILITY * steps
    a = GAIN / steps**0.5 * ((stable + steps) / (stable + k)) ** ALPHA
    return c, a


class Spsa(TermLearner):
    """Learns by SPSA; each number of `play` is a step with a pair of games."""

    def __init__(self, games: LeafGames, evaluation: AbstractEvaluation, rng_state: int, steps: int) -> None:
        super().__init__(games, evaluation, rng_state)
        self.steps = steps

    def play(self, numbers: Iterable[int]) -> Iterator[int]:
        for number in numbers:
            signs, c, a = self.signs(number), *gain_sequences(number + 1, self.steps)
            sides = [self.rounded(self.moved(signs, change)) for change in (c, -c)]
            one, other = (Contestant(side, self.games.depth) for side in sides)
            (points,) = Contest(self.games, f"spsa/{number}").play(one, other, 1)  # the first opening is new
            self.values = self.moved(signs, a / c * 2 * (points - 1))
            yield number

    def finish(self) -> None:
        """Do nothing: each step is learned in `play`."""

    def signs(self, number: int) -> list[int]:
        """The direction of a step."""
        rng = random.Random(f"{self.games.seed}/signs/{number}")
        return [rng.choice((-1, 1)) for _ in self.names]

    def moved(self, signs: list[int], change: float) -> "array[float]":
        """The values, moved by `change` units of each in the direction of the signs."""
        moved = array("d", self.values)
        free = [i for i in self.free if self.spread[i] > 0]
        for i in free:
            moved[i] += change * signs[i] * STEP / (self.slope * self.spread[i] * len(free) ** 0.5)
        return moved
