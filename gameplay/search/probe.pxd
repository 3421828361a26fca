from gameplay.kernel cimport Kernel

cdef class Probe:
    cdef readonly int most              # maximum number of pieces of a probe; 0: any
    cdef readonly long long asked, settled
    cdef readonly int value, bound, move    # what the last question was answered, see `ask`
    cdef list sources
    cdef object position
    cdef bint ask(self, Kernel kernel, int ply, int alpha, int beta) noexcept nogil
    cdef bint hear(self, int ply, int alpha, int beta)
