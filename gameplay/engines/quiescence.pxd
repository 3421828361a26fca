from gameplay.kernel cimport Kernel
from gameplay.engines.iterative cimport IterativeSearcher

cdef class QuiescenceSearcher(IterativeSearcher):
    cdef int leaf(self, Kernel kernel, int base, int ply, int alpha, int beta) noexcept nogil
    cdef int quiesce(self, Kernel kernel, int base, int ply, int alpha, int beta) noexcept nogil
