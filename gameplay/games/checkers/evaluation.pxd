cdef class Mobility:
    cdef unsigned long long movers      # set by safe_squares(): the pieces that can reach its squares
    cdef unsigned long long safe_squares(self, unsigned long long down, unsigned long long up,
                                     unsigned long long their_down, unsigned long long their_up,
                                     unsigned long long empty) noexcept nogil

cdef class CheckersEvaluation(Mobility):
    cdef int[900] man                   # by pieces on the board (36 a row), by square from the owner's side
    cdef int[900] king
    cdef int[400] back                  # by pieces on the board (16 a row), by men on the owner's first row
    cdef int[500] term                  # by pieces on the board (20 a row), by the indices of TERMS
    cdef int piece_square_sum(self, int* table, int row, unsigned long long black, unsigned long long white) noexcept nogil
    cdef int strong(self, unsigned long long black, unsigned long long white, unsigned long long kings,
                    int turn) noexcept nogil
    cdef int runaways(self, unsigned long long men, unsigned long long other, int turn, int row) noexcept nogil
    cdef int pursuit(self, unsigned long long hunters, unsigned long long hunted) noexcept nogil
