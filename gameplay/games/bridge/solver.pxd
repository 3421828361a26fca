cimport cython

from gameplay.games.bridge.patterns cimport TrickBounds
from gameplay.games.shared.polled cimport PolledSolver

ctypedef unsigned long long Cards       # a set of cards, a bit each; 16 bits a suit, the ace the lowest

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

    # what is known
    cdef TrickBounds patterns
    cdef Cards[65536] hints             # the cards that answered: a key of 58 bits, and where the card is
    cdef Cards first, second            # the owners of all cards of the trick that begins

    cdef void wipe(self) noexcept nogil
    cdef Cards top(self, Cards cards, int count) noexcept nogil
    cdef void read_owners(self, int left) noexcept nogil
    cdef int find(self, int leader, int need, int left) noexcept nogil
    cdef void keep(self, int leader, int need, int value, int left) noexcept nogil
    cdef int quick(self, int leader, int left, int wanted) noexcept nogil
    cdef int later(self, int leader, int left) noexcept nogil
    cdef int later_trumps(self, Cards one, Cards two, Cards leader, Cards partner, Cards cards) noexcept nogil
    cdef int last(self, int leader) noexcept nogil
    cdef int lead_order(self, int player, Cards card, Cards cards) noexcept nogil
    cdef int follow_order(self, int k, int player, int left, int winner, Cards best, Cards card) noexcept nogil
    cdef Cards hint_key(self, int k, int player, int left, Cards best) noexcept nogil
    cdef Cards hint(self, Cards key) noexcept nogil
    cdef int sort(self, int k, int player, int left, int winner, Cards best, Cards cards, int base) noexcept nogil
    cdef bint beats(self, Cards hand, Cards best, Cards led) noexcept nogil
    cdef int play(self, int k, int player, int need, int left, int winner, Cards best, Cards trick) noexcept nogil
    cdef int visit(self, int leader, int need, int left) noexcept nogil
    cdef int settle(self, int k, int player, int left, int winner, Cards best, Cards trick, int guess) noexcept nogil
