# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""A sum of table entries, looked up by the contents of tuples of cells.  C types: tables.pxd.

An n-tuple is a list of n cells. Their contents, read as the digits of a number, are the index of a weight in
the table of this tuple (Bledsoe and Browning 1959; Lucas 2008). A position is looked up once for each
symmetry of the board: the images of a tuple share its table. Each side to move has its tables, and so has
chance:

    index    bank * count * size + tuple * size + digits      bank: the player to move; 2: chance
    value    tanh(the sum of all weights found), from -1, lost, to 1, won for the first player

Weights are 32-bit floats, sums 64-bit ones in a fixed order: both builds get the same numbers.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

from gameplay.kernel import Estimator

if cython.compiled:
    from cython.cimports.gameplay.kernel import Kernel
    from cython.cimports.gameplay.native.memory import address_of
    from cython.cimports.libc.math import fabs, floor, tanh
else:
    from math import fabs, floor, tanh

    from gameplay.kernel import Kernel

MOST_CELLS = 512
MOST_ACTIVE = 1024  # weights that a position has


def cell_codes(kernel: Kernel):
    """What a game that fills `read_cells` writes: the code of each cell, row by row."""
    rows, columns = kernel.cell_shape
    contents = bytearray(rows * columns)
    codes: cython.p_uchar = contents
    kernel.read_cells(codes)
    return bytes(contents)


class NTuples(Estimator):
    """The tables, and what they say of positions.

    `tuples` holds the places of the cells of each tuple, all tuples of one length; `images` the cell that
    stands for each under a symmetry, the identity first. `reader(position)` returns the codes of a position's
    cells, below `codes`; None: the game fills `read_cells`. A certain win is worth `points`. `chance`: the
    game has chance nodes.
    """

    def __init__(self, tuples, images, codes, cells, chance, points, reader=None):
        i: cython.int = 0
        self.count = len(tuples)
        self.length = len(tuples[0])
        self.images = len(images)
        self.codes = codes
        self.cells = cells
        self.points = points
        self.reader = reader
        self.native = reader is None
        self.active = self.count * self.images
        self.size = codes**self.length
        self.banks = 3 if chance else 2
        self.total = self.banks * self.count * self.size
        if cells > MOST_CELLS or self.active > MOST_ACTIVE or self.total >= 1 << 31:
            raise ValueError("too many cells, tuples or weights")
        self.places_owner = memoryview(bytearray(4 * self.active * self.length)).cast("i")
        self.weights_owner = memoryview(bytearray(4 * self.total)).cast("f")
        for one in tuples:
            for image in images:
                for place in one:
                    if not 0 <= image[place] < cells:
                        raise ValueError("a tuple has a cell that is not on the board")
                    self.places_owner[i] = image[place]
                    i += 1
        if cython.compiled:
            self.places = cython.cast(cython.p_int, address_of(self.places_owner))
            self.weights = cython.cast(cython.p_float, address_of(self.weights_owner))
        else:
            self.places = self.places_owner
            self.weights = self.weights_owner

    def read(self, position, codes):
        """Write the code of each cell. False on an error, which the position then holds."""
        if self.native:
            position.read_cells(codes)
            return True
        i: cython.int
        with cython.gil:
            try:
                contents: bytes = position.apart(self.reader, (position,))
                for i in range(self.cells):
                    codes[i] = contents[i]
                return True
            except BaseException as error:
                position.failed, position.error = True, error
                return False

    def find(self, position, found):
        """Write the indices of the weights of a position, `active` of them. False on an error of the game."""
        codes = cython.declare(cython.uchar[512])
        if not cython.compiled:
            codes = [0] * MOST_CELLS
        if not self.read(position, codes):
            return False
        bank: cython.int = position.turn if position.turn >= 0 else 2
        if bank >= self.banks:
            bank = 0  # no game that was checked has such a turn: never beyond the tables
        base: cython.int = bank * self.count * self.size
        _one: cython.int
        _image: cython.int
        i: cython.int
        place: cython.int = 0
        number: cython.int = 0
        for _one in range(self.count):
            for _image in range(self.images):
                index: cython.int = 0
                for i in range(place, place + self.length):
                    index = index * self.codes + codes[self.places[i]]
                place += self.length
                found[number] = base + index
                number += 1
            base += self.size
        return True

    def sum(self, found):
        """The sum of the weights with these indices."""
        total: cython.double = 0.0
        i: cython.int
        for i in range(self.active):
            total += self.weights[found[i]]
        return total

    def expect(self, position):
        """The expected result for the first player, from -1 to 1; 0 on an error of the game."""
        found = cython.declare(cython.int[1024])
        if not cython.compiled:
            found = [0] * MOST_ACTIVE
        return tanh(self.sum(found)) if self.find(position, found) else 0.0

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

    def largest(self):
        """The size of the largest weight."""
        size: cython.double = 0.0
        i: cython.longlong
        for i in range(self.total):
            weight: cython.double = fabs(self.weights[i])
            if weight > size:
                size = weight
        return size

    def shorts(self, held):
        """Where the numbers are that a memoryview holds."""
        if cython.compiled:
            return cython.cast(cython.p_short, address_of(held))
        else:
            return held

    def pack(self, scale: cython.double):
        """The weights as 16-bit whole numbers, `scale` of which make 1."""
        numbers = array("h", bytes(2 * self.total))
        held = memoryview(numbers)
        places: cython.p_short = self.shorts(held)
        i: cython.longlong
        for i in range(self.total):
            if self.weights[i] != 0:
                places[i] = cython.cast(cython.int, floor(self.weights[i] * scale + 0.5))
        return numbers.tobytes()

    def unpack(self, packed: bytes, scale: cython.double):
        """Take weights that `pack` made. Raises ValueError if their number is another."""
        if len(packed) != 2 * self.total:
            raise ValueError(f"expected {self.total} weights, found {len(packed) // 2}")
        held = memoryview(array("h", packed))
        places: cython.p_short = self.shorts(held)
        i: cython.longlong
        for i in range(self.total):
            if places[i]:
                weight: cython.double = places[i] / scale
                self.weights[i] = cython.cast(cython.float, weight)
