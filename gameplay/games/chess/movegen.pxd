from gameplay.games.chess.attacks cimport between, bishop, forward, king, knight, left, pawn, right, rook, through
from gameplay.games.chess.board cimport ChessBoard
from gameplay.games.chess.layout cimport *

cdef class ChessMoves(ChessBoard):
    cdef bint is_safe(self, int square, int enemy, unsigned long long occupied) noexcept nogil
    cdef bint can_castle(self, int rook, unsigned long long occupied) noexcept nogil
    cdef void update_checkers_and_pins(self) noexcept nogil
    cdef int add_moves(self, int base, int head, unsigned long long targets) noexcept nogil
    cdef int generate_pawn_moves(self, int base, unsigned long long pawns, unsigned long long allowed, bint noisy, bint quiet) noexcept nogil
    cdef int add_pawn_moves(self, int base, unsigned long long targets, int stride) noexcept nogil
    cdef int add_promotions(self, int base, unsigned long long targets, int stride, bint noisy, bint quiet) noexcept nogil
    cdef int generate_slider_moves(self, int base, int kind, unsigned long long occupied, unsigned long long allowed) noexcept nogil
    cdef int generate(self, int base, bint noisy, bint quiet) noexcept nogil
    cdef int count_pawn_moves(self, unsigned long long pawns, unsigned long long allowed) noexcept nogil
    cdef int count_moves(self) noexcept nogil
    cdef bint has_no_legal_move(self) noexcept nogil
