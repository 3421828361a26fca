cimport cython
from gameplay.kernel cimport Kernel

@cython.final
cdef class ChineseCheckers(Kernel):
    cdef readonly int players, rounds
    cdef int ply                        # moves made
    cdef int[121] taken                 # the peg on each hole: a player from 1, 0: none
    cdef unsigned long long[12] own     # the pegs of player p, as bits: holes 0 to 63 at 2 * p, the rest behind
    cdef int[6] away                    # steps that each player's pegs have left, ten in the goal having none
    cdef int[6] burden                  # the same as the evaluation weighs it
    cdef int[6] home                    # pegs that each player has in their goal
    cdef int[6] filled                  # pegs of all players in each corner
    cdef int winner                     # who has filled their goal, -1: no player
    cdef unsigned long long mixed       # the key of the pegs
    cdef int[726] links                 # the neighbours of hole h: links[6 * h:6 * h + 6], -1: none
    cdef int[121] corner                # which corner a hole is part of, -1: none
    cdef int[6] goal                    # the corner that each player makes for
    cdef int[6] aims                    # whose goal each corner is, -1: no player
    cdef int[726] far                   # steps to the tip of the goal of player p: far[121 * p:]
    cdef int[726] charge                # the same as the evaluation weighs it
    cdef int[6] base                    # what the burden of a full goal would be
    cdef unsigned long long[726] zobrist  # random bits of player p on hole h: zobrist[121 * p + h]
    cdef int[121] stepped               # holes that steps of the peg looked at lead to: == stamp
    cdef int[121] reached               # ... and those that it can hop to
    cdef int stamp
    cdef int[128] waiting               # holes to hop on from
    cdef int[448] pile                  # moves that are sorted
    cdef int[34] rank                   # how many there are of each kind
    cdef int spread(self, int base) noexcept nogil
    cdef int hops(self, int base, int hole, bint inside) noexcept nogil
    cdef void sort(self, int base, int end) noexcept nogil
    cdef void shift(self, int player, int start, int end) noexcept nogil
    cdef int beaten(self, int player) noexcept nogil
    cdef int travel(self, int player) noexcept nogil
