from gameplay.kernel cimport Kernel
from gameplay.search.tree cimport TreeSearch
cimport cython

@cython.final
cdef class AlphaBetaSearch(TreeSearch):
    pass
