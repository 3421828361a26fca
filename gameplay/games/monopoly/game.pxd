cimport cython
from gameplay.games.monopoly.layout cimport *
from gameplay.games.monopoly.turn cimport MonopolyTurn

@cython.final
cdef class Monopoly(MonopolyTurn):
    cdef int w_income, w_building, w_set, w_cash
    cdef int ranking_value(self, int player) noexcept nogil
    cdef int rank_balance(self, int player) noexcept nogil
    cdef int wealth_share(self, int player) noexcept nogil
    cdef int player_value(self, int player) noexcept nogil
    cdef int choose(self, int base, int end) noexcept nogil
    cdef int bid_of(self, int player, unsigned long long bits) noexcept nogil
