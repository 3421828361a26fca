cimport cython

from gameplay.games.shared.polled cimport PolledSolver

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
      #define gameplay_prefetch(address) __builtin_prefetch(address)
    #else
      #define gameplay_prefetch(address) ((void)(address))
    #endif
    """
    void prefetch "gameplay_prefetch" (void* address) noexcept nogil

ctypedef unsigned long long Cells       # a set of cells, a bit each

cdef Cells four_completions(Cells p, int stride) noexcept nogil

@cython.final
cdef class Connect4Solver(PolledSolver):
    cdef readonly int columns, rows
    cdef int stride, area
    cdef bint is_standard               # 7 columns, 6 rows: shifts that the compiler knows
    cdef Cells cells, bottom
    cdef Cells lower, upper             # cells of each side if one follows up, see follow_up
    cdef Cells[64] column               # the cells of each
    cdef int[64] centrality             # distance of a column from the nearest edge

    # the table: entries of a tag, a generation, work, a bound and a score
    cdef unsigned long long* entries
    cdef object owner                   # of their memory
    cdef readonly int size              # 2**size entries
    cdef readonly int bits              # of a key
    cdef Cells key_mask                 # that many bits set
    cdef unsigned long long generation  # of entries; others are stale

    # a stack of positions: the children of each follow those of its parent
    cdef Cells[1024] own                # stones of the side to move
    cdef Cells[1024] opp
    cdef Cells[1024] keys
    cdef int[1024] counts               # stones on the board
    cdef int[1024] scores               # move-ordering scores, and indices in the lowest bits

    cdef Cells threats(self, Cells p) noexcept nogil
    cdef bint has_line(self, Cells p) noexcept nogil
    cdef Cells key(self, Cells own, Cells opp) noexcept nogil
    cdef size_t slot(self, Cells key) noexcept nogil
    cdef unsigned long long probe(self, Cells key) noexcept nogil
    cdef void store(self, Cells key, int bound, int score, long long nodes) noexcept nogil
    cdef int follow_up(self, Cells own, Cells opp, int count) noexcept nogil
    cdef int latest_completion(self, Cells line, int step, Cells taken, int unused) noexcept nogil
    cdef int follow_forced_moves(self, int i, int alpha, int beta) noexcept nogil
    cdef int visit(self, int i, int base, int alpha, int beta) noexcept nogil
    cdef int search(self, Cells own, Cells opp, int count, int lower, int upper) noexcept nogil
