cimport cython

ctypedef unsigned long long Cards       # a set of cards, a bit each, see `pack`

cdef struct PlayState:                  # a deal in the play, with all cards known
    Cards[5] hands                      # by player
    Cards played
    Cards trick                         # on the table
    int turn
    int trick_size
    int led                             # the suit of the first of them
    int best                            # the winning card so far
    int taker                           # its player
    int tricks                          # complete tricks
    int cards_left                      # cards in all hands
    int broken                          # a heart or the queen of spades was played
    int point_takers                    # players who took one of them, as bits
    int[5] points

@cython.final
cdef class HeartsPlayouts:
    cdef readonly long long nodes
    cdef long long node_limit           # `nodes` at which playouts end; 0: no limit
    cdef readonly int players
    cdef int jack
    cdef int own_moon
    cdef int step
    cdef Cards lowest_club
    cdef unsigned long long rng_state
    cdef object loaded_play
    cdef PlayState root
    cdef PlayState state

    cdef unsigned int random_below(self, unsigned int below) noexcept nogil
    cdef Cards legal_cards(self) noexcept nogil
    cdef int choose(self) noexcept nogil
    cdef int choose_by_rule(self, Cards cards) noexcept nogil
    cdef int choose_lead(self, Cards cards) noexcept nogil
    cdef int choose_follow(self, Cards cards) noexcept nogil
    cdef int choose_discard(self, Cards cards) noexcept nogil
    cdef int choose_pass(self, Cards hand) noexcept nogil
    cdef void start(self) noexcept nogil
    cdef void play(self, int card) noexcept nogil
    cdef int play_out(self, int player) noexcept nogil

cdef Cards bits(cards)
