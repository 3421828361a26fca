from gameplay.games.checkers.evaluation cimport Mobility

cdef class SamuelTerms(Mobility):
    cdef int[40] weight                 # by the index in NAMES
    cdef int[40] count                  # of the last position, from the mover's view
    cdef unsigned long long needed      # the indices that value() counts, a bit each
    cdef bint by_moves                  # MOBIL counts moves, not squares
    # The side that is rated, turned so that it moves from bit 0 up, and its opponent.
    cdef unsigned long long own, other, own_kings, other_kings, empty
    cdef int value(self, unsigned long long black, unsigned long long white, unsigned long long kings,
                   int turn) noexcept nogil
    cdef void tally(self, unsigned long long black, unsigned long long white, unsigned long long kings,
                    int turn) noexcept nogil
    cdef void place_side(self, unsigned long long own, unsigned long long other,
                         unsigned long long kings) noexcept nogil
    cdef void rate_pieces(self, int sign) noexcept nogil
    cdef void rate_moves(self, int sign) noexcept nogil
    cdef int safe_moves(self) noexcept nogil
    cdef int destinations(self, unsigned long long squares, bint exchange) noexcept nogil
    cdef bint threatens(self, unsigned long long start, unsigned long long at) noexcept nogil
    cdef bint exchanges(self, unsigned long long start, unsigned long long at) noexcept nogil
    cdef bint retakes(self, unsigned long long own, unsigned long long at,
                      unsigned long long empty) noexcept nogil
    cdef void connect(self, int first, int a, int b) noexcept nogil

cdef unsigned long long rotate(unsigned long long board) noexcept nogil
cdef unsigned long long surrounded_squares(unsigned long long board, int least) noexcept nogil
