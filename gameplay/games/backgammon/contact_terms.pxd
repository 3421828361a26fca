cimport cython
from gameplay.games.backgammon.evaluation cimport BackgammonEvaluation
from gameplay.games.backgammon.layout cimport BAR, OTHER
from gameplay.games.backgammon.shots cimport Shots

@cython.final
cdef class ContactTerms(BackgammonEvaluation):
    cdef readonly object weights                # as bytes, which `weight` points into
    cdef const short* weight
    cdef int[200] term_indices                  # the terms of the last position: indices
    cdef int[200] amounts                       # ... and amounts, in 16ths
    cdef int terms
    cdef Shots shots
    cdef void collect(self, const signed char* checkers, int side) noexcept nogil
    cdef void collect_side(self, const signed char* checkers, int side, int base, int pips, int opponent_pips) noexcept nogil
    cdef void add(self, int term, int amount) noexcept nogil
    cdef void add_interpolated(self, int base, int value, int least, int last) noexcept nogil
