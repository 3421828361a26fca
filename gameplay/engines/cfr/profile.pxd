cdef class Mixed:
    cdef readonly object form
    cdef readonly object held               # `played` as an array.array, for Python
    cdef list owners                        # of all memory that the pointers below lead to
    cdef int players, leaves, infosets
    cdef readonly int slots
    # The form's, see extensive.py.
    cdef int* starts
    cdef int* slot
    cdef int* size
    cdef int* before
    cdef int* last
    cdef double* odds
    cdef double* gain
    # A number a slot.
    cdef double* played                     # how likely the move is in its infoset
    cdef double* reach                      # ... and all choices up to it together
    cdef double* sums                       # what lies behind it for its player, counted by what others do
    cdef int* ints(self, object values) except NULL
    cdef double* doubles(self, object values) except NULL
    cdef void reached(self, int player) noexcept nogil
    cdef void flow(self, int player, bint paid) noexcept nogil
    cdef double fold(self, int player, bint best) noexcept nogil
