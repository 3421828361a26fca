cimport cython
from gameplay.games.backgammon.evaluation cimport BackgammonEvaluation
from gameplay.games.backgammon.layout cimport *

@cython.final
cdef class ContactNetwork(BackgammonEvaluation):
    cdef readonly object weights        # as bytes, which `weight` points into
    cdef const short* weight
    cdef void add(self, int* sums, int row, int amount) noexcept nogil
