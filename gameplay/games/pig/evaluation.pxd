cdef class PigChances:
    cdef readonly int goal, faces
    cdef double* wins                   # see place()
    cdef double* slopes                 # of the row being solved, by pot
    cdef double slope
    cdef double chance(self, int own, int other, int pot) noexcept nogil
    cdef double roll(self, int own, int other, int pot) noexcept nogil
    cdef int place(self, int own, int other) noexcept nogil
    cdef void solve(self, int i, int j) noexcept nogil
    cdef double choose(self, int i, int j, double lost) noexcept nogil
