cimport cython

cdef unsigned short[98304] SHARES       # by row and byte of discs: the share in the index of each pattern
cdef int[48] OFFSET                     # of the weights of each pattern, within a phase

cdef unsigned long long with_neighbours(unsigned long long x) noexcept nogil
cdef int classic(unsigned long long p, unsigned long long o, unsigned long long cells, int size, int move_count, int reply_count, int stable) noexcept nogil

@cython.final
cdef class OthelloEvaluation:
    cdef short[2007180] weights         # by phase and index: tenths of a disc
    cdef int[72] feature_weights        # by phase: weights of the other features, hundredths of a disc
    cdef int patterns(self, unsigned long long p, unsigned long long o, int move_count, int reply_count, unsigned short* index) noexcept nogil
