# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The likelihood of results under a logistic model, with its derivatives.  C types: regression.pxd.

With x a row of inputs, y its result (0 to 1) and p = 1 / (1 + exp(-theta . x)), the loss of a row is

    -(y ln p + (1 - y) ln(1 - p)),  its gradient (p - y) x,  its second derivatives p (1 - p) x x'

Sums go from the first row to the last, in both builds: they are the same to the last bit.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import doubles
    from cython.cimports.libc.math import exp, fabs, log1p
else:
    from math import exp, fabs, log1p

    from gameplay.native.pointers import doubles


class Regression:
    """Rows of inputs with their results. Raises ValueError if their lengths differ."""

    def __init__(self, inputs, results):
        """`inputs` and `results` are arrays of doubles; the first holds the rows one after the other."""
        rows = len(results)
        if not rows or len(inputs) % rows:
            raise ValueError(f"{len(inputs)} inputs for {rows} results")
        self.rows, self.columns = rows, len(inputs) // rows
        self.inputs_owner, self.results_owner = memoryview(inputs), memoryview(results)
        self.slope_owner = memoryview(bytearray(8 * self.columns)).cast("d")
        self.curvature_owner = memoryview(bytearray(8 * self.columns * self.columns)).cast("d")
        self.inputs = doubles(self.inputs_owner)
        self.results = doubles(self.results_owner)
        self.slope = doubles(self.slope_owner)
        self.curvature = doubles(self.curvature_owner)

    def sums(self, theta):
        """The loss of all rows at `theta`, its gradient, and the rows of its second derivatives."""
        n: cython.int = self.columns
        if len(theta) != n:
            raise ValueError(f"{len(theta)} parameters for {n} columns")
        point_owner = memoryview(bytearray(8 * n)).cast("d")
        i: cython.int
        for i in range(n):
            point_owner[i] = theta[i]
        loss: cython.double = self.gather(doubles(point_owner))
        table = self.curvature_owner.tolist()
        return loss, self.slope_owner.tolist(), [table[i * n : (i + 1) * n] for i in range(n)]

    def gather(self, at):
        """Compute what `sums` returns; the loss is the result."""
        n: cython.int = self.columns
        i: cython.int
        j: cython.int
        row: cython.int
        for i in range(n):
            self.slope[i] = 0.0
        for i in range(n * n):
            self.curvature[i] = 0.0
        loss: cython.double = 0.0
        for row in range(self.rows):
            base: cython.Py_ssize_t = row * cython.cast(cython.Py_ssize_t, n)
            # 1. The prediction and its loss, without overflow.
            z: cython.double = 0.0
            for i in range(n):
                z += at[i] * self.inputs[base + i]
            small: cython.double = exp(-fabs(z))
            p: cython.double = 1.0 / (1.0 + small) if z >= 0 else small / (1.0 + small)
            y: cython.double = self.results[row]
            loss += log1p(small) + (z if z > 0 else 0.0) - y * z
            # 2. The derivatives; most inputs are 0.
            error: cython.double = p - y
            spread: cython.double = p * (1.0 - p)
            for i in range(n):
                x: cython.double = self.inputs[base + i]
                if x != 0.0:
                    self.slope[i] += error * x
                    part: cython.double = spread * x
                    for j in range(i, n):
                        self.curvature[i * n + j] += part * self.inputs[base + j]
        for i in range(n):
            for j in range(i):
                self.curvature[i * n + j] = self.curvature[j * n + i]
        return loss
