cimport cython
from gameplay.games.chess.evaluation cimport ChessEvaluation
from gameplay.games.chess.terms cimport ChessTerms
from gameplay.kernel cimport Kernel

# By colour, kind and square; then the rooks that may castle, the files of pawns that passed, the side to move.
cdef unsigned long long[841] ZOBRIST

# For positions by number. A way to turn the board is three bits: mirror its files, its ranks, then its long diagonal.
cdef int[512] TURNED                    # by way and square: where it comes to
cdef int[64] FOLDING                    # the way that brings a square into the triangle a1, d1, d4
cdef int[8192] PAIRS                    # by squares of two kings: their number, -1 none; first without pawns, then with
cdef int[2268] KINGS                    # by the number of such a pair: 64 * the one + the other

cdef int worth(int kind) noexcept nogil

cdef struct Past:                       # what a move changes beyond pieces
    unsigned long long zobrist
    unsigned long long rights
    int passing
    int clock
    int since

@cython.final
cdef class Chess(Kernel):
    cdef readonly int number            # of the start position, 518 the usual
    cdef readonly bint claims
    cdef readonly bint automatic        # draws end the game by themselves
    cdef public bint chess960           # castling is written king takes rook in UCI
    cdef unsigned long long[6] kinds    # the squares of the pawns, knights, ..., kings
    cdef unsigned long long[2] colours  # the squares of White and of Black
    cdef unsigned char[64] cells        # kind + 1 of the piece on each square, 0 empty
    cdef unsigned long long zobrist     # pieces, side, castling and en passant
    cdef unsigned long long rights      # the rooks that may still castle
    cdef unsigned long long[64] clear   # by the rook's square: what must be empty to castle with it
    cdef int passing                    # where a pawn can be taken in passing, -1: nowhere
    cdef int clock                      # plies since a capture or a pawn's move
    cdef readonly int since             # plies since the last move for good: any of them may come again
    cdef int ply                        # moves made since the set-up
    cdef int begun                      # plies before the set-up, by its move number
    cdef int drawn_after                # plies without capture or pawn's move
    cdef int drawn_at                   # occurrences of a position
    cdef Past* past
    cdef int room
    cdef bint surveyed                  # the three below are those of the position
    cdef int home                       # where the mover's king stands
    cdef unsigned long long checkers    # the pieces that give check
    cdef unsigned long long pinned      # the mover's pieces that shield their king
    cdef ChessEvaluation judge
    cdef ChessTerms terms               # of `linear`
    cdef int[40] swap                   # scratch of exchange()
    cdef void grow(self) noexcept nogil
    cdef void toggle(self, int colour, int kind, int square) noexcept nogil
    cdef unsigned long long strikers(self, int square, unsigned long long occupied) noexcept nogil
    cdef bint safe(self, int square, int enemy, unsigned long long occupied) noexcept nogil
    cdef bint passes(self, int start, int us) noexcept nogil
    cdef bint castles(self, int tower, unsigned long long occupied) noexcept nogil
    cdef void survey(self) noexcept nogil
    cdef int emit(self, int base, int head, unsigned long long targets) noexcept nogil
    cdef int march(self, int base, unsigned long long pawns, unsigned long long allowed, bint noisy, bint quiet) noexcept nogil
    cdef int step(self, int base, unsigned long long targets, int stride) noexcept nogil
    cdef int promote(self, int base, unsigned long long targets, int stride, bint noisy, bint quiet) noexcept nogil
    cdef int gather(self, int base, bint noisy, bint quiet) noexcept nogil
    cdef int pawn_count(self, unsigned long long pawns, unsigned long long allowed) noexcept nogil
    cdef int count(self) noexcept nogil
    cdef bint stuck(self) noexcept nogil
    cdef bint dead(self) noexcept nogil
    cdef bint recurs(self, int times) noexcept nogil
    cdef int encoded(self, int way, int flip, long long number) noexcept nogil
    cdef bint passed(self, int us) noexcept nogil
    cdef int before(self, int base, int kind, int at, int start) noexcept nogil
