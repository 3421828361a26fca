from gameplay.kernel cimport Estimator, Kernel

cdef class PolicyEstimator(Estimator):
    cdef readonly double goal           # the payoff, times `unit`, that counts as a certain win
    cdef double expect(self, Kernel position) noexcept nogil
    cdef bint prefer(self, Kernel position, int count) noexcept nogil
