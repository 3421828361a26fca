# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Sparse inputs of neural networks.  C types: network_inputs.pxd.

A game that offers its own inputs derives a class from `NetworkInputs` and returns one by `network_inputs()`,
see `HasNetworkInputs`. For others `gameplay.networks.cell_inputs` uses the cells of the board.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.gameplay.kernel import Kernel
    from cython.cimports.gameplay.native.pointers import floats, ints
else:
    from gameplay.kernel import Kernel
    from gameplay.native.pointers import floats, ints


class NetworkInputs:
    """Reads `count` inputs of a position, at most `most` of them nonzero. Immutable: threads share it."""

    def __init__(self, count, most):
        self.count, self.most, self.images = count, most, 1

    def view(self, position):
        """The player from whose point of view inputs and outputs are given. C slot."""
        return 0

    def trains_on(self, position):
        """True if a learner trains on this position. C slot."""
        return True

    def reflect(self, indices, count, image):
        """Map inputs to those of the position's image under a symmetry, 0 the identity. C slot."""
        pass

    def read(self, position, indices, amounts):
        """Write the nonzero inputs and return their number; -1 on an error of the game. C slot."""
        return 0

    def of(self, position: Kernel):
        """The nonzero inputs of a position, as pairs (index, amount). Reraises errors of the game."""
        indices = memoryview(bytearray(4 * self.most)).cast("i")
        amounts = memoryview(bytearray(4 * self.most)).cast("f")
        number: cython.int = self.read(position, ints(indices), floats(amounts))
        if number < 0:
            position.reraise()
        return [(indices[i], amounts[i]) for i in range(number)]
