cdef long long[585] CHOOSE              # by size of the set, 0 to 8, and squares, 0 to 64

cdef inline long long choose(int squares, int count) noexcept nogil:
    return CHOOSE[65 * count + squares]

cdef long long subset_index(unsigned long long squares) noexcept nogil
cdef unsigned long long subset_from_index(long long number, int count) noexcept nogil
