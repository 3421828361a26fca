# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""TD(lambda) for n-tuples: each position of a self-play game learns from the value of the next.  C types:
temporal_difference.pxd.

With v(t) the expected result of the position at ply t and r the result of the game, the error at ply t is

    delta = v(t + 1) - v(t)          r - v(t) at the last position

and every position at a ply k <= t, at most `horizon` plies back, is corrected: each of its `active` weights
changes by

    rate / active * delta * lambda ** (t - k) * (1 - v(k) ** 2)        the last is the derivative of tanh

(Sutton 1988; Tesauro 1992), less where symmetric images of a tuple share a weight. Each weight has its own
`rate`, see `ntuples.coherence`. The mover plays the move with the best next position, and with probability
`explore` a random one: no position before an explored move learns from those after it. Chance nodes are
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

MIN_TRACE = 0.01  # smaller corrections, relative to the newest position's, are left out


class TemporalDifference(TdGames):
    """Plays self-play games on `kernel` and corrects the weights of `ntuples`."""

    def __init__(self, kernel, ntuples, decay, explore, goal, plies, seed):
        TdGames.__init__(self, kernel, explore, goal, plies, seed)
        self.ntuples, self.decay = ntuples, decay
        reach = plies if decay == 1 else math.log(MIN_TRACE) / math.log(decay) if decay > 0 else 0
        self.horizon = 1 + int(min(reach, plies))
        self.count = self.first = 0
        self.learner = CoherentLearner(ntuples)
        self.indices_owner = memoryview(bytearray(4 * self.horizon * ntuples.active)).cast("i")
        self.values_owner = memoryview(bytearray(8 * self.horizon)).cast("d")
        self.indices = ints(self.indices_owner)
        self.values = doubles(self.values_owner)

    def expect(self, position):
        return self.ntuples.expect(position)

    def begin_game(self):
        self.count = self.first = 0

    def add_position(self):
        if self.count == self.horizon:
            self.first = (self.first + 1) % self.horizon
            self.count -= 1
        row: cython.int = (self.first + self.count) % self.horizon
        if cython.compiled:
            indices: cython.p_int = self.indices + row * self.ntuples.active
        else:
            indices = self.indices[row * self.ntuples.active : (row + 1) * self.ntuples.active]
        if not self.ntuples.find(self.kernel, indices):
            return False
        self.values[row] = tanh(self.ntuples.sum(indices))
        self.count += 1
        return True

    def cut_trace(self):
        self.count = 0

    def bootstrap(self):
        self.learn_result(self.ntuples.expect(self.kernel))

    def learn_result(self, result):
        """Correct the stored positions by the error of the newest, `result` less its value."""
        if not self.count:
            return
        newest: cython.int = (self.first + self.count - 1) % self.horizon
        delta: cython.double = result - self.values[newest]
        trace: cython.double = 1.0
        back: cython.int
        self.positions += 1
        for back in range(self.count):
            row: cython.int = (newest - back + self.horizon) % self.horizon
            change: cython.double = delta * trace * (1.0 - self.values[row] * self.values[row])
            self.learner.correct(self.indices, row * self.ntuples.active, change)
            trace *= self.decay
            if trace == 0:
                break
