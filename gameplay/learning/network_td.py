# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""TD(lambda) for a network: each position of a game is trained towards its lambda-return.  C types:
network_td.pxd.

With p(t) the probabilities of the network for position t of a game, computed while the game was played, and z
the result, the target of a position is

    target(t) = (1 - lambda) * p(t + 1) + lambda * target(t + 1)        z at the last position

(the off-line lambda-return, Sutton and Barto 2018, 12.1; with lambda = 0 the one-step method). After the game
the network takes one step of gradient descent per position, from the last to the first, on the logistic loss;
its derivative by a logit is the probability less the target. On a symmetric board it uses a random image of
the position. Only positions that are evaluated to choose a move are learned (in backgammon, before a roll).
No position before an explored move learns from those after it.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.learning.td_games import TdGames
from gameplay.networks.network import MAX_NODES

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import doubles, floats, ints
else:
    from gameplay.native.pointers import doubles, floats, ints


class NetworkTd(TdGames):
    """Plays self-play games on `kernel` and corrects the network of `estimator`."""

    def __init__(self, kernel, estimator, decay, explore, goal, plies, seed, rate):
        TdGames.__init__(self, kernel, explore, goal, plies, seed)
        self.estimator, self.decay, self.rate = estimator, decay, rate
        self.count = 0
        self.trace_cut = False
        self.width = estimator.inputs.most
        rows, outputs = plies + 2, 2 * estimator.levels
        formats = (
            *(
                ("i", rows * self.width),
                ("f", rows * self.width),
                ("i", rows),
                ("i", rows),
                ("i", rows),
            ),
            *(("d", rows * outputs), ("d", outputs), ("d", outputs), ("f", MAX_NODES)),
        )
        self.owners = [
            memoryview(bytearray(count * (8 if kind == "d" else 4))).cast(kind) for kind, count in formats
        ]
        self.indices = ints(self.owners[0])
        self.amounts = floats(self.owners[1])
        self.counts = ints(self.owners[2])
        self.views = ints(self.owners[3])
        self.learns = ints(self.owners[4])
        self.probabilities = doubles(self.owners[5])
        self.target = doubles(self.owners[6])
        self.slopes = doubles(self.owners[7])
        self.nodes = floats(self.owners[8])

    def expect(self, position):
        return self.estimator.expect(position)

    def begin_game(self):
        self.count = 0
        self.trace_cut = False

    def cut_trace(self):
        self.trace_cut = True

    def add_position(self):
        if not self.estimator.inputs.trains_on(self.kernel):
            return True
        row: cython.int = self.count
        if row:
            self.learns[row - 1] = not self.trace_cut
        self.trace_cut = False
        outputs: cython.int = 2 * self.estimator.levels
        if cython.compiled:
            indices: cython.p_int = self.indices + row * self.width
            amounts: cython.p_float = self.amounts + row * self.width
            probabilities: cython.p_double = self.probabilities + row * outputs
        else:
            indices = self.indices[row * self.width : (row + 1) * self.width]
            amounts = self.amounts[row * self.width : (row + 1) * self.width]
            probabilities = self.probabilities[row * outputs : (row + 1) * outputs]
        count: cython.int = self.estimator.inputs.read(self.kernel, indices, amounts)
        if count < 0:
            return False
        self.counts[row] = count
        self.views[row] = self.estimator.inputs.view(self.kernel)
        self.estimator.network.forward(indices, amounts, count, self.nodes, probabilities)
        self.estimator.sigmoids(probabilities)
        self.count += 1
        return True

    def learn_result(self, result):
        """Train on all positions of a game that ended with this result for the first player."""
        if not self.count:
            return
        self.set_final_target(result if self.views[self.count - 1] == 0 else -result, self.target)
        self.learns[self.count - 1] = not self.trace_cut
        self.update_positions()

    def set_final_target(self, result, target):
        """Write the target at the end of a game; `result`, -1 to 1, is for the player of the row."""
        levels: cython.int = self.estimator.levels
        k: cython.int
        for k in range(levels):
            target[k] = max(0.0, min(1.0, result * levels - k))
            target[levels + k] = max(0.0, min(1.0, -result * levels - k))

    def cut_game(self):
        if self.count:
            self.learns[self.count - 1] = 0
            self.update_positions()

    def swap_players(self):
        """Convert the target to the other player's view."""
        levels: cython.int = self.estimator.levels
        k: cython.int
        for k in range(levels):
            probability: cython.double = self.target[k]
            self.target[k] = self.target[levels + k]
            self.target[levels + k] = probability

    def update_positions(self):
        """Train on the positions from the last to the first; `target` is that of the last, if it learns."""
        outputs: cython.int = 2 * self.estimator.levels
        row: cython.int
        k: cython.int
        for row in range(self.count - 1, -1, -1):
            if row < self.count - 1:
                # 1. The target of the successor becomes that of this position.
                for k in range(outputs):
                    predicted: cython.double = self.probabilities[(row + 1) * outputs + k]
                    self.target[k] = predicted + self.decay * (self.target[k] - predicted)
                if self.views[row] != self.views[row + 1]:
                    self.swap_players()
            if not self.learns[row]:
                # 2. No update here: the positions before it learn from its prediction.
                for k in range(outputs):
                    self.target[k] = self.probabilities[row * outputs + k]
                continue
            # 3. Otherwise a step towards the target.
            self.step(row)

    def step(self, row):
        """Take a step of gradient descent towards `target` at a position."""
        outputs: cython.int = 2 * self.estimator.levels
        k: cython.int
        if cython.compiled:
            indices: cython.p_int = self.indices + row * self.width
            amounts: cython.p_float = self.amounts + row * self.width
        else:
            indices = self.indices[row * self.width : (row + 1) * self.width]
            amounts = self.amounts[row * self.width : (row + 1) * self.width]
        count: cython.int = self.counts[row]
        if self.estimator.inputs.images > 1:
            image: cython.int = (self.random_bits() >> 32) * self.estimator.inputs.images >> 32
            self.estimator.inputs.reflect(indices, count, image)
        self.estimator.network.forward(indices, amounts, count, self.nodes, self.slopes)
        self.estimator.sigmoids(self.slopes)
        for k in range(outputs):
            self.slopes[k] = self.slopes[k] - self.target[k]
        self.estimator.network.backward(
            indices, amounts, count, self.nodes, self.slopes, self.estimator.network.weights, -self.rate
        )
        self.positions += 1
