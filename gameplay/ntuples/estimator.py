# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The base of learned evaluations: an expected result from -1 to 1.  C types: estimator.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.kernel import Estimator

if cython.compiled:
    from cython.cimports.gameplay.kernel import Kernel
    from cython.cimports.libc.math import floor
else:
    from math import floor

    from gameplay.kernel import Kernel


class LearnedEstimator(Estimator):
    """Estimates the expected result. `points`: the value of a certain win."""

    def __init__(self, points):
        self.points = points

    def expect(self, position):
        """The expected result for the first player, from -1 to 1; 0 on an error of the game. C slot."""
        return 0.0

    def value(self, position):
        return cython.cast(cython.int, floor(self.expect(position) * self.points + 0.5))

    def of(self, kernel):
        """The expected result for the first player, from -1 to 1. Re-raises errors of the game."""
        return self.unless_failed(kernel, self.expect(kernel))

    def value_of(self, kernel):
        """The value for the first player, in the unit of searches. Re-raises errors of the game."""
        return self.unless_failed(kernel, self.value(kernel))

    def unless_failed(self, kernel: Kernel, value):
        """Return `value`, or re-raise the error of the game that occurred while it was computed."""
        kernel.reraise()
        return value
