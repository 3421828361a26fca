# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""TD for a network with expected updates: a position before a roll learns the mean over all rolls.  C types:
expected_td.pxd.

    target = sum over all rolls r of odds(r) * p(the position after the best move for r)

with p the probabilities of the network as it was when the game reached the position, or what is certain where
that move ends the game (an expected update, Sutton and Barto 2018, 8.5; for backgammon: Hilton 2019). The
dice add no variance to such a target, so it refines a network that games have taught; it costs all replies to
21 rolls in place of one. A position learns after the game, whatever move was made there.
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
    """Plays games of `kernel` against itself and corrects the network of `estimator`."""

    def __init__(self, kernel, estimator, explore, goal, plies, seed, rate):
        NetworkTd.__init__(self, kernel, estimator, 0.0, explore, goal, plies, seed, rate)
        outputs = 2 * estimator.levels
        self.own_memory = [
            memoryview(bytearray(8 * (plies + 2) * outputs)).cast("d"),
            memoryview(bytearray(8 * outputs)).cast("d"),
            memoryview(bytearray(4 * self.most)).cast("f"),
            memoryview(bytearray(4 * self.most)).cast("i"),
        ]
        self.returns = doubles(self.own_memory[0])
        self.reply = doubles(self.own_memory[1])
        self.next_amounts = floats(self.own_memory[2])
        self.next_indices = ints(self.own_memory[3])

    def remember(self):
        row: cython.int = self.held
        if not NetworkTd.remember(self):
            return False
        return self.held == row or self.expect_replies(self.kernel, row)

    def expect_replies(self, kernel, row):
        """Write what the position of `kernel` is to learn. False on an error of the game."""
        outputs: cython.int = 2 * self.estimator.levels
        base: cython.int = self.made
        rolls: cython.int = base
        roll: cython.int
        k: cython.int
        for k in range(outputs):
            self.returns[row * outputs + k] = 0.0
        if base + 2 * (1 + kernel.max_moves) >= kernel.capacity:
            kernel.extend(base + 2 * (2 + kernel.max_moves))
        if kernel.turn == CHANCE:
            rolls = kernel.gen_chances(base)
        elif self.answer(kernel, base, self.views[row]):
            for k in range(outputs):
                self.returns[row * outputs + k] = self.reply[k]
        for roll in range(base, rolls):
            odds: cython.double = kernel.odds[roll]
            rolled: cython.int = kernel.stack[roll]
            kernel.push(rolled)
            if self.answer(kernel, rolls, self.views[row]):
                for k in range(outputs):
                    self.returns[row * outputs + k] += odds * self.reply[k]
            kernel.pop(rolled)
        return not kernel.failed

    def answer(self, kernel, base, view):
        """Write the probabilities for the player `view` after the best move, if there is one to choose.

        False on an error of the game.
        """
        if kernel.result() or kernel.turn == CHANCE:
            return self.read_reply(kernel, view)
        chosen: cython.int = self.choose(kernel, base, kernel.gen(base))
        if chosen < 0:
            return False
        move: cython.int = kernel.stack[chosen]
        kernel.push(move)
        known: cython.bint = self.read_reply(kernel, view)
        kernel.pop(move)
        return known

    def read_reply(self, kernel, view):
        """Write the probabilities for the player `view`. False on an error of the game."""
        levels: cython.int = self.estimator.levels
        k: cython.int
        if kernel.result():
            self.gains(self.result() if view == 0 else -self.result(), self.reply)
            return not kernel.failed
        if not self.estimator.predict(kernel, self.next_indices, self.next_amounts, self.nodes, self.reply):
            return False
        if self.estimator.inputs.view(kernel) != view:
            for k in range(levels):
                gain: cython.double = self.reply[k]
                self.reply[k] = self.reply[levels + k]
                self.reply[levels + k] = gain
        return True

    def teach(self):
        """Correct all positions of the game, from the last to the first."""
        outputs: cython.int = 2 * self.estimator.levels
        row: cython.int
        k: cython.int
        for row in range(self.held - 1, -1, -1):
            for k in range(outputs):
                self.target[k] = self.returns[row * outputs + k]
            self.step(row)
