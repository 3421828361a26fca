from gameplay.kernel cimport Kernel
from gameplay.engines.multiplayer.search cimport MultiplayerSearch

cdef class ParanoidSearch(MultiplayerSearch):
    cdef bint replies                   # best-reply search: one of the others replies to a move of MAX
    cdef double after(self, Kernel kernel, int base, int ply, int move, int depth, double alpha, double beta, bint replied, unsigned long long declined) noexcept nogil
    cdef double visit_for(self, Kernel kernel, int base, int ply, int depth, double alpha, double beta, bint replied, unsigned long long declined) noexcept nogil
    cdef double decline(self, Kernel kernel, int base, int ply, int depth, double alpha, double beta, bint replied, unsigned long long declined) noexcept nogil
    cdef double average(self, Kernel kernel, int base, int ply, int depth, bint replied, unsigned long long declined) noexcept nogil
