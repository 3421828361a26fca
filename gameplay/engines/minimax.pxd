from gameplay.kernel cimport Kernel
from gameplay.search.thresholds cimport Thresholds
from gameplay.search.tree cimport TreeSearch
cimport cython

@cython.final
cdef class MinimaxSearch(TreeSearch):
    cdef int maximizer
    cdef Thresholds thresholds          # None: off
    cdef int max_value(self, Kernel kernel, int base, int ply, int depth) noexcept nogil
    cdef int min_value(self, Kernel kernel, int base, int ply, int depth) noexcept nogil
