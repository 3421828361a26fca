cimport cython
from gameplay.games.backgammon.layout cimport *

cdef double odds(double deviations) noexcept nogil

@cython.final
cdef class BearoffTable:
    cdef readonly object packed         # as bytes, which the next three point into
    cdef const unsigned char* first     # by index: the fewest rolls that may do
    cdef const unsigned char* count     # ... and how many numbers of rolls may do
    cdef const unsigned short* chance   # ... and their odds, in 65,535ths
    cdef int[54264] start               # where they begin in `chance`
    cdef double[54264] mean             # rolls on average
    cdef double[54264] spread           # and their variance
    cdef int[6][16] ways                # ways[i][s] = C(s + i, i + 1)
    cdef int index(self, const signed char* men, int me) noexcept nogil
    cdef double before(self, int mine, int theirs) noexcept nogil

cdef class BackgammonEvaluation:
    cdef BearoffTable table
    cdef double variance                # of the last result of needs()
    cdef int equity(self, const signed char* men, int me) noexcept nogil
    cdef int contact(self, const signed char* men, int me) noexcept nogil
    cdef int race(self, const signed char* men, int me) noexcept nogil
    cdef double needs(self, const signed char* men, int me) noexcept nogil
    cdef double gammon(self, const signed char* men, int me, double rolls, double variance,
                       double late) noexcept nogil
