from gameplay.kernel cimport Kernel

cdef class TermReader:
    cdef readonly tuple names           # of the terms
    cdef readonly int size              # how many they are, at most 64
    cdef bint read(self, Kernel position, int* counts) noexcept nogil

cdef class AskedTerms(TermReader):
    cdef object evaluation
