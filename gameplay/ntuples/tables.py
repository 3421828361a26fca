# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""N-tuple networks: sums of table entries, indexed by the contents of tuples of cells.  C types: tables.pxd.

An n-tuple is a list of n cells. Their codes, as the digits of a number, are the index of a weight in the
table of the tuple (Bledsoe and Browning 1959; Lucas 2008). A position is looked up once for each symmetry of
the board: the images of a tuple share its table. Each side to move has its own tables, as has chance:

    index    bank * count * size + tuple * size + digits      bank: the player to move; 2: chance
    value    tanh(sum of the weights), from -1, a loss, to 1, a win of the first player

Weights are 32-bit floats; sums are 64-bit floats in a fixed order, so that both builds get the same numbers.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array
from itertools import accumulate

from gameplay.ntuples.estimator import LearnedEstimator
from gameplay.ntuples.reader import MAX_CELLS

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import floats, ints
    from cython.cimports.gameplay.ntuples.reader import CellReader
    from cython.cimports.libc.math import tanh
else:
    from math import tanh

    from gameplay.native.pointers import floats, ints
    from gameplay.ntuples.reader import CellReader

MAX_ACTIVE = 1024  # weights of a position


class NTuples(LearnedEstimator):
    """The tables of an n-tuple network.

    `tuples`: the cells of each tuple, all of one length; `images`: for each symmetry, the identity first, the
    source of each cell; `codes`: the number of codes; `cells`: the number of cells; `chance`: the game has
    chance nodes; `points`: the value of a certain win; `reader`: see CellReader.
    """

    def __init__(self, tuples, images, codes, cells, chance, points, reader=None):
        i: cython.int = 0
        self.count = len(tuples)
        self.length = len(tuples[0])
        self.images = len(images)
        self.codes = codes
        LearnedEstimator.__init__(self, points)
        self.reader = CellReader(cells, reader)
        self.active = self.count * self.images
        self.size = codes**self.length
        self.banks = 3 if chance else 2
        self.total = self.banks * self.count * self.size
        if self.active > MAX_ACTIVE or self.total >= 1 << 31:
            raise ValueError("too many tuples or weights")
        self.places_owner = memoryview(bytearray(4 * self.active * self.length)).cast("i")
        self.weights_owner = memoryview(bytearray(4 * self.total)).cast("f")
        for cells_of_tuple in tuples:
            for image in images:
                for place in cells_of_tuple:
                    if not 0 <= image[place] < cells:
                        raise ValueError("a tuple has a cell that is not on the board")
                    self.places_owner[i] = image[place]
                    i += 1
        users = [[] for _ in range(cells)]
        for i, place in enumerate(self.places_owner):
            users[place].append((i // self.length, codes ** (self.length - 1 - i % self.length)))
        self.uses_owner = array("i", [0, *accumulate(map(len, users))])
        self.users_owner = array("i", [number for uses in users for number, _ in uses])
        self.powers_owner = array("i", [power for uses in users for _, power in uses])
        self.places = ints(self.places_owner)
        self.weights = floats(self.weights_owner)
        self.uses = ints(self.uses_owner)
        self.users = ints(self.users_owner)
        self.powers = ints(self.powers_owner)

    def find(self, position, indices):
        """Write the indices of the weights of a position, `active` of them. False on an error of the game."""
        return self.find_for(position, position.turn if position.turn >= 0 else 2, indices)

    def find_for(self, position, bank, indices):
        """As `find`, in the tables of a player, 0 or 1, or of chance, 2, regardless of the turn."""
        codes = cython.declare(cython.uchar[512])
        if not cython.compiled:
            codes = [0] * MAX_CELLS
        if not self.reader.read(position, codes):
            return False
        self.look_up(codes, bank, indices)
        return True

    def look_up(self, codes, bank, indices):
        """Write the indices of the weights of a position with these cells in the tables of a player."""
        if bank < 0 or bank >= self.banks:
            bank = 0  # stay within the tables; the turns of checked games are in range
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
                indices[number] = base + index
                number += 1
            base += self.size

    def look_up_changed(self, before, old, codes, indices):
        """As `look_up`, updating `old`, the indices for the cells `before`; fast if few cells differ."""
        cell: cython.int
        i: cython.int
        for i in range(self.active):
            indices[i] = old[i]
        for cell in range(self.reader.cells):
            change: cython.int = codes[cell] - before[cell]
            if change:
                for i in range(self.uses[cell], self.uses[cell + 1]):
                    indices[self.users[i]] += change * self.powers[i]

    def sum(self, indices):
        """The sum of the weights with these indices."""
        total: cython.double = 0.0
        i: cython.int
        for i in range(self.active):
            total += self.weights[indices[i]]
        return total

    def gain(self, indices, start):
        """The growth of the sum of the weights from `start` on if each index adds 1 to its weight.

        It is `active` if all weights differ; in symmetric positions images of a tuple share a weight.
        """
        total: cython.int = self.active
        i: cython.int
        j: cython.int
        _number: cython.int
        for _number in range(self.count):
            for i in range(start, start + self.images):
                for j in range(start, i):
                    if indices[i] == indices[j]:
                        total += 2
            start += self.images
        return total

    def expect(self, position):
        """The expected result for the first player, from -1 to 1; 0 on an error of the game."""
        indices = cython.declare(cython.int[1024])
        if not cython.compiled:
            indices = [0] * MAX_ACTIVE
        return tanh(self.sum(indices)) if self.find(position, indices) else 0.0
