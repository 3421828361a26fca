cdef class StrategyProfile:
    cdef readonly object form
    cdef readonly object played_array       # `played` as an array.array, for Python
    cdef list owners                        # keep the memory of the pointers below alive
    cdef int players, leaves, infosets
    cdef readonly int slots
    # Arrays of the form, see extensive.py.
    cdef int* starts
    cdef int* slot
    cdef int* size
    cdef int* before
    cdef int* last
    cdef double* odds
    cdef double* gain
    # By slot.
    cdef double* played                     # probability of the move at its infoset
    cdef double* reach                      # reach probability: of the player's choices up to this one
    cdef double* sums                       # counterfactual value: weighted by chance and the others' reach
    cdef int* ints(self, object values) except NULL
    cdef double* doubles(self, object values) except NULL
    cdef void update_reach(self, int player) noexcept nogil
    cdef void collect_leaves(self, int player, bint paid) noexcept nogil
    cdef double back_up(self, int player, bint best) noexcept nogil
