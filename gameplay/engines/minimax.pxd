from gameplay.kernel cimport Kernel
from gameplay.search.tree cimport TreeSearch
cimport cython

@cython.final
cdef class MinimaxSearch(TreeSearch):
    cdef int maximizer
    cdef int max_value(self, Kernel kernel, int base, int ply, int depth) noexcept nogil
    cdef int min_value(self, Kernel kernel, int base, int ply, int depth) noexcept nogil
