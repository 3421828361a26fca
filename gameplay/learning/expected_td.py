# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""TD for a network with expected updates: a position before a roll learns the mean over all rolls.  C types:
expected_td.pxd.

    target = sum over all rolls r of odds(r) * p(the position after the best move for r)

with p the probabilities of the network at the time the game reached the position, or the result if the move
ends the game (an expected update, Sutton and Barto 2018, 8.5; for backgammon: Hilton 2019). The dice add no
variance to the target, so it refines a network trained by games, at the cost of the replies to 21 rolls
instead of one. Positions learn after the game, whether or not the move was explored.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.learning.network_td import NetworkTd

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import doubles, floats, ints
    from cython.cimports.gameplay.position import CHANCE
else:
    from gameplay.native.pointers import doubles, floats, ints
    from gameplay.position import CHANCE


class ExpectedTd(NetworkTd):
    """Plays self-play games on `kernel` and corrects the network of `estimator`."""

    def __init__(self, kernel, estimator, explore, goal, plies, seed, rate):
        NetworkTd.__init__(self, kernel, estimator, 0.0, explore, goal, plies, seed, rate)
        outputs = 2 * estimator.levels
        self.own_memory = [
            memoryview(bytearray(8 * (plies + 2) * outputs)).cast("d"),
            memoryview(bytearray(8 * outputs)).cast("d"),
            memoryview(bytearray(4 * self.width)).cast("f"),
            memoryview(bytearray(4 * self.width)).cast("i"),
        ]
        self.targets = doubles(self.own_memory[0])
        self.reply = doubles(self.own_memory[1])
        self.next_amounts = floats(self.own_memory[2])
        self.next_indices = ints(self.own_memory[3])

    def add_position(self):
        row: cython.int = self.count
        if not NetworkTd.add_position(self):
            return False
        return self.count == row or self.add_expected_target(self.kernel, row)

    def add_expected_target(self, kernel, row):
        """Write the target of the position of `kernel`. False on an error of the game."""
        outputs: cython.int = 2 * self.estimator.levels
        base: cython.int = self.made
        rolls: cython.int = base
        roll: cython.int
        k: cython.int
        for k in range(outputs):
            self.targets[row * outputs + k] = 0.0
        if base + 2 * (1 + kernel.max_moves) >= kernel.capacity:
            kernel.extend(base + 2 * (2 + kernel.max_moves))
        if kernel.turn == CHANCE:
            rolls = kernel.gen_chances(base)
        elif self.evaluate_best_reply(kernel, base, self.views[row]):
            for k in range(outputs):
                self.targets[row * outputs + k] = self.reply[k]
        for roll in range(base, rolls):
            odds: cython.double = kernel.odds[roll]
            rolled: cython.int = kernel.stack[roll]
            kernel.push(rolled)
            if self.evaluate_best_reply(kernel, rolls, self.views[row]):
                for k in range(outputs):
                    self.targets[row * outputs + k] += odds * self.reply[k]
            kernel.pop(rolled)
        return not kernel.failed

    def evaluate_best_reply(self, kernel, base, view):
        """Write the probabilities for the player `view` after the mover's best move.

        At a chance node or the end of the game: those of the position. False on an error of the game.
        """
        if kernel.result() or kernel.turn == CHANCE:
            return self.evaluate_reply(kernel, view)
        chosen: cython.int = self.choose(kernel, base, kernel.gen(base))
        if chosen < 0:
            return False
        move: cython.int = kernel.stack[chosen]
        kernel.push(move)
        evaluated: cython.bint = self.evaluate_reply(kernel, view)
        kernel.pop(move)
        return evaluated

    def evaluate_reply(self, kernel, view):
        """Write the probabilities for the player `view`. False on an error of the game."""
        levels: cython.int = self.estimator.levels
        k: cython.int
        if kernel.result():
            self.set_final_target(self.result() if view == 0 else -self.result(), self.reply)
            return not kernel.failed
        if not self.estimator.predict(kernel, self.next_indices, self.next_amounts, self.nodes, self.reply):
            return False
        if self.estimator.inputs.view(kernel) != view:
            for k in range(levels):
                probability: cython.double = self.reply[k]
                self.reply[k] = self.reply[levels + k]
                self.reply[levels + k] = probability
        return True

    def update_positions(self):
        """Train on all positions of the game, from the last to the first."""
        outputs: cython.int = 2 * self.estimator.levels
        row: cython.int
        k: cython.int
        for row in range(self.count - 1, -1, -1):
            for k in range(outputs):
                self.target[k] = self.targets[row * outputs + k]
            self.step(row)
