from gameplay.kernel cimport Kernel

cdef class PositionKernel(Kernel):
    cdef readonly object position
    cdef object py_moves, py_make, py_unmake, py_outcome, py_evaluate, py_evaluate_for, py_leaf, py_key
    cdef object py_cost, py_estimate
    cdef object payoffs
    cdef int seats                      # number of players
    cdef bint pays                      # payoffs count as they are, not just won, drawn and lost
    cdef void fail(self, object error) noexcept
    cdef int write_moves(self, int base, object method_name, object method, int min_count) noexcept
    cdef int call_int(self, object method_name, object method, object arguments, int minimum) noexcept
