cimport cython
from gameplay.games.backgammon.layout cimport *
from gameplay.games.backgammon.shots cimport Shots

cdef enum:
    FEATURES = 24

@cython.final
cdef class ContactFeatures:
    cdef Shots shots
    cdef unsigned char[4096] playable  # by the blocked points ahead: rolls that a checker plays in full
    cdef bint read(self, const signed char* checkers, int me, double* amounts) noexcept nogil
    cdef void collect(self, const signed char* checkers, int me, unsigned long long* sets, int own) noexcept nogil
    cdef void read_side(self, const signed char* checkers, int me, int rearmost, unsigned long long* sets,
                        int own, double* amounts, int at) noexcept nogil
