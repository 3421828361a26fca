# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Contact in backgammon by a network with one hidden layer.  C types: contact_network.pxd.

The weights, in `learned.toml` and `.bin`, were learned by self-play alone (`gameplay learn backgammon
--network`): 16-bit numbers in units of 1 / SCALE, and sums of them are whole numbers, so that both builds get
the same. A row of weights, one of each hidden unit, belongs to each input:

    of each side, the player on roll first: four a point (at least 1, 2, 3 checkers; each checker beyond
    three), each checker on the bar, each that is off (Tesauro 1992, and `gameplay.games.backgammon.inputs`)

then comes a row of biases, then for each hidden unit a weight of each output, then their biases. The outputs
are logits of the probabilities that the player on roll wins 1, 2, 3 points or more, and loses so many.
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
FARTHEST = cython.declare(cython.double, 40.0)  # logit: the probability is then 0 or 1 in effect


class ContactNetwork(BackgammonEvaluation):
    """Values contact under weights, the lower byte first. Raises ValueError for another number of them."""

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

    def contact(self, men, me):
        sums = cython.declare(cython.int[160])
        logits = cython.declare(cython.double[6])
        if not cython.compiled:
            sums, logits = [0] * UNITS, [0.0] * OUTPUTS
        side: cython.int
        point: cython.int
        j: cython.int
        k: cython.int
        # 1. The hidden layer: biases, and the rows of the inputs that are not 0.
        row: cython.int = 2 * SIDE * UNITS
        for j in range(UNITS):
            sums[j] = self.weight[row + j]
        for side in range(2):
            base: cython.int = SIDE * side
            own: cython.int = me if side == 0 else OTHER - me
            for point in range(1, BAR):
                checkers: cython.int = men[own + point]
                if checkers:
                    row = base + 4 * point - 4
                    for k in range(min(checkers, 3)):
                        self.add(sums, row + k, 1)
                    if checkers > 3:
                        self.add(sums, row + 3, checkers - 3)
            if men[own + BAR]:
                self.add(sums, base + SIDE - 2, men[own + BAR])
            if men[own]:
                self.add(sums, base + SIDE - 1, men[own])
        # 2. The outputs.
        row = (2 * SIDE + 1) * UNITS
        for k in range(OUTPUTS):
            logits[k] = self.weight[row + UNITS * OUTPUTS + k]
        for j in range(UNITS):
            total: cython.double = sums[j]
            unit: cython.double = total / (SCALE + fabs(total))
            for k in range(OUTPUTS):
                logits[k] += unit * self.weight[row + OUTPUTS * j + k]
        # 3. Points that are won, less those that are lost.
        equity: cython.double = 0.0
        for k in range(OUTPUTS):
            logit: cython.double = max(-FARTHEST, min(FARTHEST, logits[k] / SCALE))
            chance: cython.double = 1.0 / (1.0 + exp(-logit))
            equity += chance if k < OUTPUTS // 2 else -chance
        return cython.cast(cython.int, floor(POINT * equity + 0.5))

    def add(self, sums, row, amount):
        """Add a row of weights so many times."""
        j: cython.int
        row *= UNITS
        if cython.compiled:
            for j in range(UNITS):
                sums[j] += amount * self.weight[row + j]
        else:
            weights = self.weight[row : row + UNITS]
            sums[:] = [old + amount * new for old, new in zip(sums, weights, strict=True)]
