from gameplay.games.draughts.board cimport DraughtsBoard
from gameplay.games.draughts.evaluation cimport DraughtsEvaluation

cdef class Draughts(DraughtsBoard):
    cdef DraughtsEvaluation sums
    cdef int balance_limit(self) noexcept nogil
    cdef int plies_on_diagonal(self, bint white) noexcept nogil
