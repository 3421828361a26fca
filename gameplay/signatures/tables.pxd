from gameplay.kernel cimport Estimator, Kernel
from gameplay.terms.reader cimport TermReader

cdef class SignatureTables(Estimator):
    cdef readonly TermReader reader
    cdef readonly int slots             # terms in tables
    cdef readonly int tables
    cdef readonly int entries           # of all tables
    cdef int scale                      # weight of one unit
    cdef int span                       # units of a C of 1
    cdef object owners
    cdef readonly object output_owner
    cdef int* term                      # by slot: its index in the reader
    cdef int* middle                    # ... number of cuts: the range of a count of 0
    cdef int* cut                       # ... three thresholds of the ranges of a count
    cdef int* first                     # by table: its first input
    cdef int* width                     # ... number of inputs
    cdef int* offset                    # ... index of its first entry
    cdef int* radix                     # by node: the number of its values
    cdef int* output                    # the entries
    cdef int* weight                    # by term of the reader: its weight outside the tables
    cdef int* ints(self, object numbers) except NULL
    cdef void ranges(self, int* counts, int* nodes) noexcept nogil
    cdef void look_up(self, int* nodes, int end) noexcept nogil
    cdef int entry(self, int* nodes, int table) noexcept nogil
