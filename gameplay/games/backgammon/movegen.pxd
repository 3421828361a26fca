from gameplay.games.backgammon.layout cimport *
from gameplay.games.backgammon.state cimport BackgammonState

cdef class BackgammonMoves(BackgammonState):
    cdef int first                            # where gen() began to write
    cdef int longest                          # steps of the longest play of a double so far
    cdef unsigned long long[SLOTS] seen_keys  # hash table of the positions that gen() has reached
    cdef int[SLOTS] seen_in                   # ... and the call of gen() that reached them
    cdef int call
    cdef int gen_double(self, int base, int me, int limit, int die, int depth, int path) noexcept nogil
    cdef int gen_both_dice(self, int base, int me, int first, int second, int order) noexcept nogil
    cdef int gen_one_die(self, int base, int me, int die, int order) noexcept nogil
    cdef bint is_duplicate(self) noexcept nogil
