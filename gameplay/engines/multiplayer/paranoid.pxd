from gameplay.kernel cimport Kernel
from gameplay.engines.multiplayer.search cimport ManySearch

cdef class ParanoidSearch(ManySearch):
    cdef bint replies                   # only one of the others replies to a move of MAX
    cdef double after(self, Kernel kernel, int base, int ply, int move, int depth, double alpha, double beta, bint replied, unsigned long long left) noexcept nogil
    cdef double visit_for(self, Kernel kernel, int base, int ply, int depth, double alpha, double beta, bint replied, unsigned long long left) noexcept nogil
    cdef double leave(self, Kernel kernel, int base, int ply, int depth, double alpha, double beta, bint replied, unsigned long long left) noexcept nogil
    cdef double average(self, Kernel kernel, int base, int ply, int depth, bint replied, unsigned long long left) noexcept nogil
