from gameplay.kernel cimport Kernel

cdef class Nim(Kernel):
    cdef readonly int players
    cdef readonly str heaps             # the parameter
    cdef readonly bint misere
    cdef int heap_count
    cdef int stones_left
    cdef int[16] heap_sizes
