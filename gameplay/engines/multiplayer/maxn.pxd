from gameplay.kernel cimport Kernel
from gameplay.engines.multiplayer.search cimport MultiplayerSearch
cimport cython

@cython.final
cdef class MaxnSearch(MultiplayerSearch):
    cdef double low, high, total        # bounds of payoffs, in `unit`; infinite if unknown
    cdef bint cuts                      # shallow pruning is on and can cut
    cdef bint after(self, Kernel kernel, int base, int ply, int move, int depth, int chooser, double best) noexcept nogil
    cdef bint visit_row(self, Kernel kernel, int base, int ply, int depth, int chooser, double best) noexcept nogil
    cdef void average(self, Kernel kernel, int base, int ply, int depth) noexcept nogil
    cdef int others(self, int one, int another) noexcept nogil
    cdef double ceiling(self, int player) noexcept nogil
