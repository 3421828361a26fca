# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Hands out the moves of a position one by one, the most promising first.  Types: picker.pxd.

It asks `Ordering` for weights and sorts no further than it is asked; it leaves out the move that it was told
to, and brings moves that were put off once more at the end. A search has one picker; each ply has two places
in it, the second for a search of the ply inside itself (singular extension).
"""

try:
    import cython
except ImportError:
    from gameplay import nocython as cython

from gameplay import value as scale

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Calloc, PyMem_Free

PLACES = cython.declare(cython.int, 2 * (scale.MAX_PLY + 3))


class PlainPlace:
    """How far the moves of one position were handed out; see Place in picker.pxd."""

    __slots__ = ("again", "base", "end", "excluded", "next", "put_off", "stop")


class Picker:
    """`ordering` says what is promising."""

    def __init__(self, ordering):
        self.ordering = ordering
        if cython.compiled:
            self.places = cython.cast(cython.pointer(Place), PyMem_Calloc(PLACES, cython.sizeof(Place)))
            if self.places == cython.NULL:
                raise MemoryError
        else:
            self.places = [PlainPlace() for _ in range(PLACES)]

    def __dealloc__(self):
        PyMem_Free(self.places)

    def open(self, kernel, place, base, end, ply, first, answered, excluded):
        """Begin with the moves stack[base:end]: `first` (-1: none) first, `excluded` (-1: none) never.

        `answered`: see `Ordering.weigh`.
        """
        self.places[place].base = base
        self.places[place].end = end
        self.places[place].next = base
        self.places[place].stop = end
        self.places[place].put_off = 0
        self.places[place].again = False
        self.places[place].excluded = excluded
        self.ordering.weigh(kernel, base, end, ply, first, answered)

    def next(self, kernel, place):
        """The next move, -1 after the last one. Its weight is `weight`."""
        i: cython.int = self.places[place].next
        move: cython.int
        while True:
            if i == self.places[place].stop:
                if self.places[place].again or not self.places[place].put_off:
                    return -1
                self.places[place].again = True
                i = self.places[place].base
                self.places[place].stop = i + self.places[place].put_off
            if self.places[place].again:
                move = kernel.stack[i]
            else:
                move = self.ordering.pick(kernel, i, self.places[place].end)
            i += 1
            if move != self.places[place].excluded:
                self.places[place].next = i
                self.weight = kernel.weight[i - 1]
                return move

    def put_off(self, kernel, place, move, weight):
        """Bring the move just handed out again at the end. Once only: see `again`."""
        i: cython.int = self.places[place].base + self.places[place].put_off
        kernel.stack[i] = move
        kernel.weight[i] = weight
        self.places[place].put_off += 1

    def again(self, place):
        """Are the moves handed out now those that were put off?"""
        return self.places[place].again

    def picked(self, place):
        """The end of the moves that were handed out before the present one, on the stack."""
        return self.places[place].next - 1
