from gameplay.kernel cimport Kernel
from gameplay.engines.expected cimport ExpectedSearch

cdef class ExpectationSearch(ExpectedSearch):
    cdef double root_value              # of the root move searched last
    cdef int maximizer
    cdef double unit
    cdef double half                    # evaluation equal to half a win; 0: evaluations are payoffs
    cdef double low, high               # bounds of payoffs and evaluations
    cdef bint exact                     # the evaluation is the value
    cdef bint evaluates_chance_nodes    # the game has an evaluation at chance nodes
    cdef double root_move_value(self, Kernel kernel, int base, int move, int depth, double floor) noexcept nogil
    cdef double evaluate_leaf(self, Kernel kernel, int ply) noexcept nogil
    cdef void emit_window(self, Kernel kernel, int ply, int move, int depth, double alpha, double beta) noexcept nogil
    cdef void emit_value(self, int what, int ply, int move, double value, int why) noexcept nogil
