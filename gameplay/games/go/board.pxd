from gameplay.kernel cimport Kernel

# By colour and point; then the point where ko forbids to take back, who moves, whether the last move was a pass.
cdef unsigned long long[1403] ZOBRIST

cdef enum:                              # where these parts begin
    POINTS = 440                        # of White's; Black's are the first
    KO = 880
    MOVER = 1400
    PASSED = 1401

cdef enum:                              # what is on a point
    EMPTY = 0
    BLACK = 1
    WHITE = 2
    EDGE = 3

cdef enum:
    PASS = 0                            # the move, a point of the edge
    VACANT = 256                        # an empty neighbour, in `around`; a black one is 1, a white one 16
    SEEN = 4095                         # the bits by which `seen` counts

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

cdef class GoStones(Kernel):
    cdef readonly int columns, rows
    cdef readonly int area              # points without the edge
    cdef int stride                     # from a row to the next
    cdef int cells                      # points of the board, its edge included
    cdef int halves                     # what White gets in the end, in half points
    cdef bint counted                   # points count, not just who has more
    cdef bint sharing                   # playouts count whose the points are, in `shares`
    cdef int[8] offsets                 # to the neighbours: four along lines, then four across
    cdef int* order                     # the points, from the middle outwards

    # The board, one block of memory.
    cdef short* block
    cdef int words                      # ... of so many shorts
    cdef short* colour                  # what is on a point
    cdef short* around                  # the neighbours of a point, counted: black, 16 * white, 256 * empty
    cdef short* chain                   # the point that stands for a stone's chain, 0 where there is no stone
    cdef short* link                    # the next stone of the chain, round and round
    cdef short* length                  # of a chain: its stones,
    cdef short* libs                    # ... pairs of a stone and an empty neighbour,
    cdef int* sums                      # ... the sum of those neighbours,
    cdef int* squares                   # ... and of their squares
    cdef short* empties                 # the empty points, in any order
    cdef short* where                   # ... and where each stands in it
    cdef int free                       # how many there are

    cdef unsigned long long zobrist     # of the stones
    cdef int banned                     # where ko forbids recapture, 0: nowhere
    cdef int passed                     # passes in a row
    cdef int last, before               # the last two moves, 0: a pass or none
    cdef int cycles                     # earlier occurrences of the position, with simple ko
    cdef int[2] caught                  # stones captured by Black, by White

    cdef int ply                        # moves since the position was set up
    cdef int room                       # plies that can be saved
    cdef short* shelf                   # the block before each move
    cdef Past* past
    cdef unsigned long long* keys       # the superko keys of the positions so far
    cdef int* seen                      # how many of them end in the same bits

    cdef int* mark                      # by point, the number of the last walk that visited it
    cdef int marks
    cdef int* walk
    cdef int* picks                     # moves that a playout draws from
    cdef int* shares                    # by point: ends of playouts where it is Black's, less those where White's

    cdef void grow(self) noexcept nogil
    cdef void save_state(self) noexcept nogil
    cdef void restore_state(self) noexcept nogil
    cdef int stood(self, int ply, int p) noexcept nogil
    cdef void clear(self) noexcept nogil
    cdef void place(self, int p, int c) noexcept nogil
    cdef int remove(self, int p) noexcept nogil
    cdef int join(self, int one, int other) noexcept nogil
    cdef int balance(self) noexcept nogil
    cdef int fill(self, int p) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef int margin(self) noexcept nogil
    cdef void share_out(self) noexcept nogil
