from gameplay.kernel cimport Estimator, Kernel

cdef class LearnedEstimator(Estimator):
    cdef readonly double points         # value of a certain win
    cdef double expect(self, Kernel position) noexcept nogil
