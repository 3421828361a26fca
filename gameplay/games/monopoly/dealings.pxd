from gameplay.games.monopoly.layout cimport *
from gameplay.games.monopoly.state cimport MonopolyState

cdef class MonopolyDealings(MonopolyState):
    cdef void add_debt(self, int debtor, int creditor, int amount) noexcept nogil
    cdef bint settle_debt(self) noexcept nogil
    cdef void bankrupt(self, int debtor, int creditor) noexcept nogil
    cdef bint start_auction(self) noexcept nogil
    cdef bint next_bidder(self) noexcept nogil
    cdef int gen_trade(self, int base) noexcept nogil
    cdef void trade(self) noexcept nogil
    cdef void transfer_property(self, int square, int new_owner) noexcept nogil
