# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Fits the network of `games/chess/correction.py` to samples, by Adam in minibatches.  C types: trainer.pxd.

The loss of a sample is that of logistic regression, with

    prediction   sigmoid((classic + counts * network) / logit_scale)
    target       search_share * sigmoid(search / logit_scale) + (1 - search_share) * result

Training begins with a network whose outputs are 0, which predicts as `classic` does. Weights and sums are
32-bit floats, and every operation on them is rounded in a fixed order, so that both builds get the same
results (see `gameplay.networks.network`).
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

from gameplay.games.chess.correction import ONE, PARTS, SHAPE
from gameplay.learning.correction.samples import ROW

if cython.compiled:
    from cython.cimports.gameplay.native.bits import lowest
    from cython.cimports.gameplay.native.hashing import GOLDEN, finalize
    from cython.cimports.gameplay.native.pointers import floats, ints, shorts, uchars
    from cython.cimports.libc.math import exp, fabs, floor, log, sqrt
else:
    from math import exp, fabs, floor, log, sqrt

    from gameplay.native.bits import lowest
    from gameplay.native.hashing import GOLDEN, finalize
    from gameplay.native.pointers import floats, ints, shorts, uchars

M64 = (1 << 64) - 1
BETA1, BETA2 = 0.9, 0.999  # decay rates of Adam
EPS = cython.declare(cython.double, 1e-8)  # in the denominator of Adam
BOUND = cython.declare(cython.double, 1.98)  # of an input: the sum of 32 fits into 16 bits
WEIGHT_DECAY = cython.declare(cython.double, 0.3)  # of the weights of inputs, per step, times the rate
MAX_LOGIT = cython.declare(cython.double, 40.0)  # beyond it the probability is practically 0 or 1
ROW_C = cython.declare(cython.int, ROW)
INT16_MAX = cython.declare(cython.double, 32767.0)


def sigmoid(logit):
    """1 / (1 + exp(-logit))."""
    if logit < -MAX_LOGIT:
        logit = -MAX_LOGIT
    return 1.0 / (1.0 + exp(-logit))


