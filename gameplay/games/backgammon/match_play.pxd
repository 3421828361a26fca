from gameplay.games.backgammon.layout cimport *
from gameplay.games.backgammon.movegen cimport BackgammonMoves

cdef double[169] MATCH_EQUITY  # see _fill()

cdef class BackgammonMatch(BackgammonMoves):
    cdef void begin_turn(self, int player) noexcept nogil
    cdef bint may_double(self, int player) noexcept nogil
    cdef void apply_action(self, int action) noexcept nogil
    cdef void end_game(self, int winner, int points, int stage) noexcept nogil
    cdef bint cube_is_dead(self, int cube) noexcept nogil
    cdef double cubeful(self, double equity, int mover, int owner, int cube) noexcept nogil
    cdef double payoff_of(self, int player, double equity, int cube) noexcept nogil
    cdef double win_probability(self, int player, int points) noexcept nogil
