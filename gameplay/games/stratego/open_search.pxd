cimport cython

from gameplay.games.shared.polled cimport PolledSolver

@cython.final
cdef class OpenSearch(PolledSolver):
    cdef int[100] cells                 # EMPTY, LAKE, or rank + 1, of blue pieces negative
    cdef int[100] pieces                # cells with pieces, for the evaluation
    cdef int[8192] stack                # the moves of all plies; bits: weight, start, end
    cdef int[32] killers                # by ply, the quiet move of the last cutoff
    cdef int material                   # of red minus blue
    cdef int quiet_moves                # moves since the last capture
    cdef int quiet                      # moves without a capture that draw
    cdef int side                       # 1 if the mover of the root is red, -1 if blue
    cdef readonly int deals             # positions valued
    cdef readonly int depths            # the sum of their depths
    cdef object last

    cdef int generate(self, int base, int side, int ply, bint captures) noexcept nogil
    cdef int pick_best(self, int base, int end) noexcept nogil
    cdef int try_move(self, int base, int move, int side, int depth, int ply, int alpha, int beta) noexcept nogil
    cdef int visit(self, int base, int side, int depth, int ply, int alpha, int beta) noexcept nogil
    cdef int evaluate(self, int side) noexcept nogil

cdef int outcome(int attacker, int defender) noexcept nogil
