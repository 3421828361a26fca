from gameplay.games.backgammon.layout cimport *
from gameplay.games.backgammon.state cimport BackgammonState

cdef class BackgammonMoves(BackgammonState):
    cdef int first                      # where gen() began to write
    cdef int longest                    # men that the longest turn of a double found so far moves
    cdef unsigned long long[SLOTS] seen # sums of the positions that gen() has found
    cdef int[SLOTS] when                # by which call of gen()
    cdef int call
    cdef int doubles(self, int base, int me, int limit, int die, int depth, int path) noexcept nogil
    cdef int pairs(self, int base, int me, int first, int second, int order) noexcept nogil
    cdef int singles(self, int base, int me, int die, int order) noexcept nogil
    cdef bint met(self) noexcept nogil
