cdef class BearoffSolver:
    cdef readonly int men               # that a side may have, on its last six points
    cdef readonly int count             # ways to have them
    cdef int* after                     # by die, way and play: the ways that a die leads to, -1 no more
    cdef readonly object plays          # ... the memory of that
    cdef void lay(self, int number, int* found) noexcept nogil
    cdef int number(self, int* men) noexcept nogil
    cdef void fill(self) noexcept nogil
    cdef int cheapest(self, int way, int first, int second, double* prices) noexcept nogil
    cdef int cheapest_double(self, int way, int die, int left, double* prices) noexcept nogil
    cdef void two(self, double* wins) noexcept nogil
    cdef void one(self, double* means, double* shares) noexcept nogil
