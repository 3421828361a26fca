from gameplay.kernel cimport Kernel
from gameplay.search.tree cimport TreeSearch
cimport cython

@cython.final
cdef class ExpectiminimaxSearch(TreeSearch):
    cdef int maximizer
    cdef double unit
    cdef double half                    # the guess that is worth half a win, 0: guesses are points
    cdef double after(self, Kernel kernel, int base, int ply, int move, int depth) noexcept nogil
    cdef double expected(self, Kernel kernel, int base, int ply, int depth) noexcept nogil
    cdef double guess(self, Kernel kernel, int ply) noexcept nogil
    cdef void tell_worth(self, int what, int ply, int move, double worth) noexcept nogil
