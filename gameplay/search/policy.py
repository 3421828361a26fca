# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Interface of a learned policy: a value and move probabilities.  C types: policy.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.kernel import Estimator


class PolicyEstimator(Estimator):
    """An `Estimator` with a policy, for zero-sum games of two players; shared by threads."""

    def __init__(self, goal):
        self.goal = goal  # the payoff, times `unit`, that counts as a certain win

    def expect(self, position):
        """The expected result of the first player, from -1 to 1. C slot.

        An exception of the game sets `position.failed`.
        """
        return 0.0

    def prefer(self, position, count):
        """Write the probability of each of the mover's moves `stack[:count]` to `odds[:count]`. C slot.

        They sum to 1. False if the game raised an exception, with `position.failed` set.
        """
        i: cython.int
        for i in range(count):
            position.odds[i] = 1.0 / count
        return True
