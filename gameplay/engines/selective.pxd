from gameplay.kernel cimport Kernel
from gameplay.engines.iterative cimport IterativeSearcher

cdef class SelectiveSearcher(IterativeSearcher):
    # The options, and what they are measured by.
    cdef bint mates, threshold, null, reduce, late, futility, exchange, singular, extend, delta, checks
    cdef int plausible, secondary
    cdef int swing                      # Kernel.swing: what a quiet move seldom changes the evaluation by

    cdef int* statics                   # the evaluation at each ply, -INF where the mover is threatened
    cdef int* excluded                  # the move that is left out at each ply, -1: none
    cdef int* null_made                 # was the last move a skip?
    cdef int* reductions                # by depth and number of the move, 64 each
    cdef int null_floor                  # below this ply no skip is tried: one is being verified

    cdef int visit(self, Kernel kernel, int base, int ply, int depth, int alpha, int beta) noexcept nogil
    cdef int child(self, Kernel kernel, int base, int depth, int alpha, int beta, int mover, bint first) noexcept nogil
    cdef int below(self, Kernel kernel, int mover, int base, int ply, int depth, int alpha, int beta) noexcept nogil
    cdef int leaf(self, Kernel kernel, int base, int ply, int alpha, int beta) noexcept nogil
    cdef int quiesce(self, Kernel kernel, int base, int ply, int alpha, int beta, bint entry) noexcept nogil
