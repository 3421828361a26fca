from gameplay.kernel cimport Kernel
from gameplay.search.tree cimport TreeSearch
cimport cython

@cython.final
cdef class Thresholds:
    cdef int low, high                  # evaluations beyond which no move is searched, from the view of MAX
    cdef int maximizer
    cdef int value                      # the evaluation of the last position, for its mover
    cdef bint reached(self, TreeSearch search, Kernel kernel, int ply) noexcept nogil
