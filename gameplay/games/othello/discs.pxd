cdef unsigned long long[512] RAYS       # of each square, eight: four upwards in bits, then four downwards

cdef unsigned long long flips(int square, unsigned long long p, unsigned long long o) noexcept nogil
cdef unsigned long long reach(unsigned long long p, unsigned long long o) noexcept nogil
cdef unsigned long long swap(unsigned long long x, unsigned long long mask, int step) noexcept nogil
cdef unsigned long long stable(unsigned long long p, unsigned long long o) noexcept nogil
