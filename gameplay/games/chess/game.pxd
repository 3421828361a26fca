cimport cython
from gameplay.games.chess.evaluation cimport ChessEvaluation
from gameplay.games.chess.indexing cimport IndexedChess
from gameplay.games.chess.layout cimport *
from gameplay.games.chess.terms cimport ChessTerms
from gameplay.terms.reader cimport TermReader

cdef int worth(int kind) noexcept nogil

@cython.final
cdef class Chess(IndexedChess):
    cdef readonly int number            # of the start position, 518 the usual
    cdef readonly bint claims
    cdef readonly bint automatic        # draws end the game by themselves
    cdef int drawn_after                # plies without capture or pawn's move
    cdef int drawn_at                   # occurrences of a position
    cdef ChessEvaluation judge
    cdef ChessTerms terms               # of `linear`
    cdef int[40] swap                   # scratch of exchange()
    cdef bint dead(self) noexcept nogil
    cdef void count_terms(self, int* counts) noexcept nogil

cdef class LinearChessTerms(TermReader):
    pass
