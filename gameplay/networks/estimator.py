# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""A network that predicts the probabilities of results.  C types: estimator.pxd.

A game is won or lost by 1 to `levels` points (backgammon: 3, for a gammon 2 and for a backgammon 3). The
network has two outputs per level k, logits of probabilities from the view of one player (`inputs.view`):

    0 ... levels - 1            the player wins at least k + 1 points
    levels ... 2 levels - 1     ... loses at least k + 1 points

The expected result is the sum of the wins less the sum of the losses, divided by `levels`. A game without
points, or with many, has one level; a payoff then counts as a fraction of the greatest one.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

from gameplay.networks.network import MAX_NODES
from gameplay.ntuples.estimator import LearnedEstimator

if cython.compiled:
    from cython.cimports.libc.math import exp
else:
    from math import exp

MAX_ACTIVE = 1024  # inputs of a position that are not 0
MAX_LEVELS = 3
MAX_LOGIT = cython.declare(cython.double, 40.0)  # beyond it the probability is practically 0 or 1


class NetworkEstimator(LearnedEstimator):
    """An estimator by a network with the inputs of `inputs` and two outputs per level.

    `points`: the value of the best result.
    """

    def __init__(self, network, inputs, points):
        """Raises ValueError if the network does not fit the inputs."""
        LearnedEstimator.__init__(self, points)
        self.network, self.inputs = network, inputs
        self.levels = network.outputs // 2
        if network.inputs != inputs.count or inputs.most > MAX_ACTIVE:
            raise ValueError(f"network with {network.inputs} inputs: expected {inputs.count}")
        if network.outputs != 2 * self.levels or not 0 < self.levels <= MAX_LEVELS:
            raise ValueError(f"network with {network.outputs} outputs: expected 2, 4 or 6")

    def sigmoids(self, outputs):
        """Replace logits by probabilities."""
        i: cython.int
        for i in range(2 * self.levels):
            logit: cython.double = min(MAX_LOGIT, max(-MAX_LOGIT, outputs[i]))
            outputs[i] = 1.0 / (1.0 + exp(-logit))

    def mean(self, probabilities, player):
        """The expected result for the first player, from -1 to 1; the probabilities are those of `player`."""
        k: cython.int
        total: cython.double = 0.0
        for k in range(self.levels):
            total += probabilities[k] - probabilities[self.levels + k]
        total /= self.levels
        return total if player == 0 else -total

    def predict(self, position, indices, amounts, nodes, probabilities):
        """Write the inputs, units and probabilities of a position. False on an error of the game."""
        count: cython.int = self.inputs.read(position, indices, amounts)
        if count < 0:
            return False
        self.network.forward(indices, amounts, count, nodes, probabilities)
        self.sigmoids(probabilities)
        return True

    def expect(self, position):
        indices = cython.declare(cython.int[1024])
        amounts = cython.declare(cython.float[1024])
        nodes = cython.declare(cython.float[1536])
        probabilities = cython.declare(cython.double[6])
        if not cython.compiled:
            indices, amounts = [0] * MAX_ACTIVE, [0.0] * MAX_ACTIVE
            nodes, probabilities = array("f", bytes(4 * MAX_NODES)), [0.0] * (2 * MAX_LEVELS)
        if not self.predict(position, indices, amounts, nodes, probabilities):
            return 0.0
        return self.mean(probabilities, self.inputs.view(position))
