from gameplay.kernel cimport Kernel
from gameplay.search.searcher cimport Searcher
cimport cython

@cython.final
cdef class AlphaBetaSearcher(Searcher):
    cdef int expand(self, Kernel kernel, int base, int ply, int depth, int alpha, int beta) noexcept nogil
