# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Temporal coherence: each weight of n-tuples has its own learning rate.  C types: coherence.pxd.

The rate of a weight is |sum of its changes| / sum of their sizes: 1 while all changes have one sign, and near
0 when they cancel out (Beal and Smith, "Temporal coherence and prediction decay in TD learning", IJCAI 1999;
for n-tuples Bagheri, Thill, Koch and Konen 2014).
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.ntuples.tables import NTuples

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import floats
    from cython.cimports.libc.math import fabs
else:
    from math import fabs

    from gameplay.native.pointers import floats


class CoherentLearner:
    """Corrects the weights of `ntuples`. `arrays()` is its whole state."""

    def __init__(self, ntuples: NTuples):
        self.ntuples = ntuples
        self.sums_owner = memoryview(bytearray(4 * ntuples.total)).cast("f")
        self.sizes_owner = memoryview(bytearray(4 * ntuples.total)).cast("f")
        self.sums = floats(self.sums_owner)
        self.sizes = floats(self.sizes_owner)

    def arrays(self):
        """The weights, the sums of their changes, and the sums of the sizes of their changes."""
        return [self.ntuples.weights_owner, self.sums_owner, self.sizes_owner]

    def correct(self, indices, start, change):
        """Correct the `active` weights with the indices from `start` on.

        If all their rates are 1, their sum grows by `change`.
        """
        i: cython.int
        change /= self.ntuples.gain(indices, start)
        for i in range(start, start + self.ntuples.active):
            index: cython.int = indices[i]
            size: cython.double = self.sizes[index]
            rate: cython.double = fabs(self.sums[index]) / size if size > 0 else 1.0
            # Sums of doubles, rounded once: C would add floats as floats, Python cannot.
            total: cython.double = self.ntuples.weights[index] + rate * change
            self.ntuples.weights[index] = cython.cast(cython.float, total)
            total = self.sums[index] + change
            self.sums[index] = cython.cast(cython.float, total)
            total = size + fabs(change)
            self.sizes[index] = cython.cast(cython.float, total)
