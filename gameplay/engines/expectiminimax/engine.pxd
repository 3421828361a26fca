from gameplay.kernel cimport Kernel
from gameplay.engines.expectiminimax.search cimport ExpectationSearch
cimport cython

@cython.final
cdef class ExpectiminimaxSearch(ExpectationSearch):
    cdef double after(self, Kernel kernel, int base, int ply, int move, int depth) noexcept nogil
    cdef double expected(self, Kernel kernel, int base, int ply, int depth) noexcept nogil
