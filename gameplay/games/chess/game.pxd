cimport cython
from gameplay.games.chess.correction cimport ChessCorrection
from gameplay.games.chess.evaluation cimport ChessEvaluation
from gameplay.games.chess.indexing cimport IndexedChess
from gameplay.games.chess.layout cimport *
from gameplay.games.chess.terms cimport ChessTerms
from gameplay.terms.reader cimport TermReader

cdef enum:
    CACHE_SIZE = 8192                   # entries of the evaluation cache

cdef int piece_value(int kind) noexcept nogil

@cython.final
cdef class Chess(IndexedChess):
    cdef readonly int number            # of the Chess960 start position; 518: standard chess
    cdef readonly bint claims
    cdef readonly bint automatic        # draws end the game without a claim
    cdef int draw_clock_limit           # plies without a capture or pawn move
    cdef int drawing_repetitions        # occurrences of a position
    cdef ChessEvaluation evaluator
    cdef ChessCorrection correction
    cdef ChessTerms terms               # of `linear`
    cdef unsigned long long[8192] cached_keys  # by the lowest bits of zobrist: the position in this entry; 0: empty
    cdef int[8192] cached_values        # of `correction`, for White
    cdef int[40] swap                   # scratch of see()
    cdef bint is_insufficient_material(self) noexcept nogil
    cdef int corrected_value(self) noexcept nogil
    cdef void count_terms(self, int* scale_factor) noexcept nogil

cdef class LinearChessTerms(TermReader):
    pass
