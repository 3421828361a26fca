cimport cython
from gameplay.kernel cimport Kernel

# By colour and point; then the point where ko forbids to take back, who moves, whether the last move was a pass.
cdef unsigned long long[1403] ZOBRIST

# By the eight neighbours of a point, two bits each in the order of `ways`: 1 if Black, 2 if White should think of it.
cdef unsigned char[65536] SHAPES

cdef struct Past:                       # what a move changes beyond the board
    unsigned long long zobrist
    int free
    int banned
    int passed
    int last
    int before
    int cycles
    int turn
    int[2] caught

@cython.final
cdef class Go(Kernel):
    cdef readonly int size, columns, rows
    cdef readonly object rules, ko, placement, goal
    cdef readonly double komi
    cdef readonly bint suicide
    cdef readonly bint automatic        # two passes end the game, as does a position for the third time
    cdef readonly int handicap
    cdef int stride                     # from a row to the next
    cdef int cells                      # points of the board, its edge included
    cdef readonly int area                       # points without the edge
    cdef int halves                     # what White gets in the end, in half points
    cdef int superko                    # 0 simple ko; 1 positional, 2 situational superko
    cdef int given                      # moves that Black makes one after another at the start
    cdef bint counted                   # points count, not just who has more
    cdef int[8] ways                    # to the neighbours: four along lines, then four across
    cdef int* order                     # the points, from the middle outwards

    # The board, one block of memory.
    cdef int* block
    cdef int words                      # ... of so many ints
    cdef int* colour                    # what is on a point
    cdef int* around                    # the neighbours of a point, counted: black, 16 * white, 256 * empty
    cdef int* chain                     # the point that stands for a stone's chain
    cdef int* link                      # the next stone of the chain, round and round
    cdef int* length                    # of a chain: its stones,
    cdef int* libs                      # ... pairs of a stone and an empty neighbour,
    cdef int* sums                      # ... the sum of those neighbours,
    cdef int* squares                   # ... and of their squares
    cdef int* empties                   # the empty points, in any order
    cdef int* where                     # ... and where each stands in it
    cdef int free                       # how many there are

    cdef unsigned long long zobrist     # of the stones
    cdef int banned                     # where ko forbids the mover to take back, 0: nowhere
    cdef int passed                     # passes in a row
    cdef int last, before               # the last two moves, 0: a pass or none
    cdef int cycles                     # how often the position has been there before, with simple ko
    cdef int[2] caught                  # stones taken by Black, by White

    cdef int ply                        # moves since the position was set up
    cdef int room                       # plies that there is room to remember
    cdef int* shelf                     # the block before each move
    cdef Past* past
    cdef unsigned long long* trail      # what must not come again: the positions up to now
    cdef int* seen                      # how many of them end in the same bits

    cdef int* mark                      # points that a walk has met carry its number
    cdef int marks
    cdef int* walk
    cdef int* picks                     # moves that a playout draws from
    cdef int* shares                    # by point: ends of playouts where it is Black's, less those where White's
    cdef bint sharing                   # playouts count these

    cdef void clear(self) noexcept nogil
    cdef void grow(self) noexcept nogil
    cdef void keep(self) noexcept nogil
    cdef void bring(self) noexcept nogil
    cdef void place(self, int p, int c) noexcept nogil
    cdef int remove(self, int p) noexcept nogil
    cdef void join(self, int one, int other) noexcept nogil
    cdef bint atari(self, int k) noexcept nogil
    cdef bint breathes(self, int p, int c) noexcept nogil
    cdef bint eye(self, int p, int c) noexcept nogil
    cdef bint legal(self, int p, int c) noexcept nogil
    cdef unsigned long long after(self, int p, int c) noexcept nogil
    cdef unsigned long long situation(self, unsigned long long stones, int mover) noexcept nogil
    cdef bint barred(self, int p, int c) noexcept nogil
    cdef bint alike(self, int ply, int p, int c) noexcept nogil
    cdef int times(self, unsigned long long now) noexcept nogil
    cdef int balance(self) noexcept nogil
    cdef int margin(self) noexcept nogil
    cdef int choose(self, int c) noexcept nogil
    cdef int answer(self, int c) noexcept nogil
    cdef int urgent(self, int c) noexcept nogil
    cdef int saves(self, int k, int c, int count) noexcept nogil
    cdef bint gasps(self, int p, int c, int crowd) noexcept nogil
    cdef int nearness(self, int p, int q) noexcept nogil
    cdef int line(self, int p) noexcept nogil
    cdef int shape(self, int p) noexcept nogil
    cdef bint fits_shape(self, int p, int c) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef void share_out(self) noexcept nogil
    cdef int fill(self, int p) noexcept nogil
    cdef bint sound(self) noexcept nogil
    cdef long long colourings(self, int number, int colours) noexcept nogil
