cimport cython

ctypedef unsigned long long Cards       # a set of cards, a bit each, see `pack`

cdef struct Table:                      # a deal in the play, all cards open
    Cards[5] hands                      # by player
    Cards gone                          # cards that were played
    Cards trick                         # those on the table
    int turn
    int placed                          # cards on the table
    int led                             # the suit of the first of them
    int best                            # the winning card so far
    int taker                           # its player
    int tricks                          # complete tricks
    int left                            # cards in all hands
    int broken                          # a heart or the queen of spades was played
    int takers                          # players who took one of them, a bit each
    int[5] points

@cython.final
cdef class HeartsPlayouts:
    cdef readonly long long nodes
    cdef long long last                 # `nodes` at which playouts end; 0: no limit
    cdef readonly int players
    cdef int jack
    cdef int own_moon
    cdef int step
    cdef Cards lowest_club
    cdef unsigned long long rng_state
    cdef object seen
    cdef Table root
    cdef Table now

    cdef unsigned int draw(self, unsigned int below) noexcept nogil
    cdef Cards legal(self) noexcept nogil
    cdef int choose(self) noexcept nogil
    cdef int by_rule(self, Cards cards) noexcept nogil
    cdef int lead(self, Cards cards) noexcept nogil
    cdef int follow(self, Cards cards) noexcept nogil
    cdef int discard(self, Cards cards) noexcept nogil
    cdef int to_pass(self, Cards hand) noexcept nogil
    cdef void start(self) noexcept nogil
    cdef void play(self, int card) noexcept nogil
    cdef int finish(self, int player) noexcept nogil

cdef Cards bits(cards)
