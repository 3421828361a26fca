from gameplay.games.monopoly.layout cimport *
from gameplay.games.monopoly.state cimport MonopolyState

cdef class MonopolyDealings(MonopolyState):
    cdef void owe(self, int debtor, int creditor, int amount) noexcept nogil
    cdef bint pay(self) noexcept nogil
    cdef void bankrupt(self, int debtor, int creditor) noexcept nogil
    cdef bint auction(self) noexcept nogil
    cdef bint bid_goes_on(self) noexcept nogil
    cdef int gen_trade(self, int base) noexcept nogil
    cdef void trade(self) noexcept nogil
    cdef void hand_over(self, int square, int taker) noexcept nogil
