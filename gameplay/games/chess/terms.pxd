from gameplay.games.chess.layout cimport *

cdef class ChessTerms:
    cdef long long[28] weight           # by the index in NAMES
    # of the position that is counted, by colour
    cdef int[28] count                  # White's less Black's
    cdef unsigned long long[2] by_pawns  # squares attacked by pawns
    cdef unsigned long long[2] attacked  # by any piece
    cdef int value(self, unsigned long long* kinds, unsigned long long* colours, int turn) noexcept nogil
    cdef void tally(self, unsigned long long* kinds, unsigned long long* colours) noexcept nogil
    cdef void rate_pieces(self, unsigned long long* kinds, unsigned long long* colours, int us, int sign) noexcept nogil
    cdef void rate_pawns(self, unsigned long long* kinds, unsigned long long* colours, int us, int sign) noexcept nogil
    cdef void rate_king(self, unsigned long long* kinds, unsigned long long* colours, int us, int sign) noexcept nogil
    cdef void rate_attacks(self, unsigned long long* kinds, unsigned long long* colours, int us, int sign) noexcept nogil

cdef unsigned long long files(unsigned long long squares) noexcept nogil
cdef unsigned long long beside(unsigned long long squares) noexcept nogil
cdef unsigned long long ahead(unsigned long long squares, int us) noexcept nogil
