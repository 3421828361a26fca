# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""A network as an evaluation: how likely each gain and loss is.  C types: estimator.pxd.

A game is won or lost by 1 to `levels` points (backgammon: 3, a gammon is 2 and a backgammon 3). The network
has two outputs for each level k, each the logit of a probability, for the player as whom the inputs describe
the position:

    0 ... levels - 1            this player gains at least k + 1
    levels ... 2 levels - 1     ... loses at least k + 1

The expected result is the sum of the first less that of the others, divided by `levels`. In a game without
points, or with many, there is one level, and a gain counts by its share of the most.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

from gameplay.networks.network import MOST_NODES
from gameplay.ntuples.estimator import LearnedEstimator

if cython.compiled:
    from cython.cimports.libc.math import exp
else:
    from math import exp

MOST_ACTIVE = 1024  # inputs of a position that are not 0
MOST_LEVELS = 3
FARTHEST = cython.declare(cython.double, 40.0)  # logit: the probability is then 0 or 1 in effect


class NetworkEstimator(LearnedEstimator):
    """`network` has the inputs of `inputs` and two outputs a level; the best result is worth `points`."""

    def __init__(self, network, inputs, points):
        """Raises ValueError if the network does not fit the inputs."""
        LearnedEstimator.__init__(self, points)
        self.network, self.inputs = network, inputs
        self.levels = network.outputs // 2
        if network.inputs != inputs.count or inputs.most > MOST_ACTIVE:
            raise ValueError(f"a network of {network.inputs} inputs: expected {inputs.count}")
        if network.outputs != 2 * self.levels or not 0 < self.levels <= MOST_LEVELS:
            raise ValueError(f"a network of {network.outputs} outputs: expected 2, 4 or 6")

    def sigmoids(self, outputs):
        """Replace logits by probabilities."""
        i: cython.int
        for i in range(2 * self.levels):
            logit: cython.double = min(FARTHEST, max(-FARTHEST, outputs[i]))
            outputs[i] = 1.0 / (1.0 + exp(-logit))

    def mean(self, chances, player):
        """The expected result, from -1 to 1, for the first player, of probabilities for `player`."""
        k: cython.int
        total: cython.double = 0.0
        for k in range(self.levels):
            total += chances[k] - chances[self.levels + k]
        total /= self.levels
        return total if player == 0 else -total

    def predict(self, position, indices, amounts, nodes, chances):
        """Write the inputs, units and probabilities of a position. False on an error of the game."""
        count: cython.int = self.inputs.read(position, indices, amounts)
        if count < 0:
            return False
        self.network.forward(indices, amounts, count, nodes, chances)
        self.sigmoids(chances)
        return True

    def expect(self, position):
        indices = cython.declare(cython.int[1024])
        amounts = cython.declare(cython.float[1024])
        nodes = cython.declare(cython.float[1536])
        chances = cython.declare(cython.double[6])
        if not cython.compiled:
            indices, amounts = [0] * MOST_ACTIVE, [0.0] * MOST_ACTIVE
            nodes, chances = array("f", bytes(4 * MOST_NODES)), [0.0] * (2 * MOST_LEVELS)
        if not self.predict(position, indices, amounts, nodes, chances):
            return 0.0
        return self.mean(chances, self.inputs.view(position))
