from gameplay.kernel cimport Kernel
from gameplay.search.searcher cimport Searcher

cdef class IterativeSearcher(Searcher):
    cdef bint aspiration
    cdef int[256] last_pv               # the last search's principal variation by ply, then -1
    cdef bint following                 # still on that line
    cdef bint whole                     # this iteration reaches the end of the game: nothing may be left out
    cdef bint solves                    # the game tells exact values near its end
    cdef bint counters                  # the order asks which move was answered
    cdef int settle(self, Kernel kernel, int alpha, int beta) noexcept nogil
    cdef int visit(self, Kernel kernel, int base, int ply, int depth, int alpha, int beta) noexcept nogil
    cdef int leaf(self, Kernel kernel, int base, int ply, int alpha, int beta) noexcept nogil
