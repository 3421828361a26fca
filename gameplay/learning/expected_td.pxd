from gameplay.kernel cimport Kernel
from gameplay.learning.network_td cimport NetworkTd

cdef class ExpectedTd(NetworkTd):
    cdef double* targets                # a row of expected probabilities for each position
    cdef double* reply                  # a row
    cdef float* next_amounts            # the inputs of a successor
    cdef int* next_indices
    cdef object own_memory
    cdef bint add_expected_target(self, Kernel kernel, int row) noexcept nogil
    cdef bint evaluate_reply(self, Kernel kernel, int view) noexcept nogil
    cdef bint evaluate_best_reply(self, Kernel kernel, int base, int view) noexcept nogil
