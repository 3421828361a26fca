from gameplay.signatures.tables cimport SignatureTables

cdef class Samples:
    cdef readonly int size              # terms
    cdef readonly long long rows        # of all samples
    cdef readonly int count             # samples
    cdef readonly object data           # the counts, row by row, as signed bytes
    cdef readonly object lengths        # rows of each sample
    cdef void enter(self, SignatureTables tables, signed char* counts, long long row, int* nodes) noexcept
