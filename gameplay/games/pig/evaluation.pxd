cdef class PigChances:
    cdef readonly int goal, faces
    cdef double* wins                   # see index()
    cdef double* slopes                 # of the row being solved, by pot
    cdef double slope
    cdef double chance(self, int own, int other, int pot) noexcept nogil
    cdef double roll(self, int own, int other, int pot) noexcept nogil
    cdef int index(self, int own, int other) noexcept nogil
    cdef void solve(self, int i, int j) noexcept nogil
    cdef double improve_policy(self, int i, int j, double loss_value) noexcept nogil
