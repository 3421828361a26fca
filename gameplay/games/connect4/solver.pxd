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

cdef Cells completing(Cells p, int stride) noexcept nogil

@cython.final
cdef class Connect4Solver(PolledSolver):
    cdef readonly int columns, rows
    cdef int stride, area
    cdef bint usual                     # 7 columns, 6 rows: shifts that the compiler knows
    cdef Cells cells, bottom
    cdef Cells lower, upper             # whose cells are whose where one side follows the other up, see follow_up
    cdef Cells[64] column               # the cells of each
    cdef int[64] middle                 # how near a column is to the middle

    # the table: entries of a tag, a generation, work, a bound and a score
    cdef unsigned long long* entries
    cdef object owner                   # of their memory
    cdef readonly int size                       # 2**size entries
    cdef readonly int bits                       # of a key
    cdef Cells fill                     # as many bits set
    cdef unsigned long long age         # the generation

    # positions that wait to be searched, the moves of one behind those of its forerunner
    cdef Cells[1024] own                # stones of the side to move
    cdef Cells[1024] opp
    cdef Cells[1024] keys
    cdef int[1024] counts               # stones on the board
    cdef int[1024] order                # how good they look, and which they are

    cdef Cells threats(self, Cells p) noexcept nogil
    cdef bint lined(self, Cells p) noexcept nogil
    cdef Cells key(self, Cells own, Cells opp) noexcept nogil
    cdef size_t slot(self, Cells key) noexcept nogil
    cdef unsigned long long find(self, Cells key) noexcept nogil
    cdef void keep(self, Cells key, int bound, int score, long long nodes) noexcept nogil
    cdef int follow_up(self, Cells own, Cells opp, int count) noexcept nogil
    cdef int latest(self, Cells line, int step, Cells taken, int unused) noexcept nogil
    cdef int settle(self, int i, int alpha, int beta) noexcept nogil
    cdef int visit(self, int i, int base, int alpha, int beta) noexcept nogil
    cdef int search(self, Cells own, Cells opp, int count, int low, int high) noexcept nogil
