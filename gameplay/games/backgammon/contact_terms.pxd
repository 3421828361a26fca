cimport cython
from gameplay.games.backgammon.evaluation cimport BackgammonEvaluation
from gameplay.games.backgammon.layout cimport BAR, OTHER

cdef int ways(unsigned long long rolls) noexcept nogil

@cython.final
cdef class ContactTerms(BackgammonEvaluation):
    cdef readonly object weights        # as bytes, which `weight` points into
    cdef const short* weight
    cdef int[200] which                 # the terms of the position last looked at: their weights
    cdef int[200] amount                # ... and how much of each there is, in 16ths
    cdef int terms
    cdef unsigned long long[64] showing # the rolls with one of these numbers: bit n - 1 for the number n
    cdef unsigned long long[64] within  # ... and those with none but these
    cdef unsigned long long[12] adding  # the rolls, doubles aside, whose numbers add up to this
    cdef void look(self, const signed char* men, int me) noexcept nogil
    cdef void side(self, const signed char* men, int me, int base, int pips, int theirs) noexcept nogil
    cdef void add(self, int which, int amount) noexcept nogil
    cdef unsigned long long shots(self, unsigned long long men, unsigned long long made, int bar,
                                  int target) noexcept nogil
    cdef void ramp(self, int base, int value, int least, int last) noexcept nogil
