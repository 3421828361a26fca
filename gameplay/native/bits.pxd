cdef extern from *:
    """
    #define gameplay_ONE 1ULL
    #define gameplay_M32 0xFFFFFFFFULL
    #define gameplay_M64 0xFFFFFFFFFFFFFFFFULL
    #if defined(__GNUC__) || defined(__clang__)
      #define gameplay_lowest(x) __builtin_ctzll(x)
      #define gameplay_highest(x) (63 ^ __builtin_clzll(x))
      #ifdef __POPCNT__
        #define gameplay_popcount(x) __builtin_popcountll(x)
      #else
        /* The builtin is a library call where the processor is not known to count bits: sum them in place
           (Warren, Hacker's Delight, 2nd ed., 5-1). */
        static inline int gameplay_popcount(unsigned long long x) {
            x -= (x >> 1) & 0x5555555555555555ULL;
            x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
            x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
            return (int)((x * 0x0101010101010101ULL) >> 56);
        }
      #endif
    #else
      #include <intrin.h>
      static __inline int gameplay_popcount(unsigned long long x) { return (int)__popcnt64(x); }
      static __inline int gameplay_lowest(unsigned long long x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
      static __inline int gameplay_highest(unsigned long long x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
    #endif
    /* Warren, Hacker's Delight, 2nd ed., 7-1. */
    static CYTHON_INLINE unsigned long long gameplay_reversed(unsigned long long x) {
        x = (x & 0x5555555555555555ULL) << 1 | (x >> 1 & 0x5555555555555555ULL);
        x = (x & 0x3333333333333333ULL) << 2 | (x >> 2 & 0x3333333333333333ULL);
        x = (x & 0x0F0F0F0F0F0F0F0FULL) << 4 | (x >> 4 & 0x0F0F0F0F0F0F0F0FULL);
        x = (x & 0x00FF00FF00FF00FFULL) << 8 | (x >> 8 & 0x00FF00FF00FF00FFULL);
        x = (x & 0x0000FFFF0000FFFFULL) << 16 | (x >> 16 & 0x0000FFFF0000FFFFULL);
        return x << 32 | x >> 32;
    }
    """
    unsigned long long ONE "gameplay_ONE"
    unsigned long long M32 "gameplay_M32"
    unsigned long long M64 "gameplay_M64"
    int popcount "gameplay_popcount" (unsigned long long x) noexcept nogil
    int lowest "gameplay_lowest" (unsigned long long x) noexcept nogil
    int highest "gameplay_highest" (unsigned long long x) noexcept nogil
    unsigned long long reversed_bits "gameplay_reversed" (unsigned long long x) noexcept nogil

cdef inline unsigned long long runs(unsigned long long p, int step, int length) noexcept nogil:
    cdef int have = 1, more
    while have < length:
        more = have if have < length - have else length - have
        p &= p >> (more * step)
        have += more
    return p

cdef inline unsigned long long gaps(unsigned long long p, int step, int length) noexcept nogil:
    cdef unsigned long long found = 0, rest
    cdef int missing, i
    for missing in range(length):
        rest = <unsigned long long>-1
        for i in range(length):
            if i < missing:
                rest &= p << ((missing - i) * step)
            elif i > missing:
                rest &= p >> ((i - missing) * step)
        found |= rest
    return found

cdef inline bint four(unsigned long long p, int stride) noexcept nogil:
    cdef unsigned long long pairs = p & (p >> stride)
    if pairs & (pairs >> (2 * stride)):
        return True
    pairs = p & (p >> (stride - 1))
    if pairs & (pairs >> (2 * stride - 2)):
        return True
    pairs = p & (p >> (stride + 1))
    if pairs & (pairs >> (2 * stride + 2)):
        return True
    pairs = p & (p >> 1)
    return (pairs & (pairs >> 2)) != 0
