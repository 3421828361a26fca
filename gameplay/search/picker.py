# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Move picker: yields the moves of a position one by one, best first.  Types: picker.pxd.

`Ordering` scores the moves; the picker sorts incrementally (selection sort), skips the excluded move, and
yields deferred moves again at the end. A search has one picker with two places for each ply: the second is
for the verification search of a singular extension, at the same ply.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay import value as scale

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import zeroed

PLACES = cython.declare(cython.int, 2 * (scale.MAX_PLY + 3))


class PlainPlace:
    """The state of one move loop; see Place in picker.pxd."""

    __slots__ = ("again", "base", "deferred", "end", "excluded", "next", "stop")


class Picker:
    """Yields moves in the order of `ordering`."""

    def __init__(self, ordering):
        self.ordering = ordering
        if cython.compiled:
            self.places = cython.cast(cython.pointer(Place), zeroed(PLACES, cython.sizeof(Place)))
        else:
            self.places = [PlainPlace() for _ in range(PLACES)]

    def __dealloc__(self):
        PyMem_Free(self.places)

    def open(self, kernel, place, base, end, ply, first, answered, excluded):
        """Start with stack[base:end]; `first` (-1: none) comes first, `excluded` (-1: none) is skipped.

        `answered`: `last` of `Ordering.score_moves`.
        """
        self.places[place].base = base
        self.places[place].end = end
        self.places[place].next = base
        self.places[place].stop = end
        self.places[place].deferred = 0
        self.places[place].again = False
        self.places[place].excluded = excluded
        self.ordering.score_moves(kernel, base, end, ply, first, answered)

    def next(self, kernel, place):
        """The next move, with its score in `weight`; -1: no more moves."""
        i: cython.int = self.places[place].next
        while True:
            if i == self.places[place].stop:
                if self.places[place].again or not self.places[place].deferred:
                    return -1
                self.places[place].again = True
                i = self.places[place].base
                self.places[place].stop = i + self.places[place].deferred
            if self.places[place].again:
                move: cython.int = kernel.stack[i]
            else:
                move = self.ordering.pick(kernel, i, self.places[place].end)
            i += 1
            if move != self.places[place].excluded:
                self.places[place].next = i
                self.weight = kernel.weight[i - 1]
                return move

    def defer(self, kernel, place, move, weight):
        """Defer the current move: it is yielded again after all others."""
        i: cython.int = self.places[place].base + self.places[place].deferred
        kernel.stack[i] = move
        kernel.weight[i] = weight
        self.places[place].deferred += 1

    def is_replaying(self, place):
        """True while deferred moves are yielded."""
        return self.places[place].again

    def pick_index(self, place):
        """The stack index of the current move; the moves before it lie below."""
        return self.places[place].next - 1
