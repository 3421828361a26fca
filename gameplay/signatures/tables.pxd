from gameplay.kernel cimport Estimator, Kernel
from gameplay.terms.reader cimport TermReader

cdef class SignatureTables(Estimator):
    cdef readonly TermReader reader
    cdef readonly int slots             # terms in tables
    cdef readonly int tables
    cdef readonly int entries           # of all tables
    cdef int scale                      # weights that make one unit
    cdef int span                       # units that a C of 1 is worth
    cdef object owners
    cdef readonly object output_owner
    cdef int* term                      # of each slot: its place in the reader
    cdef int* middle                    # ... how many cuts it has: the range of a count of 0
    cdef int* cut                       # ... three cuts each: sizes from which on a count is one range farther
    cdef int* first                     # of each table: its first input
    cdef int* width                     # ... and how many it has
    cdef int* offset                    # ... and where its entries begin
    cdef int* radix                     # of each node: the number of its values
    cdef int* output                    # the entries
    cdef int* weight                    # of each term of the reader, beside the tables
    cdef int* ints(self, object numbers) except NULL
    cdef void ranges(self, int* counts, int* nodes) noexcept nogil
    cdef void look_up(self, int* nodes, int end) noexcept nogil
    cdef int entry(self, int* nodes, int table) noexcept nogil
