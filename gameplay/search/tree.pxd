from gameplay.kernel cimport Kernel
from gameplay.search.control cimport Control
from gameplay.search.ordering cimport Ordering
from gameplay.search.root cimport RootSearch
from gameplay.search.table cimport Table

ctypedef struct Frame:
    int length                          # of the principal variation below this ply: line[ply * 256 :][:length]
    int previous_move                   # history index of the move that led here, its player in bit 12; -1: none
    int last_pv                         # the move of the last iteration's principal variation; -1: none
    int static                          # static evaluation; -INF if the mover must answer a threat
    int excluded                        # the excluded move; -1: none
    bint after_null                     # a null move led here

cdef class TreeSearch(RootSearch):
    cdef readonly Table table           # None: off
    cdef readonly Ordering ordering
    cdef bint pvs, shallow

    # Statistics, read by displays during the search.
    cdef readonly long long probes, hits, cutoffs, first_cutoffs

    cdef bint horizon                   # a line was cut off at the depth limit
    cdef int leaf_depth                 # remaining depth at which the value is the static evaluation: 0, or NEVER
    cdef int quick_depth                # ... in games with leaf(), else NEVER
    cdef int table_depth                # minimum remaining depth of a table prefetch; INF: none
    cdef int tried                      # root moves searched so far
    cdef int current_depth              # depth of the current iteration; 0: none
    cdef dict lines                     # by root move: its last full line
    cdef dict searched_lines            # ... its last line without the moves of the table
    cdef int entry_reason               # for the trace: why the next node is entered without a move; 0: by a move
    cdef tuple entry_line               # ... the moves to it, if not made by the search
    cdef object fail_high_move          # the Candidate that failed high, until its exact value is known

    # The entry of the last lookup.
    cdef int found_value, found_depth, found_bound, found_move
    cdef bint found_complete

    cdef int* line                      # the principal variations, see Frame
    cdef Frame* frames                  # one per ply

    cdef int visit(self, Kernel kernel, int base, int ply, int depth, int alpha, int beta) noexcept nogil
    cdef int child(self, Kernel kernel, int base, int move, int depth, int alpha, int beta) noexcept nogil
    cdef int end(self, Kernel kernel, int result, int ply) noexcept nogil
    cdef int enter_node(self, Kernel kernel, int base, int ply, int move, int depth, int alpha, int beta) noexcept nogil
    cdef void update_pv(self, int ply, int move) noexcept nogil
    cdef unsigned long long claim(self, unsigned long long key, int move, int depth) noexcept nogil
    cdef void free(self, unsigned long long claimed) noexcept nogil
    cdef bint lookup(self, unsigned long long key, int ply) noexcept nogil
    cdef bint known(self, Kernel kernel, int ply, int alpha, int beta) noexcept nogil
    cdef bint entry_suffices(self, int alpha, int beta) noexcept nogil
    cdef bint fails_high(self, int beta) noexcept nogil
    cdef void remember(self, unsigned long long key, int ply, int depth, int value, int alpha, int beta, int move, bint complete) noexcept nogil
    cdef void emit_enter(self, Kernel kernel, int ply, int move, int depth, int alpha, int beta) noexcept nogil
    cdef void emit_leave(self, int ply, int move, int value, int alpha, int beta) noexcept nogil
    cdef void emit_order(self, Kernel kernel, int ply, int move, int weight, int first, bint led, int last) noexcept nogil
    cdef void emit(self, int what, int ply, int move, int value, int why) noexcept nogil
