cimport cython
from gameplay.games.othello.evaluation cimport OthelloEvaluation
from gameplay.games.othello.terms cimport OthelloTerms
from gameplay.games.othello.endgame cimport OthelloEndgame
from gameplay.kernel cimport Kernel
from gameplay.terms.reader cimport TermReader

@cython.final
cdef class Othello(Kernel):
    cdef readonly int size
    cdef readonly unsigned long long pos, opp
    cdef unsigned long long cells       # every square of the board
    cdef unsigned long long[6] ranked_squares  # the squares by move-ordering rank, the best first
    cdef int area
    cdef int ply
    cdef unsigned long long[132] undo   # the discs flipped by each move since setup()
    cdef unsigned short[48] index       # scratch memory of the evaluation
    cdef OthelloEvaluation tables       # of the weights, shared by all games
    cdef OthelloTerms terms             # of `feature_weights`
    cdef OthelloEndgame endgame
    cdef unsigned long long legal_moves(self, unsigned long long p, unsigned long long o) noexcept nogil
    cdef long long count_lines(self, unsigned long long p, unsigned long long o, int depth) noexcept nogil
    cdef void count_terms(self, int* counts) noexcept nogil

cdef class LinearOthelloTerms(TermReader):
    pass
