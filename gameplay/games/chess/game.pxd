cimport cython
from gameplay.games.chess.correction cimport ChessCorrection
from gameplay.games.chess.evaluation cimport ChessEvaluation
from gameplay.games.chess.indexing cimport IndexedChess
from gameplay.games.chess.layout cimport *
from gameplay.games.chess.terms cimport ChessTerms
from gameplay.terms.reader cimport TermReader

cdef enum:
    KEPT = 8192                         # values remembered

cdef int worth(int kind) noexcept nogil

@cython.final
cdef class Chess(IndexedChess):
    cdef readonly int number            # of the start position, 518 the usual
    cdef readonly bint claims
    cdef readonly bint automatic        # draws end the game by themselves
    cdef int drawn_after                # plies without capture or pawn's move
    cdef int drawn_at                   # occurrences of a position
    cdef ChessEvaluation judge
    cdef ChessCorrection correction
    cdef ChessTerms terms               # of `linear`
    cdef unsigned long long[8192] met   # zobrist of the positions valued last, by its lowest bits; 0: none
    cdef int[8192] met_value            # of `correction`, for White
    cdef int[40] swap                   # scratch of see()
    cdef bint dead(self) noexcept nogil
    cdef int corrected(self) noexcept nogil
    cdef void count_terms(self, int* counts) noexcept nogil

cdef class LinearChessTerms(TermReader):
    pass
