from gameplay.games.chess.game cimport Chess

cdef class SampleReader:
    cdef Chess game
    cdef int limit
    cdef bint write(self, Chess game, unsigned char* row, int move, int value, int result) noexcept
