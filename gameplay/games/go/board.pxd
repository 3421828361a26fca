from gameplay.kernel cimport Kernel

# By colour and point; then the ko point, the side to move, the parity of passes.
cdef unsigned long long[1403] ZOBRIST

cdef enum:                              # offsets in ZOBRIST
    POINTS = 440                        # of White's; Black's are the first
    KO = 880
    MOVER = 1400
    PASSED = 1401

cdef enum:                              # the content of a point
    EMPTY = 0
    BLACK = 1
    WHITE = 2
    EDGE = 3

cdef enum:
    PASS = 0                            # the move, a point of the edge
    EMPTY_NEIGHBOUR = 256               # an empty neighbour in `neighbour_counts`; a black one is 1, a white one 16
    KEY_MASK = 4095                     # the index of a key in `key_counts`

cdef struct UndoState:                  # the state outside the board, saved by each move
    unsigned long long zobrist
    int empty_count
    int ko_point
    int passes
    int last_move
    int previous_move
    int repetitions
    int turn
    int[2] captured

cdef class GoStones(Kernel):
    cdef readonly int columns, rows
    cdef readonly int area              # points without the edge
    cdef int stride                     # from a row to the next
    cdef int cells                      # points of the board, its edge included
    cdef int half_points                # White's compensation, in half points
    cdef bint margin_counts             # the margin counts, not just the winner
    cdef bint counts_ownership          # playouts update `ownership_counts`
    cdef int[8] offsets                 # to the neighbours: four orthogonal, then four diagonal
    cdef int* centre_order              # the points from the centre outwards

    # The board, one block of memory.
    cdef short* block
    cdef int block_size                 # its number of shorts
    cdef short* colour                  # the content of a point
    cdef short* neighbour_counts        # the neighbours of a point: black + 16 * white + 256 * empty
    cdef short* chain                   # the root of a stone's chain, 0 without a stone
    cdef short* next_stone              # the next stone of the chain, a circular list
    cdef short* length                  # of a chain: its stones,
    cdef short* pseudo_liberties        # ... pairs of a stone and an empty neighbour,
    cdef int* liberty_sums              # ... the sum of those neighbours,
    cdef int* liberty_squares           # ... and of their squares
    cdef short* empty_points            # the empty points, in any order
    cdef short* empty_index             # by point: its index in `empty_points`
    cdef int empty_count                # the number of empty points

    cdef unsigned long long zobrist     # of the stones
    cdef int ko_point                   # the point where ko forbids recapture; 0: none
    cdef int passes                     # passes in a row
    cdef int last_move, previous_move   # the last two moves, 0: a pass or none
    cdef int repetitions                # earlier occurrences of the position, with simple ko
    cdef int[2] captured                # stones captured by Black, by White

    cdef int ply                        # moves since the set-up
    cdef int undo_capacity              # plies with allocated memory
    cdef short* saved_boards            # the block before each move
    cdef UndoState* undo_stack
    cdef unsigned long long* superko_keys  # the superko keys of the positions so far
    cdef int* key_counts                # by the lowest bits: the number of such keys

    cdef int* mark                      # by point: the number of the last traversal that visited it
    cdef int current_mark
    cdef int* queue
    cdef int* candidates                # moves that a playout samples from
    cdef int* ownership_counts          # by point: playouts that end with Black as owner less those with White

    cdef void grow_undo_stack(self) noexcept nogil
    cdef void save_state(self) noexcept nogil
    cdef void restore_state(self) noexcept nogil
    cdef int colour_at(self, int ply, int p) noexcept nogil
    cdef void clear(self) noexcept nogil
    cdef void place(self, int p, int c) noexcept nogil
    cdef int remove_chain(self, int p) noexcept nogil
    cdef int merge_chains(self, int one, int other) noexcept nogil
    cdef int area_balance(self) noexcept nogil
    cdef int flood_region(self, int p) noexcept nogil
    cdef void set_payoffs(self) noexcept nogil
    cdef int margin(self) noexcept nogil
    cdef void count_ownership(self) noexcept nogil
