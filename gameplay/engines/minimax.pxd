from gameplay.kernel cimport Kernel
from gameplay.search.searcher cimport Searcher
cimport cython

@cython.final
cdef class MinimaxSearcher(Searcher):
    cdef int maximizer
    cdef int value(self, Kernel kernel, int base, int ply, int depth) noexcept nogil
    cdef int max_value(self, Kernel kernel, int base, int ply, int depth) noexcept nogil
    cdef int min_value(self, Kernel kernel, int base, int ply, int depth) noexcept nogil
