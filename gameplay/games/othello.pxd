from gameplay.kernel cimport Kernel

cdef unsigned long long[512] RAYS       # of each square, eight: four upwards in bits, then four downwards
cdef unsigned long long[64] BESIDE      # of each square, its neighbours
cdef int[64] QUARTER                    # of each square, the bit of its quarter of the board
cdef unsigned long long[16] QUARTERS    # the squares of these quarters

cdef unsigned long long flips(int square, unsigned long long p, unsigned long long o) noexcept nogil
cdef unsigned long long reach(unsigned long long p, unsigned long long o) noexcept nogil
cdef unsigned long long swap(unsigned long long x, unsigned long long mask, int step) noexcept nogil
cdef unsigned long long stable(unsigned long long p, unsigned long long o) noexcept nogil

cdef int whole(int x) noexcept nogil

cimport cython

@cython.final
cdef class Othello(Kernel):
    cdef readonly int size
    cdef readonly unsigned long long pos, opp
    cdef unsigned long long cells       # every square of the board
    cdef unsigned long long[6] rank     # the squares by how good they are to take, the best first
    cdef int area
    cdef bint bonus                     # empty squares count for the winner
    cdef int ply
    cdef unsigned long long[132] undo   # what each move since setup() turned over
    cdef unsigned short[40] index       # room for the evaluation
    # of the exact search: moves, their worth and their flips by empties, and its memory
    cdef int[2176] squares
    cdef int[2176] worth
    cdef unsigned long long[2176] turned
    cdef unsigned long long* memory     # triples: pos, opp, data
    cdef int bits
    cdef unsigned long long stamp
    cdef unsigned long long legal(self, unsigned long long p, unsigned long long o) noexcept nogil
    cdef long long count(self, unsigned long long p, unsigned long long o, int depth) noexcept nogil
    cdef int difference(self, unsigned long long p, unsigned long long o) noexcept nogil
    cdef int one(self, unsigned long long p, unsigned long long o, int x) noexcept nogil
    cdef int two(self, unsigned long long p, unsigned long long o, int alpha, int beta, int x, int y) noexcept nogil
    cdef int few(self, unsigned long long p, unsigned long long o, int alpha, int beta, unsigned long long empty, int n, int odd, bint passed) noexcept nogil
    cdef int deep(self, unsigned long long p, unsigned long long o, int alpha, int beta, int n, int odd) noexcept nogil
    cdef int ending(self, unsigned long long p, unsigned long long o, int alpha, int beta) noexcept nogil
    cdef size_t slot(self, unsigned long long p, unsigned long long o) noexcept nogil
    cdef memorize(self, int bits)
