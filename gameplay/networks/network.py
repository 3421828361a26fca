# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""A feed-forward network with sparse inputs, one or two hidden layers and any number of outputs.  C types:
network.pxd.

    sum      bias + the weights of the nonzero inputs, times their amounts
    unit     sum / (1 + |sum|)       softsign: fast, and the same number on every machine
    output   bias + a weighted sum of the last hidden layer: linear; the caller applies tanh or a sigmoid

    weights  layer by layer: a row for each unit of the previous layer, with a weight for each unit of this
             layer, then a row of biases

Inputs are pairs (index, amount). The caller computes the loss, and passes its derivative by each output:

    outputs = network.of([(3, 1.0), (17, 0.5)])
    slopes = [p - t for p, t in zip(map(sigmoid, outputs), targets)]     # of the logistic loss
    network.descend([(3, 1.0), (17, 0.5)], slopes, rate=0.1)             # one step for one sample

    for inputs, target in batch:                                         # or one step for many
        network.accumulate(inputs, slopes_of(network.of(inputs), target))
    network.adam(0.001)

Weights and units are 32-bit floats, and every operation on them is rounded in a fixed order, so that both
builds get the same numbers. The uncompiled build rounds a result when it is stored in an array of floats; for
+, -, * and / of two floats this equals one rounding, since double precision has more than twice the bits.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import random
from array import array
from itertools import pairwise
from operator import add

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import doubles, floats, ints
    from cython.cimports.libc.math import fabs, sqrt
else:
    from math import fabs, sqrt

    from gameplay.native.pointers import doubles, floats, ints

    def add_rows(weights, start, width, indices, amounts, at, count, nodes, base):
        """Add `count` inputs, each an amount times its row of weights, to `width` units."""
        sums = array("f", nodes[base : base + width])  # an array rounds as C does
        for i in range(count):
            row = start + indices[i] * width
            products = array("f", [amounts[at + i] * weight for weight in weights[row : row + width]])
            sums = array("f", map(add, sums, products))
        nodes[base : base + width] = sums

    def add_outputs(weights, start, rows, width, nodes, base, outputs):
        """Add `rows` units, each an amount times its row of weights, to the outputs, in double precision."""
        for i in range(rows):
            unit, row = nodes[base + i], start + i * width
            for j in range(width):
                outputs[j] += unit * weights[row + j]

    def multiply_rows(weights, start, rows, width, errors, products):
        """Write the sum of each row of weights, each weight times its error, in double precision."""
        for i in range(rows):
            row = start + i * width
            total = 0.0
            for error, weight in zip(errors[:width], weights[row : row + width], strict=True):
                total += error * weight
            products[i] = total


LAYERS = 2  # hidden, at most
MAX_UNITS = 512  # of a hidden layer
MAX_OUTPUTS = 4096
MAX_INPUTS = 1 << 16
MAX_NODES = 3 * MAX_UNITS  # floats that forward() writes, at most
BETA1, BETA2 = 0.9, 0.999  # decay rates of Adam
EPS = cython.declare(cython.double, 1e-8)  # in the denominator of Adam
ONE = cython.declare(cython.float, 1.0)


def weights_of(sizes):
    """The number of weights of a network of these sizes. Raises ValueError for sizes out of range."""
    inputs, *hidden, outputs = sizes
    if not (
        0 < len(hidden) <= LAYERS
        and 0 < inputs <= MAX_INPUTS
        and all(0 < units <= MAX_UNITS for units in hidden)
        and 0 < outputs <= MAX_OUTPUTS
    ):
        raise ValueError(f"network of {'x'.join(map(str, sizes))} units: sizes out of range")
    return sum((before + 1) * units for before, units in pairwise(sizes))


