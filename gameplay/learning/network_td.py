# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""TD(lambda) for a network: after a game each of its positions learns its lambda-return.  C types:
network_td.pxd.

With p(t) the probabilities that the network gave at the position t of a game, as it was when the game was
played, and z the result, the target of a position is

    target(t) = (1 - lambda) * p(t + 1) + lambda * target(t + 1)        z at the last position

(the off-line lambda-return, Sutton and Barto 2018, 12.1; with lambda = 0 the one-step method). From the last
position to the first the network takes a step of gradient descent each, on the logistic loss, whose slope by
a logit is the probability less the target; on a symmetric board for a random image of the position. Positions
learn only where moves are chosen by them (in backgammon those before a roll). A position is not taught by an
explored move, nor are those before it.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.learning.td_games import TdGames
from gameplay.networks.network import MOST_NODES

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import doubles, floats, ints
else:
    from gameplay.native.pointers import doubles, floats, ints


class NetworkTd(TdGames):
    """Plays games of `kernel` against itself and corrects the network of `estimator`."""

    def __init__(self, kernel, estimator, decay, explore, goal, plies, seed, rate):
        TdGames.__init__(self, kernel, explore, goal, plies, seed)
        self.estimator, self.decay, self.rate = estimator, decay, rate
        self.held = 0
        self.parted = self.ready = False
        self.most = estimator.inputs.most
        rows, outputs = plies + 2, 2 * estimator.levels
        formats = (
            *(("i", rows * self.most), ("f", rows * self.most), ("i", rows), ("i", rows), ("i", rows)),
            *(("d", rows * outputs), ("d", outputs), ("d", outputs), ("f", MOST_NODES)),
        )
        self.owners = [
            memoryview(bytearray(count * (8 if kind == "d" else 4))).cast(kind) for kind, count in formats
        ]
        self.indices = ints(self.owners[0])
        self.amounts = floats(self.owners[1])
        self.counts = ints(self.owners[2])
        self.views = ints(self.owners[3])
        self.linked = ints(self.owners[4])
        self.chances = doubles(self.owners[5])
        self.target = doubles(self.owners[6])
        self.slopes = doubles(self.owners[7])
        self.nodes = floats(self.owners[8])

    def expect(self, position):
        return self.estimator.expect(position)

    def begin(self):
        self.held = 0
        self.parted = False

    def forget(self):
        self.parted = True

    def remember(self):
        if not self.estimator.inputs.taught(self.kernel):
            return True
        row: cython.int = self.held
        if row:
            self.linked[row - 1] = not self.parted
        self.parted = False
        outputs: cython.int = 2 * self.estimator.levels
        if cython.compiled:
            indices: cython.p_int = self.indices + row * self.most
            amounts: cython.p_float = self.amounts + row * self.most
            chances: cython.p_double = self.chances + row * outputs
        else:
            indices = self.indices[row * self.most : (row + 1) * self.most]
            amounts = self.amounts[row * self.most : (row + 1) * self.most]
            chances = self.chances[row * outputs : (row + 1) * outputs]
        count: cython.int = self.estimator.inputs.read(self.kernel, indices, amounts)
        if count < 0:
            return False
        self.counts[row] = count
        self.views[row] = self.estimator.inputs.view(self.kernel)
        self.estimator.network.forward(indices, amounts, count, self.nodes, chances)
        self.estimator.sigmoids(chances)
        self.held += 1
        return True

    def finish(self, result):
        """Teach all positions of a game that ended with this result for the first player."""
        if not self.held:
            return
        self.gains(result if self.views[self.held - 1] == 0 else -result, self.target)
        self.linked[self.held - 1] = not self.parted
        self.teach()

    def gains(self, result, chances):
        """Write what is certain at the end of a game with this result, -1 to 1, for the player of the row."""
        levels: cython.int = self.estimator.levels
        k: cython.int
        for k in range(levels):
            chances[k] = max(0.0, min(1.0, result * levels - k))
            chances[levels + k] = max(0.0, min(1.0, -result * levels - k))

    def leave(self):
        if self.held:
            self.linked[self.held - 1] = 0
            self.teach()

    def turn_over(self):
        """Make the target that of the other player."""
        levels: cython.int = self.estimator.levels
        k: cython.int
        for k in range(levels):
            gain: cython.double = self.target[k]
            self.target[k] = self.target[levels + k]
            self.target[levels + k] = gain

    def teach(self):
        """Correct the positions from the last to the first; `target` is that of the last, if it has one."""
        outputs: cython.int = 2 * self.estimator.levels
        row: cython.int
        k: cython.int
        for row in range(self.held - 1, -1, -1):
            if row < self.held - 1:
                # 1. The target of the successor becomes that of this position.
                for k in range(outputs):
                    said: cython.double = self.chances[(row + 1) * outputs + k]
                    self.target[k] = said + self.decay * (self.target[k] - said)
                if self.views[row] != self.views[row + 1]:
                    self.turn_over()
            if not self.linked[row]:
                # 2. Not taught: positions before it learn what it said.
                for k in range(outputs):
                    self.target[k] = self.chances[row * outputs + k]
                continue
            # 3. A step towards the target.
            self.step(row)

    def step(self, row):
        """A step of gradient descent at a position towards `target`."""
        outputs: cython.int = 2 * self.estimator.levels
        k: cython.int
        if cython.compiled:
            indices: cython.p_int = self.indices + row * self.most
            amounts: cython.p_float = self.amounts + row * self.most
        else:
            indices = self.indices[row * self.most : (row + 1) * self.most]
            amounts = self.amounts[row * self.most : (row + 1) * self.most]
        count: cython.int = self.counts[row]
        if self.estimator.inputs.images > 1:
            image: cython.int = (self.draw() >> 32) * self.estimator.inputs.images >> 32
            self.estimator.inputs.reflect(indices, count, image)
        self.estimator.network.forward(indices, amounts, count, self.nodes, self.slopes)
        self.estimator.sigmoids(self.slopes)
        for k in range(outputs):
            self.slopes[k] = self.slopes[k] - self.target[k]
        self.estimator.network.backward(
            indices, amounts, count, self.nodes, self.slopes, self.estimator.network.weights, -self.rate
        )
        self.positions += 1
