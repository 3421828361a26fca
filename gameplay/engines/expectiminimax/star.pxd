from gameplay.kernel cimport Kernel
from gameplay.engines.expectiminimax.search cimport ExpectationSearch
cimport cython

cdef int bound(double value, double alpha, double beta) noexcept nogil

@cython.final
cdef class StarSearch(ExpectationSearch):
    cdef bint sorts_moves               # moves are tried in the order of their evaluation
    cdef int stars
    cdef double* doubles                # the table's memory, as doubles
    cdef double* lower_bounds           # of outcomes, by index on the move stack
    cdef double* upper_bounds
    cdef int size                       # of both
    cdef readonly long long star1_cuts, star2_cuts
    cdef double lower_found, upper_found # set by lookup_bounds() and bound_outcome()
    cdef int found_best                 # the best move of decision_node(), -1: none
    cdef double after(self, Kernel kernel, int base, int ply, int move, int depth, double alpha, double beta) noexcept nogil
    cdef double value(self, Kernel kernel, int base, int ply, int depth, double alpha, double beta) noexcept nogil
    cdef bint is_leaf(self, Kernel kernel, int depth, int ply) noexcept nogil
    cdef double decision_node(self, Kernel kernel, int base, int ply, int depth, double alpha, double beta, int move) noexcept nogil
    cdef void score_moves(self, Kernel kernel, int base, int end, int ply, int depth, int move) noexcept nogil
    cdef double chance_node(self, Kernel kernel, int base, int ply, int depth, double alpha, double beta) noexcept nogil
    cdef void bound_outcome(self, Kernel kernel, int base, int ply, int outcome, int depth, double alpha, double beta) noexcept nogil
    cdef void ensure_capacity(self, int end) noexcept nogil
    cdef grow(self, int size)
    cdef bint lookup_bounds(self, unsigned long long key, int depth) noexcept nogil
    cdef void store_bounds(self, unsigned long long key, int depth, double value, int kind, int move, bint complete) noexcept nogil
