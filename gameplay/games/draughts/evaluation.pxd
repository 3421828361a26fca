cdef enum:                              # the terms, in the order of terms.toml
    MAN, KING, LONE, TEMPO, LATE_TEMPO, CENTRE, EDGE, BACK, GOLDEN,
    BALANCE, SUPPORT, STEPS, OUTPOSTS, RUNAWAY, RUNAWAY_ROWS, DIAGONAL, TURN

cdef class DraughtsEvaluation:
    cdef long long[32] weight           # in the order of terms.toml
    cdef int top                        # the highest bit of the board
    cdef unsigned long long all, first, golden, edge, centre, left, right, diagonal
    cdef unsigned long long[4] rank     # the squares whose row, from 0 at the own side, has this bit
    cdef int value(self, unsigned long long white, unsigned long long black, unsigned long long kings,
                   int turn) noexcept nogil
    cdef void tally(self, unsigned long long white, unsigned long long black, unsigned long long kings,
                    int turn, int* counts) noexcept nogil
    cdef void rate(self, unsigned long long own, unsigned long long other, unsigned long long kings, int sign,
                   int* counts) noexcept nogil
    cdef int rows(self, unsigned long long squares) noexcept nogil
