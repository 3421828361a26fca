from gameplay.games.chess.layout cimport *
from gameplay.games.chess.movegen cimport ChessMoves

# A way to turn the board is three bits: mirror its files, its ranks, then its long diagonal.
cdef int[512] TURNED                    # by way and square: where it comes to
cdef int[64] FOLDING                    # the way that brings a square into the triangle a1, d1, d4
cdef int[8192] PAIRS                    # by squares of two kings: their number, -1 none; first without pawns, then with
cdef int[2268] KINGS                    # by the number of such a pair: 64 * the one + the other

cdef class IndexedChess(ChessMoves):
    cdef int encoded(self, int way, int flip, long long number) noexcept nogil
    cdef bint passed(self, int us) noexcept nogil
    cdef int before(self, int base, int kind, int at, int start) noexcept nogil
