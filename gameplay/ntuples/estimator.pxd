from gameplay.kernel cimport Estimator, Kernel

cdef class LearnedEstimator(Estimator):
    cdef readonly double points         # what a certain win is worth
    cdef double expect(self, Kernel position) noexcept nogil
