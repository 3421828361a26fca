from gameplay.kernel cimport Kernel

cdef class Nim(Kernel):
    cdef readonly int players
    cdef readonly str heaps             # as it was asked for
    cdef readonly bint misere
    cdef int number                     # of heaps
    cdef int left                       # stones on all of them
    cdef int[16] size                   # of each heap
