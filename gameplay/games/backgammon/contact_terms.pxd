cimport cython
from gameplay.games.backgammon.evaluation cimport BackgammonEvaluation
from gameplay.games.backgammon.layout cimport BAR, OTHER

cdef int count_rolls(unsigned long long rolls) noexcept nogil

@cython.final
cdef class ContactTerms(BackgammonEvaluation):
    cdef readonly object weights        # as bytes, which `weight` points into
    cdef const short* weight
    cdef int[200] which                 # the terms of the last position: indices
    cdef int[200] amount                # ... and amounts, in 16ths
    cdef int terms
    cdef unsigned long long[64] showing # by set of numbers (bit n - 1: n): rolls with one of them
    cdef unsigned long long[64] within  # ... and rolls with only these
    cdef unsigned long long[12] adding  # by sum: the rolls other than doubles
    cdef void collect(self, const signed char* checkers, int me) noexcept nogil
    cdef void collect_side(self, const signed char* checkers, int me, int base, int pips, int theirs) noexcept nogil
    cdef void add(self, int which, int amount) noexcept nogil
    cdef unsigned long long shots(self, unsigned long long checkers, unsigned long long made, int bar,
                                  int target) noexcept nogil
    cdef void add_interpolated(self, int base, int value, int least, int last) noexcept nogil
