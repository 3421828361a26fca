cimport cython
from gameplay.kernel cimport Kernel
from gameplay.engines.pathfinding.search cimport PathSearch

@cython.final
cdef class IdastarSearch(PathSearch):
    cdef void count_generated(self, Kernel kernel) noexcept nogil
    cdef void emit_below(self, Kernel kernel, int base, int end, int ply, int room, int last) noexcept nogil
