cdef class Table:
    cdef unsigned long long* slots      # pairs: key ^ data, data
    cdef readonly int bits
    cdef public int words               # of an entry: 2, or 4 where values are doubles
    cdef int shift
    cdef readonly unsigned long long generation
    cdef readonly unsigned long long since  # results of older generations are not seen
    cdef unsigned long long[4096] busy  # moves that some thread is searching now
    cdef list orderings                 # move orderings of the searches that share the table, one per thread
    cdef int opened                     # ... of those that the current search uses
    cdef readonly object owner
