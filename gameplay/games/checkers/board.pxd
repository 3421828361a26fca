from gameplay.games.shared.draughts.pieces cimport DraughtsPieces

cdef inline unsigned long long shift_squares(unsigned long long squares, int direction) noexcept nogil:
    cdef int bits = 4 + (direction & 1)
    return squares >> bits if direction & 2 else squares << bits

cdef class CheckersBoard(DraughtsPieces):
    cdef int extend_jumps(self, int base, unsigned long long bit, int path, int jumps,
                          unsigned long long other, unsigned long long empty, int directions) noexcept nogil
    cdef int count(self) noexcept nogil
    cdef int count_jumps(self, unsigned long long bit, unsigned long long other,
                         unsigned long long empty, int directions) noexcept nogil
    cdef bint can_move(self) noexcept nogil

cdef unsigned long long jumpers(unsigned long long down, unsigned long long up, unsigned long long other,
                                unsigned long long empty) noexcept nogil
