cimport cython

cdef int ways(unsigned long long rolls) noexcept nogil
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

@cython.final
cdef class BackgammonEvaluation:
    cdef readonly object weights        # as bytes, which `weight` points into
    cdef const short* weight
    cdef BearoffTable table
    cdef int[200] which                 # the terms of the position last looked at: their weights
    cdef int[200] amount                # ... and how much of each there is, in 16ths
    cdef int terms
    cdef unsigned long long[64] showing # the rolls with one of these numbers: bit n - 1 for the number n
    cdef unsigned long long[64] within  # ... and those with none but these
    cdef unsigned long long[12] adding  # the rolls, doubles aside, whose numbers add up to this
    cdef double variance                # of the last result of needs()
    cdef int equity(self, const signed char* men, int me) noexcept nogil
    cdef int race(self, const signed char* men, int me) noexcept nogil
    cdef double needs(self, const signed char* men, int me) noexcept nogil
    cdef double gammon(self, const signed char* men, int me, double rolls, double variance,
                       double late) noexcept nogil
    cdef void look(self, const signed char* men, int me) noexcept nogil
    cdef void side(self, const signed char* men, int me, int base, int pips, int theirs) noexcept nogil
    cdef void add(self, int which, int amount) noexcept nogil
    cdef unsigned long long shots(self, unsigned long long men, unsigned long long made, int bar,
                                  int target) noexcept nogil
    cdef void ramp(self, int base, int value, int least, int last) noexcept nogil
