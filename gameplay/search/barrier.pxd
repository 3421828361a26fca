cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
      #define gameplay_barrier() __sync_synchronize()
      #define gameplay_added(number, by) __sync_add_and_fetch(number, by)
    #else
      #include <intrin.h>
      #define gameplay_barrier() _ReadWriteBarrier()
      #define gameplay_added(number, by) (_InterlockedExchangeAdd((volatile long *)(number), by) + (by))
    #endif
    """
    void barrier "gameplay_barrier" () noexcept nogil
    int added "gameplay_added" (int* number, int by) noexcept nogil  # atomic
