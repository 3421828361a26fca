cdef class BearoffSolver:
    cdef readonly int men               # that a side may have, on its last six points
    cdef readonly int count             # placements
    cdef int* after                     # by die, placement and play: the placements that a die leads to, -1: no more
    cdef readonly object plays          # ... the memory of that
    cdef void lay(self, int number, int* men) noexcept nogil
    cdef int number(self, int* men) noexcept nogil
    cdef void fill(self) noexcept nogil
    cdef int cheapest(self, int placement, int first, int second, double* prices) noexcept nogil
    cdef int cheapest_double(self, int placement, int die, int times, double* prices) noexcept nogil
    cdef void two(self, double* wins) noexcept nogil
    cdef void one(self, double* means, double* shares) noexcept nogil
