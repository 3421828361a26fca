from gameplay.games.draughts.board cimport DraughtsBoard
from gameplay.games.draughts.evaluation cimport DraughtsEvaluation
from gameplay.terms.reader cimport TermReader

cdef class Draughts(DraughtsBoard):
    cdef readonly bint automatic        # draws end the game by themselves
    cdef DraughtsEvaluation sums
    cdef int balance_limit(self) noexcept nogil
    cdef int stay(self, bint white) noexcept nogil
    cdef void count_terms(self, int* counts) noexcept nogil

cdef class DraughtsTerms(TermReader):
    pass
