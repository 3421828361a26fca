from gameplay.kernel cimport Kernel

cdef class Rows(Kernel):
    cdef readonly int players
    cdef int lanes, length              # columns (connect4) or rows (tictactoe), and cells of each
    cdef int line_length                # stones in a line
    cdef int stride                     # bits a lane
    cdef unsigned long long[4] stones   # each player's stones
    cdef unsigned long long mask        # all stones
    cdef unsigned long long cells       # every cell of the board
    cdef int winner                     # -1: none yet
    cdef int ready_weight               # of a cell that completes a line, in open lines
    cdef int[4] chances_of              # by player; up to date if `chances_valid`
    cdef int all_chances
    cdef bint chances_valid
    cdef void place_stone(self, unsigned long long bit) noexcept nogil
    cdef void remove_stone(self, unsigned long long bit) noexcept nogil
    cdef bint has_line(self, int player) noexcept nogil
    cdef int compute_chance(self, int player) noexcept nogil

cdef class ManyConnect4(Rows):
    cdef readonly int columns, rows, connect
    cdef readonly tuple sides
    cdef int[64] centre_order           # columns, the centre first
    cdef unsigned long long[64] column_bottom  # the lowest cell of each column
    cdef unsigned long long[64] column_cells  # all its cells

cdef class ManyTicTacToe(Rows):
    cdef readonly int width, height, line
    cdef readonly tuple sides
    cdef unsigned long long bit(self, int move) noexcept nogil
