# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Backgammon contact evaluation: a network with one hidden layer.  C types: contact_network.pxd.

The weights, in `learned.toml` and `.bin`, were learned by self-play alone (`gameplay learn backgammon
--network`). They are 16-bit integers in units of 1 / SCALE, so sums are exact and equal in both builds:

    one row per input, with a weight for each hidden unit. Inputs of each side, the player on roll first:
        four per point (at least 1, 2, 3 checkers; each checker beyond three), each checker on the bar, each
        checker borne off (Tesauro 1992; see `gameplay.games.backgammon.inputs`)
    one row of biases of the hidden units
    for each hidden unit a weight for each output; then the biases of the outputs

The outputs are logits of the probabilities that the player on roll wins at least 1, 2, 3 points and loses at
least 1, 2, 3.

The sums of the hidden units are cached for each side on roll, with the checkers that they belong to. The next
position, usually after another move of the same roll, changes only the rows of a few checkers.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

if cython.compiled:
    from cython.cimports.gameplay.games.backgammon.evaluation import BackgammonEvaluation
    from cython.cimports.libc.math import exp, fabs, floor
else:
    from math import exp, fabs, floor

    from gameplay.games.backgammon.evaluation import BackgammonEvaluation
    from gameplay.games.backgammon.layout import *

SIDE = cython.declare(cython.int, 98)  # inputs of a side
UNITS = cython.declare(cython.int, 160)
OUTPUTS = cython.declare(cython.int, 6)
SCALE = cython.declare(cython.double, 1024.0)
MAX_LOGIT = cython.declare(cython.double, 40.0)  # beyond it the probability is 0 or 1 in effect


class ContactNetwork(BackgammonEvaluation):
    """Contact evaluation with little-endian weights. Raises ValueError if their number is wrong."""

    def __init__(self, weights):
        BackgammonEvaluation.__init__(self)
        if len(weights) != 2 * ((2 * SIDE + 1) * UNITS + (UNITS + 1) * OUTPUTS):
            raise ValueError(f"{len(weights)} bytes of weights: expected those of {UNITS} units")
        self.weights = weights
        if cython.compiled:
            raw: cython.p_char = self.weights
            self.weight = cython.cast(cython.p_short, raw)
        else:
            self.weight = array("h", weights).tolist()
            self.sums = [[0] * UNITS for _ in range(2)]
            self.counted = [[0] * 2 * OTHER for _ in range(2)]
        j: cython.int
        for j in range(UNITS):
            self.sums[0][j] = self.sums[1][j] = self.weight[2 * SIDE * UNITS + j]

    def contact(self, checkers, me):
        logits = cython.declare(cython.double[6])
        if not cython.compiled:
            logits = [0.0] * OUTPUTS
        j: cython.int
        k: cython.int
        place: cython.int
        # 1. The hidden layer: update the rows of the checkers that differ from the last position.
        roller: cython.int = 1 if me else 0
        for place in range(2 * OTHER):
            if self.counted[roller][place] != checkers[place]:
                self.recount(roller, place, checkers[place])
        # 2. The outputs.
        row: cython.int = (2 * SIDE + 1) * UNITS
        for k in range(OUTPUTS):
            logits[k] = self.weight[row + UNITS * OUTPUTS + k]
        for j in range(UNITS):
            total: cython.double = self.sums[roller][j]
            unit: cython.double = total / (SCALE + fabs(total))
            for k in range(OUTPUTS):
                logits[k] += unit * self.weight[row + OUTPUTS * j + k]
        # 3. Expected points: those won less those lost.
        equity: cython.double = 0.0
        for k in range(OUTPUTS):
            logit: cython.double = max(-MAX_LOGIT, min(MAX_LOGIT, logits[k] / SCALE))
            chance: cython.double = 1.0 / (1.0 + exp(-logit))
            equity += chance if k < OUTPUTS // 2 else -chance
        return cython.cast(cython.int, floor(POINT * equity + 0.5))

    def recount(self, roller, place, count):
        """Update the sums of a player on roll after a place changed to `count` checkers."""
        point: cython.int = place % OTHER
        base: cython.int = SIDE if (place >= OTHER) != roller else 0
        before: cython.int = self.counted[roller][place]
        self.counted[roller][place] = count
        number: cython.int
        for number in range(min(before, count), max(before, count)):
            row: cython.int = base + 4 * point - 4 + min(number, 3)
            if point == BAR:
                row = base + SIDE - 2
            elif point == 0:
                row = base + SIDE - 1
            self.add(roller, row * UNITS, count > before)

    def add(self, roller, row, adding):
        """Add a row of weights to the sums; subtract it if `adding` is false."""
        j: cython.int
        if not cython.compiled:
            sign = 1 if adding else -1
            weights = self.weight[row : row + UNITS]
            sums = self.sums[roller]
            self.sums[roller] = [old + sign * new for old, new in zip(sums, weights, strict=True)]
        elif adding:
            for j in range(UNITS):
                self.sums[roller][j] += self.weight[row + j]
        else:
            for j in range(UNITS):
                self.sums[roller][j] -= self.weight[row + j]
