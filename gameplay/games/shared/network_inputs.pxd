from gameplay.kernel cimport Kernel

cdef class NetworkInputs:
    cdef readonly int count             # inputs
    cdef readonly int most              # maximum number of nonzero inputs
    cdef readonly int images            # of a position under symmetries, itself included
    cdef int view(self, Kernel position) noexcept nogil
    cdef bint trains_on(self, Kernel position) noexcept nogil
    cdef void reflect(self, int* indices, int count, int image) noexcept nogil
    cdef int read(self, Kernel position, int* indices, float* amounts) noexcept nogil
