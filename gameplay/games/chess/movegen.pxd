from gameplay.games.chess.attacks cimport between, bishop, forward, king, knight, left, pawn, right, rook, through
from gameplay.games.chess.board cimport ChessBoard
from gameplay.games.chess.layout cimport *

cdef class ChessMoves(ChessBoard):
    cdef bint safe(self, int square, int enemy, unsigned long long occupied) noexcept nogil
    cdef bint castles(self, int rook, unsigned long long occupied) noexcept nogil
    cdef void survey(self) noexcept nogil
    cdef int emit(self, int base, int head, unsigned long long targets) noexcept nogil
    cdef int march(self, int base, unsigned long long pawns, unsigned long long allowed, bint noisy, bint quiet) noexcept nogil
    cdef int step(self, int base, unsigned long long targets, int stride) noexcept nogil
    cdef int promote(self, int base, unsigned long long targets, int stride, bint noisy, bint quiet) noexcept nogil
    cdef int slide(self, int base, int kind, unsigned long long occupied, unsigned long long allowed) noexcept nogil
    cdef int gather(self, int base, bint noisy, bint quiet) noexcept nogil
    cdef int pawn_count(self, unsigned long long pawns, unsigned long long allowed) noexcept nogil
    cdef int count(self) noexcept nogil
    cdef bint stuck(self) noexcept nogil
