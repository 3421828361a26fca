from gameplay.games.chess.layout cimport *
from gameplay.kernel cimport Kernel

# By colour, kind and square; then the rooks that may castle, the files of pawns that passed, the side to move.
cdef unsigned long long[841] ZOBRIST

cdef enum:                              # where these parts begin
    RIGHTS = 768
    FILES = 832
    SIDE = 840

cdef struct Past:                       # what a move changes beyond pieces
    unsigned long long zobrist
    unsigned long long rights
    int en_passant
    int clock
    int since

cdef class ChessBoard(Kernel):
    cdef public bint chess960           # castling is written king takes rook in UCI
    cdef unsigned long long[6] kinds    # the squares of the pawns, knights, ..., kings
    cdef unsigned long long[2] colours  # the squares of White and of Black
    cdef unsigned char[64] cells        # kind + 1 of the piece on each square, 0 empty
    cdef unsigned long long zobrist     # pieces, side, castling and en passant
    cdef unsigned long long rights      # the rooks that may still castle
    cdef unsigned long long[64] clear   # by the rook's square: what must be empty to castle with it
    cdef int en_passant                 # the en passant square, -1: none
    cdef int clock                      # plies since a capture or a pawn's move
    cdef readonly int since             # plies since the last move for good: any of them may come again
    cdef int ply                        # moves made since the set-up
    cdef int begun                      # plies before the set-up, by its move number
    cdef Past* past
    cdef int room
    cdef bint surveyed                  # the three below are those of the position, see movegen.py
    cdef int home                       # where the mover's king stands
    cdef unsigned long long checkers    # the pieces that give check
    cdef unsigned long long pinned      # the mover's pieces that shield their king
    cdef void grow(self) noexcept nogil
    cdef void toggle(self, int colour, int kind, int square) noexcept nogil
    cdef void remember(self) noexcept nogil
    cdef unsigned long long attackers(self, int square, unsigned long long occupied) noexcept nogil
    cdef bint passes(self, int start, int us) noexcept nogil
    cdef bint is_repetition(self, int times) noexcept nogil
