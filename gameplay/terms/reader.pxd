from gameplay.kernel cimport Kernel

cdef class TermReader:
    cdef readonly tuple names           # of the terms
    cdef readonly int size              # number of terms, at most 64
    cdef bint read(self, Kernel position, int* counts) noexcept nogil

cdef class CountsReader(TermReader):
    cdef object evaluation
