cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
      #define gameplay_barrier() __sync_synchronize()
    #else
      #include <intrin.h>
      #define gameplay_barrier() _ReadWriteBarrier()
    #endif
    """
    void barrier "gameplay_barrier" () noexcept nogil
