cdef unsigned int top(unsigned int ranks, int count) noexcept nogil
cdef int run_of(unsigned int ranks) noexcept nogil
cdef unsigned int ranked(unsigned long long cards) noexcept nogil
