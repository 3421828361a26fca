# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""TD(lambda) for n-tuples: a game against itself teaches each position what the next one says.  C types:
temporal_difference.pxd.

With v(t) the expected result of the position at ply t and r the result of the game, the error at ply t is

    delta = v(t + 1) - v(t)          r - v(t) at the last position

and every position at a ply k <= t that lies at most `horizon` plies back is corrected for it: each of its
`active` weights changes by

    rate / active * delta * lambda ** (t - k) * (1 - v(k) ** 2)        the last is the derivative of tanh

(Sutton 1988; Tesauro 1992), less where symmetric images of a tuple find one weight. `rate` is the weight's
own, see `ntuples.coherence`. The mover plays the move with the best next position, and with probability
`explore` any legal move: a position is not taught by such a move, nor are those before it. Chance nodes are
positions like others, and rolls are sampled.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import math

from gameplay.learning.td_games import TdGames
from gameplay.ntuples.coherence import CoherentLearner

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import doubles, ints
    from cython.cimports.libc.math import tanh
else:
    from math import tanh

    from gameplay.native.pointers import doubles, ints

FAINT = 0.01  # a correction of less than this share is left out


class TemporalDifference(TdGames):
    """Plays games of `kernel` against itself and corrects the weights of `ntuples`."""

    def __init__(self, kernel, ntuples, decay, explore, goal, plies, seed):
        TdGames.__init__(self, kernel, explore, goal, plies, seed)
        self.ntuples, self.decay = ntuples, decay
        reach = plies if decay == 1 else math.log(FAINT) / math.log(decay) if decay > 0 else 0
        self.horizon = 1 + int(min(reach, plies))
        self.held = self.first = 0
        self.learner = CoherentLearner(ntuples)
        self.found_owner = memoryview(bytearray(4 * self.horizon * ntuples.active)).cast("i")
        self.values_owner = memoryview(bytearray(8 * self.horizon)).cast("d")
        self.found = ints(self.found_owner)
        self.values = doubles(self.values_owner)

    def expect(self, position):
        return self.ntuples.expect(position)

    def begin(self):
        self.held = self.first = 0

    def remember(self):
        """Add the position to those that learn."""
        if self.held == self.horizon:
            self.first = (self.first + 1) % self.horizon
            self.held -= 1
        row: cython.int = (self.first + self.held) % self.horizon
        if cython.compiled:
            indices: cython.p_int = self.found + row * self.ntuples.active
        else:
            indices = self.found[row * self.ntuples.active : (row + 1) * self.ntuples.active]
        if not self.ntuples.find(self.kernel, indices):
            return False
        self.values[row] = tanh(self.ntuples.sum(indices))
        self.held += 1
        return True

    def forget(self):
        self.held = 0

    def follow(self):
        self.finish(self.ntuples.expect(self.kernel))

    def finish(self, result):
        """Correct the positions held for the difference between the newest and what followed it."""
        if not self.held:
            return
        newest: cython.int = (self.first + self.held - 1) % self.horizon
        delta: cython.double = result - self.values[newest]
        trace: cython.double = 1.0
        back: cython.int
        self.positions += 1
        for back in range(self.held):
            row: cython.int = (newest - back + self.horizon) % self.horizon
            change: cython.double = delta * trace * (1.0 - self.values[row] * self.values[row])
            self.learner.correct(self.found, row * self.ntuples.active, change)
            trace *= self.decay
            if trace == 0:
                break
