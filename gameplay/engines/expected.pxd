from gameplay.kernel cimport Kernel
from gameplay.search.tree cimport TreeSearch

cdef class ExpectedSearch(TreeSearch):
    cdef bint try_move(self, Kernel kernel, int base, int move, int depth, double floor) noexcept nogil
