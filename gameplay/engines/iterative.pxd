from gameplay.kernel cimport Kernel
from gameplay.search.picker cimport Picker
from gameplay.search.tree cimport TreeSearch

cdef class IterativeSearch(TreeSearch):
    cdef Picker picker
    cdef bint aspiration
    cdef bint mtdf
    cdef int earlier_value              # of the iteration before the last
    cdef bint following                 # still on the last iteration's principal variation
    cdef bint reaches_end               # this iteration reaches the end of the game: no pruning
    cdef bint solves                    # the game has a solver for exact endgame values
    cdef bint uses_replies              # the move ordering depends on the previous move
    cdef int solve_endgame(self, Kernel kernel, int ply, int alpha, int beta) noexcept nogil
    cdef int visit(self, Kernel kernel, int base, int ply, int depth, int alpha, int beta) noexcept nogil
