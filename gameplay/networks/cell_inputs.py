# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The network inputs of any game with cells: the contents of each cell, and the turn.  C types:
cell_inputs.pxd.

    cell * codes + code         1 if the cell has this code; code 0, mostly the empty cell, has no input
    cells * codes + turn        1 if it is the turn of this player; 2: chance
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.shared.network_inputs import NetworkInputs
from gameplay.ntuples.reader import MAX_CELLS

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import ints
    from cython.cimports.gameplay.ntuples.reader import CellReader
else:
    from gameplay.native.pointers import ints
    from gameplay.ntuples.reader import CellReader


class CellInputs(NetworkInputs):
    """The contents of cells as inputs.

    `images`: for each symmetry, the identity first, the source of each cell. `reader`: see CellReader.
    """

    def __init__(self, cells, codes, images, reader=None):
        NetworkInputs.__init__(self, cells * codes + 3, cells + 1)
        self.cells, self.codes, self.images = cells, codes, len(images)
        self.reader = CellReader(cells, reader)
        self.moved_owner = memoryview(bytearray(4 * cells * self.images)).cast("i")
        for number, image in enumerate(images):
            for place, cell in enumerate(image):
                self.moved_owner[number * cells + cell] = place
        self.moved = ints(self.moved_owner)

    def read(self, position, indices, amounts):
        codes = cython.declare(cython.uchar[512])
        if not cython.compiled:
            codes = [0] * MAX_CELLS
        if not self.reader.read(position, codes):
            return -1
        number: cython.int = 0
        cell: cython.int
        for cell in range(self.cells):
            if codes[cell]:
                indices[number] = cell * self.codes + codes[cell]
                amounts[number] = 1.0
                number += 1
        indices[number] = self.cells * self.codes + (position.turn if 0 <= position.turn < 2 else 2)
        amounts[number] = 1.0
        return number + 1

    def reflect(self, indices, count, image):
        i: cython.int
        for i in range(count):
            cell: cython.int = indices[i] // self.codes
            if cell < self.cells:
                indices[i] += (self.moved[image * self.cells + cell] - cell) * self.codes