class Network:
    """A network with its optimizer. `sizes`: inputs, units of each hidden layer, outputs."""

    def __init__(self, sizes, seed=1):
        """Random weights; `seed` None: zeros. Raises ValueError for sizes out of range."""
        self.sizes = tuple(sizes)
        self.total = weights_of(self.sizes)
        inputs, *hidden, outputs = self.sizes
        self.inputs, self.outputs, self.hidden = inputs, outputs, len(hidden)
        if not cython.compiled:
            self.width, self.place, self.start = [0] * 4, [0] * 4, [0] * 4
        layer: cython.int
        at: cython.int = 0
        self.nodes = max(hidden)  # the first part is for products
        for layer in range(self.hidden + 2):
            self.width[layer] = self.sizes[layer]
            if layer:
                self.start[layer] = at
                at += (self.width[layer - 1] + 1) * self.width[layer]
            if 0 < layer <= self.hidden:
                self.place[layer] = self.nodes
                self.nodes += self.width[layer]
        self.steps = 0
        self._allocate()
        if seed is not None:
            self.randomize(seed)

    def _allocate(self):
        self.weights_owner, self.gradient_owner, self.means_owner, self.squares_owner = [
            memoryview(bytearray(4 * self.total)).cast("f") for _ in range(4)
        ]
        self.deltas_owner, self.nodes_owner = [
            memoryview(bytearray(4 * self.nodes)).cast("f") for _ in range(2)
        ]
        self.indices_owner = memoryview(bytearray(4 * self.inputs)).cast("i")
        self.every_owner = memoryview(array("i", range(MAX_UNITS)))
        self.amounts_owner = memoryview(bytearray(4 * self.inputs)).cast("f")
        self.outputs_owner, self.slopes_owner = [
            memoryview(bytearray(8 * self.outputs)).cast("d") for _ in range(2)
        ]
        self.errors_owner, self.products_owner = [
            memoryview(bytearray(8 * max(self.sizes[1:]))).cast("d") for _ in range(2)
        ]
        self.weights = floats(self.weights_owner)
        self.gradient = floats(self.gradient_owner)
        self.means = floats(self.means_owner)
        self.squares = floats(self.squares_owner)
        self.deltas = floats(self.deltas_owner)
        self.own_nodes = floats(self.nodes_owner)
        self.indices = ints(self.indices_owner)
        self.every = ints(self.every_owner)
        self.amounts = floats(self.amounts_owner)
        self.own_outputs = doubles(self.outputs_owner)
        self.slopes = doubles(self.slopes_owner)
        self.errors = doubles(self.errors_owner)
        self.products = doubles(self.products_owner)

    def randomize(self, seed):
        """Set weights at random within 1 / sqrt(units of the previous layer), biases to 0."""
        rng = random.Random(f"network {seed}")
        layer: cython.int
        i: cython.int
        for layer in range(1, self.hidden + 2):
            weights: cython.int = self.width[layer - 1] * self.width[layer]
            bound = self.width[layer - 1] ** -0.5
            for i in range(self.start[layer], self.start[layer] + weights):
                self.weights[i] = rng.uniform(-bound, bound)
            for i in range(self.start[layer] + weights, self.start[layer] + weights + self.width[layer]):
                self.weights[i] = 0.0

    # -- from Python -----------------------------------------------------------------------------------------

    def of(self, inputs):
        """The outputs for inputs as pairs (index, amount). Raises ValueError for an index out of range."""
        count: cython.int = self.load_inputs(inputs)
        self.forward(self.indices, self.amounts, count, self.own_nodes, self.own_outputs)
        return self.outputs_owner.tolist()

    def descend(self, inputs, slopes, rate: cython.double):
        """Take one step of gradient descent. `slopes`: the derivative of the loss by each output."""
        self.of(inputs)
        self.load_slopes(slopes)
        count: cython.int = len(inputs)
        self.backward(self.indices, self.amounts, count, self.own_nodes, self.slopes, self.weights, -rate)

    def accumulate(self, inputs, slopes, weight: cython.double = 1.0):
        """Add `weight` times the gradient for one sample to `gradient_owner`."""
        self.of(inputs)
        self.load_slopes(slopes)
        count: cython.int = len(inputs)
        self.backward(self.indices, self.amounts, count, self.own_nodes, self.slopes, self.gradient, weight)

    def adam(self, rate: cython.double):
        """Take one step of Adam (Kingma and Ba 2015) with the accumulated gradient, and clear it."""
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
            self.weights[i] = cython.cast(cython.float, weight)
            self.gradient[i] = 0.0

    def load_inputs(self, inputs):
        """Copy inputs given as pairs; return their number. Raises ValueError for an index out of range."""
        number: cython.int = 0
        if len(inputs) > self.inputs:
            raise ValueError(f"{len(inputs)} inputs: expected at most {self.inputs}")
        for index, amount in inputs:
            if not 0 <= index < self.inputs:
                raise ValueError(f"input {index}: expected 0 to {self.inputs - 1}")
            self.indices[number] = index
            self.amounts[number] = amount
            number += 1
        return number

    def load_slopes(self, slopes):
        """Copy the derivatives of a loss. Raises ValueError unless there is one for each output."""
        o: cython.int
        if len(slopes) != self.outputs:
            raise ValueError(f"{len(slopes)} slopes: expected one of each of {self.outputs} outputs")
        for o in range(self.outputs):
            self.slopes[o] = slopes[o]

    # -- the passes ------------------------------------------------------------------------------------------

    def forward(self, indices, amounts, count, nodes, outputs):
        """Write the outputs for `count` inputs; `nodes`, room for so many floats, keeps the hidden units."""
        layer: cython.int
        j: cython.int
        # 1. The hidden layers.
        self.sum_inputs(1, indices, amounts, 0, count, nodes)
        for layer in range(2, self.hidden + 1):
            self.sum_inputs(layer, self.every, nodes, self.place[layer - 1], self.width[layer - 1], nodes)
        # 2. The outputs, in double precision.
        layer = self.hidden + 1
        width: cython.int = self.width[layer - 1]
        start: cython.int = self.start[layer]
        for j in range(self.outputs):
            outputs[j] = self.weights[start + width * self.outputs + j]
        add_outputs(self.weights, start, width, self.outputs, nodes, self.place[layer - 1], outputs)

    def sum_inputs(self, layer, indices, amounts, at, count, nodes):
        """Write the units of a hidden layer; its inputs are indices[:count], with amounts from `at` on."""
        width: cython.int = self.width[layer]
        base: cython.int = self.place[layer]
        biases: cython.int = self.start[layer] + self.width[layer - 1] * width
        j: cython.int
        for j in range(width):
            nodes[base + j] = self.weights[biases + j]
        add_rows(self.weights, self.start[layer], width, indices, amounts, at, count, nodes, base)
        self.squash(nodes, base, width)

    def squash(self, nodes, base, width):
        """Apply softsign to the units of a layer."""
        j: cython.int
        for j in range(width):
            size: cython.float = nodes[base + j] if nodes[base + j] >= 0 else -nodes[base + j]
            nodes[j] = ONE + size
            nodes[base + j] = nodes[base + j] / nodes[j]

    def backward(self, indices, amounts, count, nodes, slopes, target, factor):
        """Add `factor` times the gradient to `target`, which is laid out as the weights, or the weights.

        `nodes`: written by forward() for these inputs; `slopes`: the derivative of the loss by each output.
        """
        weights: cython.p_float = self.weights
        layer: cython.int
        i: cython.int
        j: cython.int
        change: cython.double
        errors: cython.p_double = self.errors  # the derivatives of the loss by the sums of a layer
        # 1. From the outputs down to the first hidden layer, in double precision.
        for layer in range(self.hidden + 1, 1, -1):
            width: cython.int = self.width[layer]
            above: cython.int = self.place[layer]
            below: cython.int = self.place[layer - 1]
            for j in range(width):
                errors[j] = slopes[j] if layer > self.hidden else self.deltas[above + j]
            multiply_rows(weights, self.start[layer], self.width[layer - 1], width, errors, self.products)
            for i in range(self.width[layer - 1] + 1):
                row: cython.int = self.start[layer] + i * width
                bias: cython.bint = i == self.width[layer - 1]
                unit: cython.double = 1.0 if bias else nodes[below + i]
                for j in range(width):
                    change = target[row + j] + factor * unit * errors[j]
                    target[row + j] = cython.cast(cython.float, change)
                if not bias:
                    steep: cython.double = 1.0 - fabs(unit)  # its square is the derivative of softsign
                    change = self.products[i] * steep * steep
                    self.deltas[below + i] = cython.cast(cython.float, change)
        # 2. The weights of the nonzero inputs, and the biases.
        deltas: cython.p_float = self.deltas
        width = self.width[1]
        below = self.place[1]
        for i in range(count + 1):
            row = self.start[1] + (self.inputs if i == count else indices[i]) * width
            nodes[0] = cython.cast(cython.float, factor if i == count else factor * amounts[i])
            scale: cython.float = nodes[0]
            for j in range(width):
                nodes[j] = scale * deltas[below + j]
                target[row + j] = target[row + j] + nodes[j]
