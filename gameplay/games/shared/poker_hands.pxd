cdef unsigned int highest_ranks(unsigned int ranks, int count) noexcept nogil
cdef int straight_rank(unsigned int ranks) noexcept nogil
cdef unsigned int rank_cards(unsigned long long cards) noexcept nogil
