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
from itertools import accumulate

from gameplay.ntuples.estimator import LearnedEstimator
from gameplay.ntuples.reader import MOST_CELLS

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import floats, ints
    from cython.cimports.gameplay.ntuples.reader import CellReader
    from cython.cimports.libc.math import tanh
else:
    from math import tanh

    from gameplay.native.pointers import floats, ints
    from gameplay.ntuples.reader import CellReader

MOST_ACTIVE = 1024  # weights that a position has


class NTuples(LearnedEstimator):
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
        LearnedEstimator.__init__(self, points)
        self.reader = CellReader(cells, reader)
        self.active = self.count * self.images
        self.size = codes**self.length
        self.banks = 3 if chance else 2
        self.total = self.banks * self.count * self.size
        if self.active > MOST_ACTIVE or self.total >= 1 << 31:
            raise ValueError("too many tuples or weights")
        self.places_owner = memoryview(bytearray(4 * self.active * self.length)).cast("i")
        self.weights_owner = memoryview(bytearray(4 * self.total)).cast("f")
        for one in tuples:
            for image in images:
                for place in one:
                    if not 0 <= image[place] < cells:
                        raise ValueError("a tuple has a cell that is not on the board")
                    self.places_owner[i] = image[place]
                    i += 1
        users = [[] for _ in range(cells)]
        for i, place in enumerate(self.places_owner):
            users[place].append((i // self.length, codes ** (self.length - 1 - i % self.length)))
        self.uses_owner = array("i", [0, *accumulate(map(len, users))])
        self.users_owner = array("i", [number for one in users for number, _ in one])
        self.powers_owner = array("i", [power for one in users for _, power in one])
        self.places = ints(self.places_owner)
        self.weights = floats(self.weights_owner)
        self.uses = ints(self.uses_owner)
        self.users = ints(self.users_owner)
        self.powers = ints(self.powers_owner)

    def find(self, position, indices):
        """Write the indices of the weights of a position, `active` of them. False on an error of the game."""
        return self.find_for(position, position.turn if position.turn >= 0 else 2, indices)

    def find_for(self, position, bank, indices):
        """The same in the tables of a player, 0 or 1, or of chance, 2; whose turn it is does not matter."""
        codes = cython.declare(cython.uchar[512])
        if not cython.compiled:
            codes = [0] * MOST_CELLS
        if not self.reader.read(position, codes):
            return False
        self.look_up(codes, bank, indices)
        return True

    def look_up(self, codes, bank, indices):
        """Write the indices of the weights of a position with these cells in the tables of a player."""
        if bank < 0 or bank >= self.banks:
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
                indices[number] = base + index
                number += 1
            base += self.size

    def look_up_changed(self, before, old, codes, indices):
        """The same where few cells differ from `before`, whose indices in the same tables are `old`."""
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
        """By how much the sum of the weights found[start:] grows if each grows by 1 as often as it is found.

        That is `active` where all of them differ; in a symmetric position images of a tuple have one weight.
        """
        total: cython.int = self.active
        one: cython.int
        other: cython.int
        _number: cython.int
        for _number in range(self.count):
            for one in range(start, start + self.images):
                for other in range(start, one):
                    if indices[one] == indices[other]:
                        total += 2
            start += self.images
        return total

    def expect(self, position):
        """The expected result for the first player, from -1 to 1; 0 on an error of the game."""
        indices = cython.declare(cython.int[1024])
        if not cython.compiled:
            indices = [0] * MOST_ACTIVE
        return tanh(self.sum(indices)) if self.find(position, indices) else 0.0
