cdef enum:                              # the terms, in the order of terms.toml
    MOBILITY, SAFE_MOVES, CORNER_MOVES, POTENTIAL, FRONTIER, CORNERS, X_SQUARES,
    C_SQUARES, EDGES, CENTRE, STABLE, DISCS, LATE_DISCS, PARITY

cdef class OthelloTerms:
    cdef long long[14] weight           # in the order of terms.toml
    cdef int size
    cdef unsigned long long cells, corners, x_squares, c_squares, edges, centre
    cdef int value(self, unsigned long long p, unsigned long long o, unsigned long long moves,
                   unsigned long long replies, int stable) noexcept nogil
    cdef void tally(self, unsigned long long p, unsigned long long o, unsigned long long moves,
                    unsigned long long replies, int stable, int* counts) noexcept nogil
    cdef unsigned long long near_empty_corners(self, unsigned long long empty) noexcept nogil
