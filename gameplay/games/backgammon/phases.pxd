from gameplay.games.backgammon.layout cimport *

cdef enum:
    PHASES = 4

cdef int highest_point(const signed char* checkers, int me) noexcept nogil
cdef int phase_of(const signed char* checkers, int me) noexcept nogil
