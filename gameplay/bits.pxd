cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
      #define gameplay_popcount(x) __builtin_popcountll(x)
      #define gameplay_lowest(x) __builtin_ctzll(x)
    #else
      #include <intrin.h>
      static __inline int gameplay_popcount(unsigned long long x) { return (int)__popcnt64(x); }
      static __inline int gameplay_lowest(unsigned long long x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    #endif
    """
    int popcount "gameplay_popcount" (unsigned long long x) noexcept nogil
    int lowest "gameplay_lowest" (unsigned long long x) noexcept nogil
