from gameplay.games.monopoly.dealings cimport MonopolyDealings
from gameplay.games.monopoly.layout cimport *

cdef class MonopolyTurn(MonopolyDealings):
    cdef void settle(self) noexcept nogil
    cdef void end_turn(self) noexcept nogil
    cdef void apply_roll(self, int first, int second) noexcept nogil
    cdef void advance(self, int steps, int times) noexcept nogil
    cdef void land(self, int times) noexcept nogil
    cdef void send_to_jail(self) noexcept nogil
    cdef void draw_card(self, int card) noexcept nogil
