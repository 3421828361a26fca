from gameplay.kernel cimport Kernel
from gameplay.search.thresholds cimport Thresholds
from gameplay.search.tree cimport TreeSearch
cimport cython

@cython.final
cdef class AlphaBetaSearch(TreeSearch):
    cdef bint hard                      # fail-hard: values are clamped to the window
    cdef Thresholds thresholds          # None: off
    cdef int standout                   # by how much a move must exceed all others to be searched alone; -1: off
    cdef int keep_standout(self, Kernel kernel, int base, int end, int ply) noexcept nogil
