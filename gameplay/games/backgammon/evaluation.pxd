cimport cython
from gameplay.games.backgammon.layout cimport *

cdef int max_loss(int off, int rearmost, bint contact) noexcept nogil
cdef double normal_cdf(double deviations) noexcept nogil

@cython.final
cdef class BearoffTable:
    cdef readonly object packed               # as bytes; the next three point into it
    cdef const unsigned char* min_rolls       # by index: the least number of rolls
    cdef const unsigned char* lengths         # ... the length of the distribution
    cdef const unsigned short* probabilities  # the probabilities, in 65,535ths
    cdef int[54264] offsets                   # by index: where they begin in `probabilities`
    cdef double[54264] means                  # the mean number of rolls
    cdef double[54264] variances              # ... and its variance
    cdef int[6][16] binomials                 # binomials[i][s] = C(s + i, i + 1)
    cdef int index(self, const signed char* checkers, int me) noexcept nogil
    cdef double win_probability(self, int own, int opponent) noexcept nogil

cdef class BackgammonEvaluation:
    cdef BearoffTable table
    cdef double variance                      # set by mean_rolls()
    cdef double[6] chances                    # set by equity(), see there
    cdef int equity(self, const signed char* checkers, int me) noexcept nogil
    cdef void limit_chances(self, int most_won, int most_lost) noexcept nogil
    cdef void split(self, int equity) noexcept nogil
    cdef int contact(self, const signed char* checkers, int me) noexcept nogil
    cdef int race(self, const signed char* checkers, int me) noexcept nogil
    cdef int bear_off(self, const signed char* checkers, int me) noexcept nogil
    cdef int add_gammons(self, const signed char* checkers, int me, double won) noexcept nogil
    cdef double mean_rolls(self, const signed char* checkers, int me) noexcept nogil
    cdef double gammon(self, const signed char* checkers, int me, double rolls, double variance,
                       double bonus) noexcept nogil
