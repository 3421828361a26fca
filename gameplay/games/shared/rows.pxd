from gameplay.kernel cimport Kernel

cdef class Rows(Kernel):
    cdef readonly int players
    cdef int lanes, length              # columns (connect4) or rows (tictactoe), and cells of each
    cdef int wanted                     # stones of a line
    cdef int stride                     # bits a lane
    cdef unsigned long long[4] own      # each player's stones
    cdef unsigned long long mask        # all stones
    cdef unsigned long long cells       # every cell of the board
    cdef int winner                     # -1: none yet
    cdef int ready                      # the weight of a cell that completes a line, in open lines
    cdef int[4] chances_of              # by player, as of the present stones where these are `fresh`
    cdef int all_chances
    cdef bint fresh
    cdef void put(self, unsigned long long bit) noexcept nogil
    cdef void take(self, unsigned long long bit) noexcept nogil
    cdef bint lined(self, int player) noexcept nogil
    cdef int chance_of(self, int player) noexcept nogil

cdef class ManyConnect4(Rows):
    cdef readonly int columns, rows, connect
    cdef readonly tuple sides
    cdef int[64] order                  # columns, the centre first
    cdef unsigned long long[64] floor   # the lowest cell of each column
    cdef unsigned long long[64] full    # all its cells

cdef class ManyTicTacToe(Rows):
    cdef readonly int width, height, line
    cdef readonly tuple sides
    cdef unsigned long long bit(self, int move) noexcept nogil
