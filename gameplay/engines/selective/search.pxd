from gameplay.kernel cimport Kernel
from gameplay.engines.iterative cimport IterativeSearch
from gameplay.search.tree cimport TreeSearch
cimport cython

ctypedef struct Node:
    unsigned long long key              # 0: the table was not probed
    int tt_move                         # -1: none
    int tt_bound                        # 0: the table has no entry
    int tt_value, tt_depth
    int static                          # static evaluation; -INF if the mover must answer a threat
    bint improving                      # ... it exceeds that of two plies ago
    bint forced                         # the mover must answer a threat

cdef int[4096] REDUCTIONS               # of late moves, in plies: by depth and number of the move, 64 each

@cython.final
cdef class SelectiveSearch(IterativeSearch):
    # Options.
    cdef bint mates, threshold, null, reduce, late, futility, exchange, singular, extend, delta, checks
    cdef int plausible, secondary
    cdef int quiet_margin               # Kernel.quiet_margin: a quiet move rarely changes the evaluation by more

    cdef Node* info                     # by ply; after PLIES those of searches with an excluded move
    cdef int null_floor                 # no null move above this ply: one is being verified

    cdef bint threatens_after(self, Kernel kernel, int move) noexcept nogil
    cdef int quiesce(self, Kernel kernel, int base, int ply, int alpha, int beta, bint entry) noexcept nogil
    cdef int prune_node(self, Kernel kernel, int base, int ply, int at, int depth, int alpha, int beta) noexcept nogil
    cdef int search_again(self, Kernel kernel, int base, int ply, int move, int depth, int alpha, int beta, int reason) noexcept nogil
    cdef int expand(self, Kernel kernel, int base, int ply, int at, int depth, int alpha, int beta) noexcept nogil
    cdef int prune_move(self, Kernel kernel, int ply, int at, int move, int weight, bint quiet, int quiets, int depth, int alpha) noexcept nogil
    cdef int second_best(self, Kernel kernel, int base, int ply, int at, int move, int depth) noexcept nogil
    cdef int reduction(self, int at, int depth, int tried, bint pv, bint quiet, int weight) noexcept nogil
    cdef void update_ordering(self, Kernel kernel, int mover, int base, int end, int ply, int depth, int move) noexcept nogil
