from gameplay.games.backgammon.layout cimport *
from gameplay.games.backgammon.movegen cimport BackgammonMoves

cdef class BackgammonMatch(BackgammonMoves):
    cdef void begin(self, int player) noexcept nogil
    cdef bint may_double(self, int player) noexcept nogil
    cdef void say(self, int word) noexcept nogil
    cdef void won(self, int winner, int points, int stage) noexcept nogil
    cdef double cubeful(self, double equity, int mover, int owner, int cube) noexcept nogil
    cdef double payment(self, int player, double equity, int cube) noexcept nogil
    cdef double standing_after(self, int player, int points) noexcept nogil
