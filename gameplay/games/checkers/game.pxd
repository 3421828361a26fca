from gameplay.kernel cimport Kernel
from gameplay.games.checkers.evaluation cimport CheckersEvaluation
from gameplay.games.checkers.samuel cimport SamuelTerms

cdef class Checkers(Kernel):
    cdef readonly unsigned long long black, white, kings
    cdef readonly bint automatic        # draws end the game by themselves
    cdef readonly int clock             # plies since a man moved or a piece was taken
    cdef int ply                        # moves since the position was set up
    cdef int root                       # those of them made from Python, not by a search
    cdef int room                       # plies that `past` has room for
    cdef unsigned long long* past       # the positions before each move: black, white, kings, clock
    cdef CheckersEvaluation sums        # of `strong`
    cdef SamuelTerms terms              # of `samuel`
    cdef int leap(self, int base, unsigned long long bit, int path, int jumps,
                  unsigned long long other, unsigned long long empty, int ways) noexcept nogil
    cdef int jumps(self, int base) noexcept nogil
    cdef int trails(self, unsigned long long bit, unsigned long long other,
                    unsigned long long empty, int ways) noexcept nogil
    cdef int count(self) noexcept nogil
    cdef bint can_jump(self) noexcept nogil
    cdef bint can_move(self) noexcept nogil
    cdef bint alike(self, int ply) noexcept nogil
    cdef int times(self, int since) noexcept nogil
    cdef void step_back(self, unsigned long long bit, unsigned long long to) noexcept nogil

cdef unsigned long long turned(unsigned long long squares) noexcept nogil
cdef unsigned long long pressed(unsigned long long bits) noexcept nogil
cdef unsigned long long spread(unsigned long long squares) noexcept nogil
