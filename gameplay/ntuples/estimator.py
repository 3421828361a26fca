# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""What evaluations that are learned have in common: an expected result from -1 to 1.  C types:
estimator.pxd."""

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
    """An expected result; a certain win is worth `points`."""

    def __init__(self, points):
        self.points = points

    def expect(self, position):
        """The expected result for the first player, from -1 to 1; 0 on an error of the game. C slot."""
        return 0.0

    def value(self, position):
        return cython.cast(cython.int, floor(self.expect(position) * self.points + 0.5))

    def of(self, kernel):
        """The expected result for the first player, from -1 to 1. Reraises what the game raised."""
        return self.unless_failed(kernel, self.expect(kernel))

    def worth(self, kernel):
        """The value for the first player, as searches have it. Reraises what the game raised."""
        return self.unless_failed(kernel, self.value(kernel))

    def unless_failed(self, kernel: Kernel, value):
        """`value`. Reraises what the game raised while it was computed."""
        if kernel.failed:
            error = kernel.error
            kernel.failed, kernel.error = False, None
            raise error
        return value
