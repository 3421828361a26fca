cimport cython

cdef unsigned long long[64] NEIGHBOURS  # by square: its neighbours
cdef int[64] QUADRANT                   # by square: the bit of its quadrant
cdef unsigned long long[16] QUADRANT_SQUARES  # by a set of quadrants: their squares

cdef int floor_discs(int x) noexcept nogil

@cython.final
cdef class OthelloEndgame:
    cdef readonly long long solver_nodes  # positions visited in total
    cdef int size, area
    cdef unsigned long long cells       # every square of the board
    cdef unsigned long long corners
    cdef bint winner_gets_empties       # the winner gets the empty squares
    # moves, their ordering scores and flips, by empties; the table
    cdef int[2176] squares
    cdef int[2176] scores
    cdef unsigned long long[2176] flipped
    cdef unsigned long long* table      # triples: own, opp, data
    cdef int bits
    cdef unsigned long long generation
    cdef int difference(self, unsigned long long p, unsigned long long o) noexcept nogil
    cdef int solve_one(self, unsigned long long p, unsigned long long o, int x) noexcept nogil
    cdef int solve_two(self, unsigned long long p, unsigned long long o, int alpha, int beta, int x, int y) noexcept nogil
    cdef int solve_few(self, unsigned long long p, unsigned long long o, int alpha, int beta, unsigned long long empty, int n, int odd, bint passed) noexcept nogil
    cdef int solve_many(self, unsigned long long p, unsigned long long o, int alpha, int beta, int n, int odd) noexcept nogil
    cdef int search(self, unsigned long long p, unsigned long long o, int alpha, int beta) noexcept nogil
    cdef int solve(self, unsigned long long p, unsigned long long o, int alpha, int beta) noexcept nogil
    cdef size_t table_index(self, unsigned long long p, unsigned long long o) noexcept nogil
    cdef allocate_table(self, int bits)
