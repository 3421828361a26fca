from gameplay.kernel cimport Kernel

cdef class TicTacToe(Kernel):
    cdef readonly int width, height, line
    cdef int row_weight, column_weight, diagonal_weight  # of an open line
    cdef readonly bint misere           # a line loses
    cdef readonly unsigned long long pos, mask
    cdef unsigned long long cells       # every cell of the board
    cdef int stride                     # bits a row
    cdef int count                      # cells on the board
    cdef int stones
    cdef unsigned long long[64] bit     # cell -> its bit
    cdef bint has_line(self, unsigned long long p) noexcept nogil
    cdef unsigned long long winning_cells(self, unsigned long long p) noexcept nogil
