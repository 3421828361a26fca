from gameplay.kernel cimport Kernel
from gameplay.learning.network_td cimport NetworkTd

cdef class ExpectedTd(NetworkTd):
    cdef double* returns                # a row of expected probabilities of each position
    cdef double* reply                  # a row
    cdef float* next_amounts            # the inputs of a position that may follow
    cdef int* next_indices
    cdef object own_memory
    cdef bint expect_replies(self, Kernel kernel, int row) noexcept nogil
    cdef bint read_reply(self, Kernel kernel, int view) noexcept nogil
    cdef bint answer(self, Kernel kernel, int base, int view) noexcept nogil
