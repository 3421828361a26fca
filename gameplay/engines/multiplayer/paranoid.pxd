from gameplay.kernel cimport Kernel
from gameplay.engines.multiplayer.search cimport ManySearch
cimport cython

@cython.final
cdef class ParanoidSearch(ManySearch):
    cdef double after(self, Kernel kernel, int base, int ply, int move, int depth, double alpha, double beta) noexcept nogil
    cdef double visit_for(self, Kernel kernel, int base, int ply, int depth, double alpha, double beta) noexcept nogil
    cdef double average(self, Kernel kernel, int base, int ply, int depth) noexcept nogil
