cdef class PigChances:
    cdef readonly int goal, faces
    cdef double* wins                   # see place()
    cdef double* slopes                 # of the row that is being solved, by pot
    cdef double slope
    cdef double chance(self, int mine, int theirs, int pot) noexcept nogil
    cdef double roll(self, int mine, int theirs, int pot) noexcept nogil
    cdef int place(self, int mine, int theirs) noexcept nogil
    cdef void solve(self, int i, int j) noexcept nogil
    cdef double choose(self, int i, int j, double lost) noexcept nogil
