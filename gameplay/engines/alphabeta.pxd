from gameplay.kernel cimport Kernel
from gameplay.search.searcher cimport Searcher
cimport cython

@cython.final
cdef class AlphaBetaSearcher(Searcher):
    pass
