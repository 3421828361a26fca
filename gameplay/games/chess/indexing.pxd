from gameplay.games.chess.layout cimport *
from gameplay.games.chess.movegen cimport ChessMoves

# A symmetry of the board is three bits: mirror its files, its ranks, then its long diagonal.
cdef int[512] TRANSFORMED               # by symmetry and square: the image
cdef int[64] TO_TRIANGLE                # the symmetry that maps a square into the triangle a1, d1, d4
cdef int[8192] KING_PAIR_INDEX          # by the squares of both kings: the index, -1 if illegal; without pawns, then with
cdef int[2268] KING_PAIRS               # by that index: 64 * the mover's king + the other king

cdef class IndexedChess(ChessMoves):
    cdef int encode(self, int symmetry, int flip, long long number) noexcept nogil
    cdef bint can_capture_en_passant(self, int us) noexcept nogil
    cdef int add_predecessors(self, int base, int kind, int at, int start) noexcept nogil
