# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""How a neural network sees positions: numbers, most of them 0.  C types: network_inputs.pxd.

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
    """`count` inputs of a position, at most `most` of them not 0. Immutable: threads share it."""

    def __init__(self, count, most):
        self.count, self.most, self.images = count, most, 1

    def view(self, position):
        """The player as whom the inputs describe the position; outputs are for this player too. C slot."""
        return 0

    def taught(self, position):
        """True if a learner is to be corrected at such a position: all that moves are chosen by. C slot."""
        return True

    def reflect(self, indices, count, image):
        """Make inputs those of the image of the position under a symmetry, 0 the identity. C slot."""
        pass

    def read(self, position, indices, amounts):
        """Write the inputs that are not 0 and return their number; -1 on an error of the game. C slot."""
        return 0

    def of(self, position: Kernel):
        """The inputs of a position that are not 0, as pairs (index, amount). Reraises errors of the game."""
        indices = memoryview(bytearray(4 * self.most)).cast("i")
        amounts = memoryview(bytearray(4 * self.most)).cast("f")
        number: cython.int = self.read(position, ints(indices), floats(amounts))
        if number < 0:
            error = position.error
            position.failed, position.error = False, None
            raise error
        return [(indices[i], amounts[i]) for i in range(number)]
