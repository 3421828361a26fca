cimport cython

ctypedef unsigned long long Points      # a set of points, a bit each

@cython.final
cdef class GoSolver:
    cdef readonly int columns, rows, area
    cdef readonly long long nodes       # positions visited, ever
    cdef public bint stopped            # whoever sets it ends the search
    cdef Points board                   # all points
    cdef int stride                     # from a row to the next, one bit of edge between them
    cdef unsigned long long* codes      # by row and what stands on it: that row's part of a code, eight ways
    cdef int[512] places              # the number of a point, by its bit, on the board turned and mirrored
    cdef int[256] bits                # ... and back

    # the table: buckets of eight, each a key, a move, the least depth that proves, the greatest that fails
    cdef unsigned long long* block
    cdef unsigned long long* entries
    cdef int size                       # 2**size entries
    cdef int turned                     # how the last code's board lies

    # what is to be shown, and the line that is being searched
    cdef object asked                   # by which side and how much
    cdef int first                      # 1 if the other side moves first
    cdef int margin
    cdef bint superko
    cdef int low                        # the ply of the board that a move may not bring again, in what was found last
    cdef int need                       # points that the attacker has to keep
    cdef Points[64] mine                # the attacker's stones, by ply
    cdef Points[64] theirs
    cdef Points[64] ko                  # where the mover may not take back
    cdef bint[64] passed                # whether the last move was a pass
    cdef Points[2048] next_own       # the same after each move, as its mover sees it
    cdef Points[2048] next_other
    cdef Points[2048] next_ko
    cdef int[2048] moves              # the bit of each, PASS
    cdef long long[2048] worth
    cdef int[128] killers
    cdef long long[128] history
    cdef Points[32] regions
    cdef Points[32] chains
    cdef Points[32] beside

    cdef Points near(self, Points points) noexcept nogil
    cdef Points flood(self, Points seed, Points within) noexcept nogil
    cdef Points alive(self, Points own, Points other) noexcept nogil
    cdef Points secure(self, Points own, Points other) noexcept nogil
    cdef int lead(self, Points own, Points other) noexcept nogil
    cdef bint play(self, Points own, Points other, int bit, int number) noexcept nogil
    cdef unsigned long long key(self, Points mine, Points theirs, Points ko, int mover, bint passed) noexcept nogil
    cdef unsigned long long look(self, unsigned long long key) noexcept nogil
    cdef void note(self, unsigned long long key, int turned, int depth, int found, int move) noexcept nogil
    cdef void rank(self, int ply, int count, int mover, int first) noexcept nogil
    cdef void prefer(self, int ply, int mover, int move, int depth) noexcept nogil
    cdef Points whole(self, Points own) noexcept nogil
    cdef bint parts(self, int bit, Points whole) noexcept nogil
    cdef bint finish(self, int ply) noexcept nogil
    cdef int visit(self, int ply, int depth) noexcept nogil
