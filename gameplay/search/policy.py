# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""What a learned policy offers to a search: a value and the probabilities of moves.  C types: policy.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.kernel import Estimator


class PolicyEstimator(Estimator):
    """An `Estimator` for zero-sum games of two that also has a policy; shared by threads, as every one."""

    def __init__(self, goal):
        self.goal = goal  # the payoff, times `unit`, that counts as a certain win

    def expect(self, position):
        """The expected result of the first player, from -1 to 1. C slot.

        On an error of the game `position.failed` is set.
        """
        return 0.0

    def prefer(self, position, count):
        """Write the probability of each of the mover's moves `stack[:count]` to `odds[:count]`. C slot.

        They sum to 1. False on an error of the game, which the position then holds.
        """
        i: cython.int
        for i in range(count):
            position.odds[i] = 1.0 / count
        return True
