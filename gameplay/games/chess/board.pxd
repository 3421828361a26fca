from gameplay.games.chess.layout cimport *
from gameplay.kernel cimport Kernel

# By colour, kind and square; then castling rooks by square, en passant files, the side to move.
cdef unsigned long long[841] ZOBRIST

cdef enum:                              # offsets in ZOBRIST
    RIGHTS = 768
    FILES = 832
    SIDE = 840

cdef struct UndoState:                  # irreversible state, saved by each move
    unsigned long long zobrist
    unsigned long long rights
    int en_passant
    int clock
    int reversible_plies

cdef class ChessBoard(Kernel):
    cdef public bint chess960           # castling is written king takes rook in UCI
    cdef unsigned long long[6] kinds    # the squares of the pawns, knights, ..., kings
    cdef unsigned long long[2] colours  # the squares of White and of Black
    cdef unsigned char[64] cells        # kind + 1 of the piece on each square, 0 empty
    cdef unsigned long long zobrist     # pieces, side, castling and en passant
    cdef unsigned long long rights      # the rooks that may still castle
    cdef unsigned long long[64] castling_paths  # by the rook's square: the squares that must be empty to castle with it
    cdef int en_passant                 # the en passant square, -1: none
    cdef int clock                      # plies since a capture or pawn move
    cdef readonly int reversible_plies  # plies since the last irreversible move
    cdef int ply                        # plies since the set-up
    cdef int start_ply                  # plies before the set-up, from its move number
    cdef UndoState* undo_stack
    cdef int undo_capacity
    cdef bint has_check_info            # the next three are up to date, see movegen.py
    cdef int king_square                # of the mover's king
    cdef unsigned long long checkers    # pieces that give check
    cdef unsigned long long pinned      # pieces of the mover pinned to the king
    cdef void grow_undo_stack(self) noexcept nogil
    cdef void toggle(self, int colour, int kind, int square) noexcept nogil
    cdef void push_undo(self) noexcept nogil
    cdef unsigned long long attackers(self, int square, unsigned long long occupied) noexcept nogil
    cdef bint is_legal_en_passant(self, int start, int us) noexcept nogil
    cdef bint is_repetition(self, int times) noexcept nogil
