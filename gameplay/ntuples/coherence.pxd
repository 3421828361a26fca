from gameplay.ntuples.tables cimport NTuples

cdef class CoherentLearner:
    cdef readonly NTuples ntuples
    cdef float* sums                    # of the changes of each weight
    cdef float* sizes                   # ... and of their sizes
    cdef readonly object sums_owner, sizes_owner
    cdef void correct(self, int* indices, int start, double change) noexcept nogil
