cimport cython

from gameplay.games.bridge.patterns cimport TrickBounds
from gameplay.games.shared.polled cimport PolledSolver

ctypedef unsigned long long Cards       # a set of cards, a bit each; 16 bits a suit, the ace the lowest

@cython.final
cdef class BridgeSolver(PolledSolver):
    # the deal
    cdef Cards[4] hands                 # by player, 0 to 3, clockwise
    cdef Cards trump                    # all cards of the trump suit; 0: no trumps
    cdef Cards shape                    # number of cards, 4 bits per player and suit
    cdef unsigned int[4][8192] owners   # by suit and set of its cards: the owner of each, 2 bits, the highest first

    # by the number of tricks left
    cdef Cards[14] all_cards            # in all hands at its start
    cdef Cards[14] led                  # the suit led
    cdef Cards ranks                    # set by the last search: the cards whose rank mattered
    cdef Cards[960] moves               # cards to play, of each player of each trick
    cdef int[960] scores                # move-ordering scores

    # tables
    cdef TrickBounds patterns
    cdef Cards[65536] cutoff_cards      # by hash: 58 bits of the key, and the cell of the card of the last cutoff
    cdef Cards first, second            # the owners of all cards at the start of the trick

    cdef void clear(self) noexcept nogil
    cdef Cards nth_card(self, Cards cards, int count) noexcept nogil
    cdef void update_owners(self, int left) noexcept nogil
    cdef int probe(self, int leader, int need, int left) noexcept nogil
    cdef void store(self, int leader, int need, int value, int left) noexcept nogil
    cdef int quick_tricks(self, int leader, int left, int wanted) noexcept nogil
    cdef int later_tricks(self, int leader, int left) noexcept nogil
    cdef int later_trump_tricks(self, Cards lho, Cards rho, Cards leader, Cards partner, Cards cards) noexcept nogil
    cdef int last_trick(self, int leader) noexcept nogil
    cdef int score_lead(self, int player, Cards card, Cards cards) noexcept nogil
    cdef int score_follower(self, int k, int player, int left, int winner, Cards best, Cards card) noexcept nogil
    cdef Cards hint_key(self, int k, int player, int left, Cards best) noexcept nogil
    cdef Cards cutoff_card(self, Cards key) noexcept nogil
    cdef int sort_moves(self, int k, int player, int left, int winner, Cards best, Cards cards, int base) noexcept nogil
    cdef bint beats(self, Cards hand, Cards best, Cards led) noexcept nogil
    cdef int visit_card(self, int k, int player, int need, int left, int winner, Cards best, Cards trick) noexcept nogil
    cdef int visit(self, int leader, int need, int left) noexcept nogil
    cdef int search_tricks(self, int k, int player, int left, int winner, Cards best, Cards trick, int guess) noexcept nogil
