from gameplay.kernel cimport Kernel
from gameplay.engines.multiplayer.search cimport ManySearch
cimport cython

@cython.final
cdef class BrsSearch(ManySearch):
    cdef bint passing                   # those who do not reply pass
    cdef double after(self, Kernel kernel, int base, int ply, int move, int depth, double alpha, double beta, bint replied, unsigned long long left) noexcept nogil
    cdef double visit_for(self, Kernel kernel, int base, int ply, int depth, double alpha, double beta, bint replied, unsigned long long left) noexcept nogil
    cdef double leave(self, Kernel kernel, int base, int ply, int depth, double alpha, double beta, bint replied, unsigned long long left) noexcept nogil
    cdef double average(self, Kernel kernel, int base, int ply, int depth, bint replied, unsigned long long left) noexcept nogil
    cdef bint another(self, Kernel kernel) noexcept nogil
