cimport cython

cdef unsigned long long[64] BESIDE      # of each square, its neighbours
cdef int[64] QUARTER                    # of each square, the bit of its quarter of the board
cdef unsigned long long[16] QUARTERS    # the squares of these quarters

cdef int whole(int x) noexcept nogil

@cython.final
cdef class OthelloEnd:
    cdef readonly long long solver_nodes # positions looked at, ever
    cdef int size, area
    cdef unsigned long long cells       # every square of the board
    cdef unsigned long long corners
    cdef bint bonus                     # empty squares count for the winner
    # moves, their ordering scores and their flips by empties, and the table
    cdef int[2176] squares
    cdef int[2176] scores
    cdef unsigned long long[2176] turned
    cdef unsigned long long* memory     # triples: pos, opp, data
    cdef int bits
    cdef unsigned long long stamp
    cdef int difference(self, unsigned long long p, unsigned long long o) noexcept nogil
    cdef int one(self, unsigned long long p, unsigned long long o, int x) noexcept nogil
    cdef int two(self, unsigned long long p, unsigned long long o, int alpha, int beta, int x, int y) noexcept nogil
    cdef int few(self, unsigned long long p, unsigned long long o, int alpha, int beta, unsigned long long empty, int n, int odd, bint passed) noexcept nogil
    cdef int deep(self, unsigned long long p, unsigned long long o, int alpha, int beta, int n, int odd) noexcept nogil
    cdef int ending(self, unsigned long long p, unsigned long long o, int alpha, int beta) noexcept nogil
    cdef int solve(self, unsigned long long p, unsigned long long o, int alpha, int beta) noexcept nogil
    cdef size_t slot(self, unsigned long long p, unsigned long long o) noexcept nogil
    cdef memorize(self, int bits)
