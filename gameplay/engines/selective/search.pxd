from gameplay.kernel cimport Kernel
from gameplay.engines.iterative cimport IterativeSearch
from gameplay.search.tree cimport TreeSearch
cimport cython

ctypedef struct Node:
    unsigned long long key              # 0: the table was not asked
    int first                           # the table's move, -1: none
    int known                           # bound of the table's value, 0: it has none
    int known_value, known_depth
    int static                          # what the position looks worth, -INF where the mover is threatened
    bint improving                      # ... and more so than two plies ago
    bint forced                         # the mover must answer a threat

cdef int[4096] REDUCTIONS               # of late moves, in plies: by depth and number of the move, 64 each

@cython.final
cdef class SelectiveSearch(IterativeSearch):
    # The options, and what they are measured by.
    cdef bint mates, threshold, null, reduce, late, futility, exchange, singular, extend, delta, checks
    cdef int plausible, secondary
    cdef int quiet_margin               # Kernel.quiet_margin: what a quiet move seldom changes the evaluation by

    cdef Node* points                   # one a ply, and one more for a search of the ply inside itself
    cdef int null_floor                 # below this ply no null move is tried: one is being verified

    cdef bint threatens_after(self, Kernel kernel, int move) noexcept nogil
    cdef int quiesce(self, Kernel kernel, int base, int ply, int alpha, int beta, bint entry) noexcept nogil
    cdef int prune_node(self, Kernel kernel, int base, int ply, int at, int depth, int alpha, int beta) noexcept nogil
    cdef int revisit(self, Kernel kernel, int base, int ply, int move, int depth, int alpha, int beta, int why) noexcept nogil
    cdef int expand(self, Kernel kernel, int base, int ply, int at, int depth, int alpha, int beta) noexcept nogil
    cdef int skips(self, Kernel kernel, int ply, int at, int move, int weight, bint quiet, int quiets, int depth, int alpha) noexcept nogil
    cdef int second_best(self, Kernel kernel, int base, int ply, int at, int move, int depth) noexcept nogil
    cdef int reduction(self, int at, int depth, int tried, bint pv, bint quiet, int weight) noexcept nogil
    cdef void learn(self, Kernel kernel, int mover, int base, int end, int ply, int depth, int move) noexcept nogil
