cdef unsigned long long[512] RAYS       # of each square: four towards higher bits, then four towards lower

cdef unsigned long long flips(int square, unsigned long long p, unsigned long long o) noexcept nogil
cdef unsigned long long move_targets(unsigned long long p, unsigned long long o) noexcept nogil
cdef unsigned long long shift_through_runs(unsigned long long x, unsigned long long mask, int step) noexcept nogil
cdef unsigned long long stable(unsigned long long p, unsigned long long o) noexcept nogil
