cdef class Table:
    cdef unsigned long long* slots      # pairs: key ^ data, data
    cdef readonly int bits
    cdef int shift
    cdef readonly unsigned long long generation
    cdef readonly object owner
