# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Backgammon evaluation before the bear-off: a network with two hidden layers.  C types: learned_network.pxd.

The weights, in `learned.toml` and `.bin`, were learned by self-play alone (`gameplay learn backgammon
--network`). They are 16-bit integers in units of 1 / SCALE:

    for each phase of the game one row per input, with a weight for each unit of the first layer. Inputs of
        each side, the player on roll first: four per point (at least 1, 2, 3 checkers; each checker beyond
        three), each checker on the bar, each checker borne off (see `gameplay.games.backgammon.inputs`)
    one row per feature of contact (contact_features.py), of the player on roll first, in 256ths
    one row of biases of these units
    for each of them a weight for each unit of the second layer; then the biases of the second layer
    for each unit of the second layer a weight for each output; then the biases of the outputs

A unit is sum / (1 + |sum|), in the first layer rounded towards 0 to a multiple of 1 / SCALE. The outputs are
logits of the probabilities that the player on roll wins at least 1, 2, 3 points and loses at least 1, 2, 3.

The sums of both layers over units are integers, therefore exact and equal in both builds. Those of the first
layer are cached for each side on roll and each phase, with the checkers that they belong to. The next
position, usually after another move of the same roll, changes only the rows of a few checkers.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

if cython.compiled:
    from cython.cimports.gameplay.games.backgammon.contact_features import FEATURES, ContactFeatures
    from cython.cimports.gameplay.games.backgammon.evaluation import BackgammonEvaluation
    from cython.cimports.gameplay.games.backgammon.phases import PHASES, phase_of
    from cython.cimports.libc.math import exp, fabs, floor
else:
    from math import exp, fabs, floor

    from gameplay.games.backgammon.contact_features import FEATURES, ContactFeatures
    from gameplay.games.backgammon.evaluation import BackgammonEvaluation
    from gameplay.games.backgammon.layout import *
    from gameplay.games.backgammon.phases import PHASES, phase_of

    UNITS_1 = 224  # of the first layer

    def weighted_sum(values, weights, row, count):
        """The sum of `count` values, each times its weight in weights[row:]."""
        return sum([value * weight for value, weight in zip(values, weights[row : row + count], strict=True)])


SIDE = cython.declare(cython.int, 98)  # inputs of a side
UNITS_2 = cython.declare(cython.int, 64)
OUTPUTS = cython.declare(cython.int, 6)
FEATURE_WEIGHTS = cython.declare(cython.int, 2 * SIDE * PHASES * UNITS_1)  # offsets in the weights
BIASES_1 = cython.declare(cython.int, FEATURE_WEIGHTS + FEATURES * UNITS_1)
WEIGHTS_2 = cython.declare(cython.int, BIASES_1 + UNITS_1)
BIASES_2 = cython.declare(cython.int, WEIGHTS_2 + UNITS_1 * UNITS_2)
WEIGHTS_3 = cython.declare(cython.int, BIASES_2 + UNITS_2)
BIASES_3 = cython.declare(cython.int, WEIGHTS_3 + UNITS_2 * OUTPUTS)
TOTAL = cython.declare(cython.int, BIASES_3 + OUTPUTS)
SCALE = cython.declare(cython.double, 1024.0)
FEATURE_SCALE = cython.declare(cython.double, 256.0)
MAX_FEATURE = cython.declare(cython.double, 2_047.0)  # a sum of 24 features fits into 32 bits
MAX_WEIGHT = cython.declare(cython.int, 9_362)  # of the second layer: a sum of 224 units fits into 32 bits
MAX_LOGIT = cython.declare(cython.double, 40.0)  # beyond it the probability is 0 or 1 in effect


