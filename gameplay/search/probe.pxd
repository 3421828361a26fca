from gameplay.kernel cimport Kernel

cdef class Probe:
    cdef readonly int most              # pieces there may be for anybody to know something; 0: any number
    cdef readonly long long asked, settled
    cdef readonly int value, bound, move    # what the last question was answered, see `ask`
    cdef list sources
    cdef object position
    cdef bint ask(self, Kernel kernel, int ply, int alpha, int beta) noexcept nogil
    cdef bint hear(self, int ply, int alpha, int beta)
