cimport cython
from gameplay.games.backgammon.evaluation cimport BackgammonEvaluation
from gameplay.games.backgammon.layout cimport *

@cython.final
cdef class ContactNetwork(BackgammonEvaluation):
    cdef readonly object weights        # as bytes, which `weight` points into
    cdef const short* weight
    cdef int[2][160] sums               # of the hidden units, by the player on roll
    cdef signed char[2][52] counted     # the checkers in them, as in a position
    cdef void recount(self, int roller, int place, int checkers) noexcept nogil
    cdef void add(self, int roller, int row, bint adding) noexcept nogil
