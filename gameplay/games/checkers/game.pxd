from gameplay.games.checkers.evaluation cimport CheckersEvaluation
from gameplay.games.checkers.indexing cimport IndexedCheckers
from gameplay.games.checkers.samuel cimport SamuelTerms

cdef class Checkers(IndexedCheckers):
    cdef CheckersEvaluation sums        # of `strong`
    cdef SamuelTerms terms              # of `samuel` and `samuel-moves`
