cdef extern from *:
    """
    #define gameplay_GOLDEN 0x9E3779B97F4A7C15ULL
    #define gameplay_MIX_1 0xBF58476D1CE4E5B9ULL
    #define gameplay_MIX_2 0x94D049BB133111EBULL
    #define gameplay_XX_2 0xC2B2AE3D27D4EB4FULL
    """
    unsigned long long GOLDEN "gameplay_GOLDEN"
    unsigned long long MIX_1 "gameplay_MIX_1"
    unsigned long long MIX_2 "gameplay_MIX_2"
    unsigned long long XX_2 "gameplay_XX_2"

cdef inline unsigned long long spread(unsigned long long key) noexcept nogil:
    return key * GOLDEN

cdef inline unsigned long long fold(unsigned long long key, unsigned long long number) noexcept nogil:
    return (key ^ number) * GOLDEN

cdef inline unsigned long long finalize(unsigned long long z) noexcept nogil:
    z = (z ^ (z >> 30)) * MIX_1
    z = (z ^ (z >> 27)) * MIX_2
    return z ^ (z >> 31)

cdef inline unsigned long long splitmix(unsigned long long state) noexcept nogil:
    return finalize(state + GOLDEN)
