cimport cython

cdef unsigned short[98304] SHARES       # row, byte: what these discs add to the index of each pattern
cdef int[48] OFFSET                     # where the weights of each pattern begin in a phase

cdef unsigned long long around(unsigned long long x) noexcept nogil
cdef int classic(unsigned long long p, unsigned long long o, unsigned long long cells, int size, int move_count, int reply_count, int stable) noexcept nogil

@cython.final
cdef class OthelloEvaluation:
    cdef short[2007180] weights         # phase, index: tenths of a disc
    cdef int[72] linear                 # phase: the weights of the other features, hundredths of a disc
    cdef int patterns(self, unsigned long long p, unsigned long long o, int move_count, int reply_count, unsigned short* index) noexcept nogil
