from gameplay.kernel cimport Kernel
from gameplay.search.tree cimport TreeSearch
cimport cython

@cython.final
cdef class AlphaBetaSearch(TreeSearch):
    cdef bint hard                      # values are kept within the window
