from gameplay.games.shared.draughts.pieces cimport DraughtsPieces

cdef inline unsigned long long shift_squares(unsigned long long squares, int direction) noexcept nogil:
    cdef int bits = 5 + (direction & 1)
    return squares >> bits if direction & 2 else squares << bits

cdef class DraughtsBoard(DraughtsPieces):
    cdef unsigned long long all, diagonal
    cdef unsigned long long north, south  # the last rows of white and of black
    cdef unsigned long long north_second, south_second  # the rows before them
    cdef bint majority, passing, small
    cdef int limit                      # plies of kings alone that draw
    # The captures that are being generated.
    cdef int[256] capture_ends          # the end square of each, as a bit index
    cdef unsigned long long[256] captured_sets  # ... and the pieces it captures
    cdef int capture_count              # number of captures
    cdef int piece_start                # index of the first capture of the current piece
    cdef int max_captured               # the largest number of captured pieces
    cdef void begin_captures(self) noexcept nogil
    cdef void capture_from(self, unsigned long long bit) noexcept nogil
    cdef bint capture_on(self, unsigned long long bit, unsigned long long captured_sets, unsigned long long other,
                         unsigned long long empty, bint king, int directions) noexcept nogil
    cdef bint capture_by_king(self, unsigned long long bit, unsigned long long captured_sets,
                              unsigned long long other, unsigned long long empty, int direction) noexcept nogil
    cdef void add_capture(self, unsigned long long bit, unsigned long long captured_sets) noexcept nogil
    cdef unsigned long long captured_by(self, int move) noexcept nogil
    cdef bint balance_changes(self, unsigned long long captured_sets, unsigned long long crowned) noexcept nogil
    cdef unsigned long long capturers(self) noexcept nogil
    cdef bint can_move(self) noexcept nogil