class LearnedNetwork(BackgammonEvaluation):
    """Evaluates races and contact with little-endian weights. Raises ValueError if their number is wrong."""

    def __init__(self, weights):
        BackgammonEvaluation.__init__(self)
        if len(weights) != 2 * TOTAL:
            raise ValueError(f"{len(weights)} bytes of weights: expected {2 * TOTAL}")
        self.weights = weights
        self.contact_features = ContactFeatures()
        if cython.compiled:
            raw: cython.p_char = self.weights
            self.weight = cython.cast(cython.p_short, raw)
        else:
            self.weight = array("h", weights).tolist()
            self.units, self.second = [0] * UNITS_1, [0] * (UNITS_1 * UNITS_2)
            self.added = [0] * UNITS_1
            self.features, self.first = [0] * FEATURES, [0] * (FEATURES * UNITS_1)
            self.sums = [[0] * UNITS_1 for _ in range(2 * PHASES)]
            self.counted = [[0] * 2 * OTHER for _ in range(2 * PHASES)]
        j: cython.int
        k: cython.int
        for k in range(UNITS_2):
            for j in range(UNITS_1):
                weight: cython.int = self.weight[WEIGHTS_2 + UNITS_2 * j + k]
                self.second[UNITS_1 * k + j] = max(-MAX_WEIGHT, min(MAX_WEIGHT, weight))
        for j in range(UNITS_1):
            for k in range(FEATURES):
                self.first[FEATURES * j + k] = self.weight[FEATURE_WEIGHTS + UNITS_1 * k + j]
        for k in range(2 * PHASES):
            for j in range(UNITS_1):
                self.sums[k][j] = self.weight[BIASES_1 + j]

    def race(self, checkers, me):
        return self.contact(checkers, me)

    def contact(self, checkers, me):
        logits = cython.declare(cython.double[6])
        if not cython.compiled:
            logits = [0.0] * OUTPUTS
        j: cython.int
        k: cython.int
        place: cython.int
        # 1. Sums of the first layer: update the rows of the checkers that differ from the last position.
        view: cython.int = 2 * phase_of(checkers, me) + (1 if me else 0)
        for place in range(2 * OTHER):
            if self.counted[view][place] != checkers[place]:
                self.recount(view, place, checkers[place])
        # 2. Its units, with the features of contact.
        self.read_features(checkers, me)
        for j in range(UNITS_1):
            self.added[j] = weighted_sum(self.features, self.first, FEATURES * j, FEATURES)
        for j in range(UNITS_1):
            total: cython.double = self.sums[view][j] + self.added[j] / FEATURE_SCALE
            self.units[j] = cython.cast(cython.int, SCALE * total / (SCALE + fabs(total)))
        # 3. The second layer and the outputs.
        for k in range(OUTPUTS):
            logits[k] = self.weight[BIASES_3 + k]
        for k in range(UNITS_2):
            total = weighted_sum(self.units, self.second, UNITS_1 * k, UNITS_1) / SCALE
            total += self.weight[BIASES_2 + k]
            total = total / (SCALE + fabs(total))
            for j in range(OUTPUTS):
                logits[j] += total * self.weight[WEIGHTS_3 + OUTPUTS * k + j]
        # 4. Expected points: those won less those lost.
        equity: cython.double = 0.0
        for k in range(OUTPUTS):
            logit: cython.double = max(-MAX_LOGIT, min(MAX_LOGIT, logits[k] / SCALE))
            self.chances[k] = 1.0 / (1.0 + exp(-logit))
            equity += self.chances[k] if k < OUTPUTS // 2 else -self.chances[k]
        return cython.cast(cython.int, floor(POINT * equity + 0.5))

    def read_features(self, checkers, me):
        """Set `features`, to 0 without contact."""
        amounts = cython.declare(cython.double[24])
        if not cython.compiled:
            amounts = [0.0] * FEATURES
        has_contact: cython.bint = self.contact_features.read(checkers, me, amounts)
        i: cython.int
        for i in range(FEATURES):
            amount: cython.double = FEATURE_SCALE * amounts[i] + 0.5 if has_contact else 0.0
            self.features[i] = cython.cast(cython.int, min(MAX_FEATURE, amount))

    def recount(self, view, place, count):
        """Update sums after a place changed to `count` checkers; view: the player on roll and the phase."""
        point: cython.int = place % OTHER
        base: cython.int = 2 * SIDE * (view >> 1)
        if (place >= OTHER) != view & 1:
            base += SIDE
        before: cython.int = self.counted[view][place]
        self.counted[view][place] = count
        number: cython.int
        for number in range(min(before, count), max(before, count)):
            row: cython.int = base + 4 * point - 4 + min(number, 3)
            if point == BAR:
                row = base + SIDE - 2
            elif point == 0:
                row = base + SIDE - 1
            self.add(view, row * UNITS_1, count > before)

    def add(self, view, row, adding):
        """Add a row of weights to the sums; subtract it if `adding` is false."""
        j: cython.int
        if not cython.compiled:
            sign = 1 if adding else -1
            weights = self.weight[row : row + UNITS_1]
            sums = self.sums[view]
            self.sums[view] = [old + sign * new for old, new in zip(sums, weights, strict=True)]
        elif adding:
            for j in range(UNITS_1):
                self.sums[view][j] += self.weight[row + j]
        else:
            for j in range(UNITS_1):
                self.sums[view][j] -= self.weight[row + j]
