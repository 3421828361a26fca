cimport cython

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

cdef inline Cells completing(Cells p, int stride) noexcept nogil:
    # The cells, some perhaps taken or off the board, that complete four of `p`.
    cdef Cells found = (p << 1) & (p << 2) & (p << 3), two
    cdef int s
    for s in range(stride - 1, stride + 2):
        two = (p << s) & (p << (2 * s))
        found |= two & ((p << (3 * s)) | (p >> s))
        two = (p >> s) & (p >> (2 * s))
        found |= two & ((p << s) | (p >> (3 * s)))
    return found

@cython.final
cdef class Connect4Solver:
    cdef readonly int columns, rows
    cdef readonly long long nodes       # positions searched, ever
    cdef public object control          # says when to stop; None: never
    cdef public long long most          # `nodes` at which to stop; 0: no limit
    cdef long long next_poll
    cdef bint stopped
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
    cdef Cells[1024] mine               # stones of who is to move
    cdef Cells[1024] theirs
    cdef Cells[1024] keys
    cdef int[1024] counts               # stones on the board
    cdef int[1024] order                # how good they look, and which they are

    cdef Cells threats(self, Cells p) noexcept nogil
    cdef bint lined(self, Cells p) noexcept nogil
    cdef Cells key(self, Cells mine, Cells theirs) noexcept nogil
    cdef size_t slot(self, Cells key) noexcept nogil
    cdef unsigned long long find(self, Cells key) noexcept nogil
    cdef void keep(self, Cells key, int bound, int score, long long nodes) noexcept nogil
    cdef int follow_up(self, Cells mine, Cells theirs, int count) noexcept nogil
    cdef int latest(self, Cells line, int step, Cells taken, int left) noexcept nogil
    cdef int settle(self, int i, int alpha, int beta) noexcept nogil
    cdef int visit(self, int i, int base, int alpha, int beta) noexcept nogil
    cdef int search(self, Cells mine, Cells theirs, int count, int low, int high) noexcept nogil
    cdef bint stop_requested(self) noexcept nogil
    cdef bint poll(self) noexcept nogil
