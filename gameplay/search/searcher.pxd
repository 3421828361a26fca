from gameplay.kernel cimport Kernel
from gameplay.search.control cimport Control
from gameplay.search.ordering cimport Ordering
from gameplay.search.table cimport Table

cdef class Searcher:
    cdef readonly Kernel kernel
    cdef readonly Control control
    cdef readonly Table table           # None: off
    cdef readonly Ordering ordering
    cdef bint pvs, shallow

    # What watchers read while the search runs.
    cdef readonly long long nodes, probes, hits, cutoffs, first_cutoffs
    cdef readonly int seldepth
    cdef readonly object best           # (move, value, depth, pv, exact), replaced as a whole

    cdef long long next_poll
    cdef public long long most          # nodes this thread may visit, 0: no limit
    cdef public int helper              # 0: the search itself; 1, 2, ...: threads that only fill its table
    cdef public bint shared             # there are such threads
    cdef int interval                   # nodes between two looks at the control
    cdef bint stopped                   # unwind: the values returned from now on mean nothing
    cdef bint horizon                   # some line was cut off for want of depth
    cdef int tried                      # moves of the root searched so far
    cdef bint quiet                     # the root's move being searched gains nothing on the spot
    cdef list moves                     # of the root, in the order in which they are tried

    # What the last lookup found.
    cdef int found_value, found_depth, found_bound, found_move
    cdef bint found_complete

    # The principal variation below each ply: line[ply * 256 :][:length[ply]].
    cdef int* line
    cdef int* length
    cdef int* last                      # the place of the move that led to each ply, for countermoves

    cdef int visit(self, Kernel kernel, int base, int ply, int depth, int alpha, int beta) noexcept nogil
    cdef int child(self, Kernel kernel, int base, int depth, int alpha, int beta, int mover, bint first) noexcept nogil
    cdef bint poll(self) noexcept nogil
    cdef int end(self, Kernel kernel, int result, int ply) noexcept nogil
    cdef void update_pv(self, int ply, int move) noexcept nogil
    cdef unsigned long long claim(self, unsigned long long key, int move, int depth) noexcept nogil
    cdef void free(self, unsigned long long claimed) noexcept nogil
    cdef bint lookup(self, unsigned long long key, int ply) noexcept nogil
    cdef void remember(self, unsigned long long key, int ply, int depth, int value, int bound, int move, bint complete) noexcept nogil
