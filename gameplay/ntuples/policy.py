# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""A policy and a value as n-tuples, for searches that select by PUCT.  C types: policy.pxd.

The preference s(m) of a move is the sum of the weights of the position after it, in the tables of the mover.
The policy is the softmax over the legal moves:

    p(m) = exp(s(m)) / sum of exp(s(k)) over all legal moves k

So the policy needs no encoding of moves, and moves to symmetric positions have equal probabilities.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.ntuples.reader import MAX_CELLS
from gameplay.ntuples.tables import MAX_ACTIVE, NTuples
from gameplay.search.policy import PolicyEstimator

if cython.compiled:
    from cython.cimports.gameplay.kernel import Kernel
    from cython.cimports.libc.math import exp
else:
    from math import exp

    from gameplay.kernel import Kernel


class PolicyTables(PolicyEstimator):
    """Tables of values and of move preferences over the same cells."""

    def __init__(self, values: NTuples, preferences: NTuples, goal):
        PolicyEstimator.__init__(self, goal)
        self.values = values
        self.preferences = preferences

    def value(self, position):
        return self.values.value(position)

    def expect(self, position):
        return self.values.expect(position)

    def prefer(self, position, count):
        before = cython.declare(cython.uchar[512])
        codes = cython.declare(cython.uchar[512])
        old = cython.declare(cython.int[1024])
        indices = cython.declare(cython.int[1024])
        if not cython.compiled:
            before, codes = [0] * MAX_CELLS, [0] * MAX_CELLS
            old, indices = [0] * MAX_ACTIVE, [0] * MAX_ACTIVE
        i: cython.int
        total: cython.double = 0.0
        largest: cython.double = 0.0
        if not self.preferences.reader.read(position, before):
            return False
        self.preferences.look_up(before, position.turn, old)
        for i in range(count):
            move: cython.int = position.stack[i]
            position.push(move)
            ok: cython.bint = not position.failed and self.preferences.reader.read(position, codes)
            position.pop(move)
            if not ok or position.failed:
                return False
            self.preferences.look_up_changed(before, old, codes, indices)
            position.odds[i] = self.preferences.sum(indices)
            if not i or position.odds[i] > largest:
                largest = position.odds[i]
        for i in range(count):
            position.odds[i] = exp(position.odds[i] - largest)
            total += position.odds[i]
        for i in range(count):
            position.odds[i] /= total
        return True

    def find(self, position, move, indices):
        """Write the indices of the preference weights of a legal move. False on an error of the game."""
        mover: cython.int = position.turn
        position.push(move)
        ok: cython.bint = not position.failed and self.preferences.find_for(position, mover, indices)
        position.pop(move)
        return ok and not position.failed

    def of(self, kernel: Kernel):
        """The expected result for the first player, and the probability of each legal move.

        Re-raises errors of the game.
        """
        expected = self.values.of(kernel)
        count: cython.int = kernel.gen(0)
        if not kernel.failed:
            self.prefer(kernel, count)
        moves = {}
        i: cython.int
        for i in range(count):
            moves[kernel.stack[i]] = kernel.odds[i]
        return self.values.unless_failed(kernel, (expected, moves))
