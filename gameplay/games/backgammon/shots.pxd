cimport cython
from gameplay.games.backgammon.layout cimport *

cdef int count_rolls(unsigned long long rolls) noexcept nogil

@cython.final
cdef class Shots:
    cdef unsigned long long[64] rolls_with_any  # by set of numbers (bit n - 1: n): rolls with one of them
    cdef unsigned long long[64] rolls_within    # ... and rolls with only these
    cdef unsigned long long[12] rolls_by_sum    # by sum: the rolls other than doubles
    cdef unsigned long long hits(self, unsigned long long hitters, unsigned long long blocked, int bar,
                                 int target) noexcept nogil
