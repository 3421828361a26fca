cimport cython
from gameplay.games.backgammon.evaluation cimport BackgammonEvaluation
from gameplay.games.backgammon.layout cimport BAR, OTHER

cdef int count_rolls(unsigned long long rolls) noexcept nogil

@cython.final
cdef class ContactTerms(BackgammonEvaluation):
    cdef readonly object weights                # as bytes, which `weight` points into
    cdef const short* weight
    cdef int[200] term_indices                  # the terms of the last position: indices
    cdef int[200] amounts                       # ... and amounts, in 16ths
    cdef int terms
    cdef unsigned long long[64] rolls_with_any  # by set of numbers (bit n - 1: n): rolls with one of them
    cdef unsigned long long[64] rolls_within    # ... and rolls with only these
    cdef unsigned long long[12] rolls_by_sum    # by sum: the rolls other than doubles
    cdef void collect(self, const signed char* checkers, int side) noexcept nogil
    cdef void collect_side(self, const signed char* checkers, int side, int base, int pips, int opponent_pips) noexcept nogil
    cdef void add(self, int term, int amount) noexcept nogil
    cdef unsigned long long shots(self, unsigned long long checkers, unsigned long long made, int bar,
                                  int target) noexcept nogil
    cdef void add_interpolated(self, int base, int value, int least, int last) noexcept nogil
