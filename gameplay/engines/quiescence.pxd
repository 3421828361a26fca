from gameplay.kernel cimport Kernel
from gameplay.engines.iterative cimport IterativeSearch
cimport cython

@cython.final
cdef class QuiescenceSearch(IterativeSearch):
    cdef int quiesce(self, Kernel kernel, int base, int ply, int alpha, int beta) noexcept nogil
