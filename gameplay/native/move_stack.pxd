cdef class MoveStack:
    cdef int* stack                     # the moves of ply k are stack[base_k:base_k+1]
    cdef int* weight                    # by index on the stack: the move-ordering score
    cdef double* odds                   # ... the probability, set by gen_chances()
    cdef readonly int capacity
    cdef int* spare                     # a move stack for evaluations written in Python, and beside it
    cdef int* spare_weight
    cdef double* spare_odds
    cdef int spare_capacity
    cdef void exchange_stacks(self) noexcept
    cdef void extend(self, int count) noexcept nogil
    cdef bint holds(self, int end, object move)
    cpdef reserve(self, int count)
