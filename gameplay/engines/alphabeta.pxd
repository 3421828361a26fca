from gameplay.kernel cimport Kernel
from gameplay.search.tree cimport TreeSearch
cimport cython

cdef class AlphaBetaSearch(TreeSearch):
    cdef bint hard                      # values are kept within the window

@cython.final
cdef class ThresholdSearch(AlphaBetaSearch):
    cdef int low, high                  # evaluations beyond which no move is searched, from the view of MAX
    cdef int maximizer
