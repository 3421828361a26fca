cimport cython

from gameplay.games.shared.polled cimport PolledSolver

ctypedef unsigned long long Cards       # a set of cards, a bit each; 16 bits a suit, the ace the lowest

cdef struct Known:                      # what is known of the positions of a pattern
    Cards shape                         # who leads, and how many cards of each suit each player has
    Cards first, second                 # who has the highest cards of the first two suits, and of the others
    Cards cover, cover_second           # of how many of them that counts
    int next                            # another with the same place in `heads`; 0: none
    signed char low, high               # the tricks of 0 and 2, at least and at most

@cython.final
cdef class BridgeSolver(PolledSolver):
    # the deal
    cdef Cards[4] hands                 # by player, 0 to 3, clockwise
    cdef Cards trump                    # the cards of its suit; 0: no trumps
    cdef Cards shape                    # 4 bits a player and suit: how many cards
    cdef unsigned int[4][8192] owners   # by suit and set of its cards: who has each, 2 bits, the highest first

    # the trick that is played, by the number of tricks left
    cdef Cards[14] all_cards            # in all hands as it began
    cdef Cards[14] led                  # the cards of its suit
    cdef Cards ranks                    # of the search that ended last: the cards whose rank mattered
    cdef Cards[960] moves               # cards to play, of each player of each trick
    cdef int[960] order                 # how good they look

    # the table
    cdef Known* entries
    cdef int* heads
    cdef object owner                   # of the memory of both
    cdef object heads_owner
    cdef readonly int size              # 2**size entries
    cdef readonly int used              # entries written

    cdef void wipe(self) noexcept nogil
    cdef Cards top(self, Cards cards, int count) noexcept nogil
    cdef int find(self, int leader, int need, int left) noexcept nogil
    cdef void keep(self, int leader, int need, bint made, Cards ranks, int left) noexcept nogil
    cdef int quick(self, int leader, int left, int wanted) noexcept nogil
    cdef int later(self, int leader, int left) noexcept nogil
    cdef bint last(self, int leader) noexcept nogil
    cdef int lead_order(self, int player, Cards card, Cards cards) noexcept nogil
    cdef int follow_order(self, int k, int player, int left, int winner, Cards best, Cards card) noexcept nogil
    cdef bint beats(self, Cards hand, Cards best, Cards led) noexcept nogil
    cdef bint play(self, int k, int player, int need, int left, int winner, Cards best, Cards trick) noexcept nogil
    cdef bint visit(self, int leader, int need, int left) noexcept nogil
    cdef int settle(self, int k, int player, int left, int winner, Cards best, Cards trick, int guess) noexcept nogil