class CorrectionTrainer:
    """A network and its optimizer.

    `logit_scale`: hundredths of a pawn per logit; `search_share`: of the search's value in the target.
    """

    def __init__(self, seed: int, logit_scale: float, search_share: float):
        self.inputs, self.units, self.outputs = SHAPE
        self.first = self.inputs * self.units
        self.second = self.first + self.units
        self.biases = self.second + 2 * self.units * self.outputs
        self.total = self.biases + self.outputs
        self.steps = 0
        self.logit_scale, self.search_share = logit_scale, search_share
        self.weights_owner, self.gradient_owner, self.means_owner, self.squares_owner = [
            memoryview(bytearray(4 * self.total)).cast("f") for _ in range(4)
        ]
        self.sums_owner, self.deltas_owner = [
            memoryview(bytearray(8 * self.units)).cast("f") for _ in range(2)
        ]
        self.weights = floats(self.weights_owner)
        self.gradient = floats(self.gradient_owner)
        self.means = floats(self.means_owner)
        self.squares = floats(self.squares_owner)
        self.sums = floats(self.sums_owner)
        self.deltas = floats(self.deltas_owner)
        if not cython.compiled:
            self.rows = [0] * 64
        self.randomize(seed)

    def randomize(self, seed):
        """Set the weights of inputs at random from -0.1 to 0.1, the biases of units to 0.25."""
        state: cython.ulonglong = seed & M64
        i: cython.int
        for i in range(self.first):
            state = (state + GOLDEN) & M64
            draw: cython.double = (finalize(state) >> 11) * 2.0**-53
            draw = 0.2 * draw - 0.1
            self.weights[i] = cython.cast(cython.float, draw)
        for i in range(self.first, self.second):
            self.weights[i] = 0.25

    # -- learning ------------------------------------------------------------------------------------------

    def epoch(self, samples, order, begin: int, end: int, batch: int, rate: cython.double):
        """Learn from the samples order[begin:end] in minibatches; return the sum of their losses.

        `samples`: a writable buffer of rows; `order`: a memoryview of C ints, the indices of rows.
        """
        rows: cython.p_uchar = uchars(samples)
        indices: cython.p_int = ints(order)
        total: cython.double = 0.0
        first: cython.int = begin
        last: cython.int = end
        size: cython.int = batch
        i: cython.int
        while first < last:
            until: cython.int = min(last, first + size)
            factor: cython.double = 1.0 / (until - first)
            for i in range(first, until):
                at: cython.size_t = cython.cast(cython.size_t, indices[i]) * ROW_C
                total += self.learn(rows + at if cython.compiled else samples[at : at + ROW], factor)
            self.adam(rate)
            first = until
        return total

    def losses(self, samples, order, begin: int, end: int):
        """The sums of the losses of samples, by `classic` alone and by the network."""
        rows: cython.p_uchar = uchars(samples)
        indices: cython.p_int = ints(order)
        classic: cython.double = 0.0
        corrected: cython.double = 0.0
        i: cython.int
        for i in range(begin, end):
            at: cython.size_t = cython.cast(cython.size_t, indices[i]) * ROW_C
            self.load(rows + at if cython.compiled else samples[at : at + ROW])
            classic += self.loss(self.base)
            corrected += self.loss(self.base + self.share * self.forward())
        return classic, corrected

    def accumulate(self, row, factor: cython.double = 1.0):
        """Add `factor` times the gradient of a sample to `gradient_owner`; return its loss."""
        return self.learn(uchars(row), factor)

    def learn(self, row, factor):
        """`accumulate`, in C."""
        self.load(row)
        logit: cython.double = self.base + self.share * self.forward()
        self.backward(factor * self.share * (sigmoid(logit) - self.target))
        return self.loss(logit)

    def loss(self, logit):
        """The loss of the loaded sample, in nats."""
        size: cython.double = fabs(logit)
        softplus: cython.double = log(1.0 + exp(-size if size < MAX_LOGIT else -MAX_LOGIT))
        return softplus + (0.0 if logit < 0 else logit) - self.target * logit

    def load(self, row):
        """Load a sample."""
        i: cython.int
        occupied: cython.ulonglong = 0
        for i in range(8):
            occupied |= cython.cast(cython.ulonglong, row[i]) << (8 * i)
        # 1. The kings: squares are counted from the h-file for a king on files e to h.
        wings: cython.int[2] = [0, 0]
        rest: cython.ulonglong = occupied
        count: cython.int = 0
        while rest:
            code: cython.int = (row[8 + (count >> 1)] >> (4 * (count & 1))) & 15
            if code == 5:
                wings[0] = 7 if lowest(rest) & 4 else 0
            elif code == 11:
                wings[1] = 7 if lowest(rest) & 4 else 0
            rest &= rest - 1
            count += 1
        # 2. The inputs of both sides.
        self.pieces = count
        self.number = (count - 1) >> 3
        count = 0
        while occupied:
            square: cython.int = lowest(occupied)
            occupied &= occupied - 1
            code = (row[8 + (count >> 1)] >> (4 * (count & 1))) & 15
            reversed_code: cython.int = code + 6 if code < 6 else code - 6
            self.rows[2 * count] = self.units * (64 * code + (square ^ wings[0]))
            self.rows[2 * count + 1] = self.units * (64 * reversed_code + (square ^ 56 ^ wings[1]))
            count += 1
        # 3. The values.
        base: cython.int = row[24] | row[25] << 8
        value: cython.int = row[26] | row[27] << 8
        self.base = (base - 65536 if base > 32767 else base) / self.logit_scale
        self.target = (value - 65536 if value > 32767 else value) / self.logit_scale
        self.target = self.search_share * sigmoid(self.target) + (1.0 - self.search_share) * 0.5 * row[28]
        self.share = row[29] / 64.0

    def forward(self):
        """The output for the loaded sample, as a logit."""
        units: cython.int = self.units
        weights: cython.p_float = self.weights
        sums: cython.p_float = self.sums
        i: cython.int
        j: cython.int
        for j in range(units):
            sums[j] = weights[self.first + j]
            sums[units + j] = weights[self.first + j]
        for i in range(self.pieces):
            own: cython.int = self.rows[2 * i]
            other: cython.int = self.rows[2 * i + 1]
            for j in range(units):
                sums[j] = sums[j] + weights[own + j]
            for j in range(units):
                sums[units + j] = sums[units + j] + weights[other + j]
        total: cython.double = weights[self.biases + self.number]
        row: cython.int = self.second + 2 * units * self.number
        for j in range(2 * units):
            unit: cython.double = sums[j]
            unit = 0.0 if unit < 0.0 else 1.0 if unit > 1.0 else unit
            total += unit * unit * weights[row + j]
        return total

    def backward(self, slope):
        """Add the gradient for the sample of the last `forward`; `slope`: of the loss by the output."""
        units: cython.int = self.units
        weights: cython.p_float = self.weights
        gradient: cython.p_float = self.gradient
        deltas: cython.p_float = self.deltas
        row: cython.int = self.second + 2 * units * self.number
        i: cython.int
        j: cython.int
        change: cython.double = gradient[self.biases + self.number] + slope
        gradient[self.biases + self.number] = cython.cast(cython.float, change)
        for j in range(2 * units):
            unit: cython.double = self.sums[j]
            change = 0.0
            if 0.0 < unit < 1.0:
                change = 2.0 * slope * unit * weights[row + j]
            deltas[j] = cython.cast(cython.float, change)
            unit = 0.0 if unit < 0.0 else 1.0 if unit > 1.0 else unit
            change = gradient[row + j] + slope * unit * unit
            gradient[row + j] = cython.cast(cython.float, change)
        for j in range(units):
            gradient[self.first + j] = gradient[self.first + j] + deltas[j]
        for j in range(units):
            gradient[self.first + j] = gradient[self.first + j] + deltas[units + j]
        for i in range(self.pieces):
            own: cython.int = self.rows[2 * i]
            other: cython.int = self.rows[2 * i + 1]
            for j in range(units):
                gradient[own + j] = gradient[own + j] + deltas[j]
            for j in range(units):
                gradient[other + j] = gradient[other + j] + deltas[units + j]

    def adam(self, rate: cython.double):
        """Take one step of Adam (Kingma and Ba 2015) with the accumulated gradient, and clear it.

        The weights of the inputs decay (AdamW, Loshchilov and Hutter 2019): most occur in few samples.
        """
        self.steps += 1
        first: cython.double = 1 - BETA1**self.steps
        second: cython.double = 1 - BETA2**self.steps
        beta1: cython.double = BETA1
        beta2: cython.double = BETA2
        i: cython.int
        for i in range(self.total):
            slope: cython.double = self.gradient[i]
            mean: cython.double = beta1 * self.means[i] + (1 - beta1) * slope
            square: cython.double = beta2 * self.squares[i] + (1 - beta2) * slope * slope
            self.means[i] = cython.cast(cython.float, mean)
            self.squares[i] = cython.cast(cython.float, square)
            weight: cython.double = self.weights[i] - rate * (mean / first) / (sqrt(square / second) + EPS)
            if i < self.first:
                weight -= rate * WEIGHT_DECAY * self.weights[i]
                weight = BOUND if weight > BOUND else -BOUND if weight < -BOUND else weight
            self.weights[i] = cython.cast(cython.float, weight)
            self.gradient[i] = 0.0

    # -- weights ---------------------------------------------------------------------------------------------

    def packed(self) -> bytes:
        """The weights as 16-bit integers, for the evaluation."""
        numbers = array("h", bytes(2 * self.total))
        places: cython.p_short = shorts(memoryview(numbers))
        scale: cython.double = ONE
        i: cython.int
        for i in range(self.total):
            if i == self.second:
                scale = self.logit_scale * PARTS
            weight: cython.double = floor(self.weights[i] * scale + 0.5)
            weight = INT16_MAX if weight > INT16_MAX else -INT16_MAX if weight < -INT16_MAX else weight
            places[i] = cython.cast(cython.int, weight)
        return numbers.tobytes()


def shuffled(count: int, seed: int) -> memoryview:
    """The integers below `count` in random order, as C ints; the same for the same seed."""
    order = memoryview(array("i", range(count)))
    numbers: cython.p_int = ints(order)
    state: cython.ulonglong = seed & M64
    i: cython.int
    for i in range(count - 1, 0, -1):
        state = (state + GOLDEN) & M64
        j: cython.int = cython.cast(cython.int, ((finalize(state) >> 32) * (i + 1)) >> 32)
        number: cython.int = numbers[i]
        numbers[i] = numbers[j]
        numbers[j] = number
    return order
