cdef class Regression:
    cdef readonly int rows, columns
    cdef double* inputs     # `rows` rows of `columns` numbers
    cdef double* results    # of each row, 0 to 1
    cdef double* slope      # of the last `sums`: `columns` numbers
    cdef double* curvature  # ... `columns` rows of `columns`
    cdef readonly object inputs_owner, results_owner, slope_owner, curvature_owner
    cdef double gather(self, double* at) noexcept nogil
