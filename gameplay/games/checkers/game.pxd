from gameplay.games.checkers.evaluation cimport CheckersEvaluation
from gameplay.games.checkers.indexing cimport IndexedCheckers
from gameplay.games.checkers.samuel cimport SamuelTerms
from gameplay.terms.reader cimport TermReader

cdef class Checkers(IndexedCheckers):
    cdef readonly bint automatic        # draws end the game by themselves
    cdef CheckersEvaluation sums        # of `strong`
    cdef SamuelTerms terms              # of `samuel` and `samuel-moves`
    cdef void count_terms(self, int* counts) noexcept nogil

cdef class CheckersTerms(TermReader):
    pass
