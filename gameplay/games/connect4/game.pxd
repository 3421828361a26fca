from gameplay.kernel cimport Kernel

cdef class Connect4(Kernel):
    cdef readonly int columns, rows, connect
    cdef readonly unsigned long long pos, mask
    cdef unsigned long long cells       # every cell of the board
    cdef unsigned long long bottom      # the lowest cell of each column
    cdef unsigned long long odd_rows    # the cells of the first, third, ... row
    cdef int open_lines, right_row, wrong_row  # weights of `threats`
    cdef int stride                     # bits a column
    cdef bint is_standard               # the standard board: 7 columns, 6 rows, 4 in line
    cdef int[64] centre_order           # columns, the centre first
    cdef unsigned long long top_cells   # the highest cell of each column
    cdef unsigned long long[64] column_bottom  # the lowest cell of each column
    cdef unsigned long long[64] column_cells  # all its cells
    cdef unsigned long long[64] column_top  # the highest cell, in the order of `centre_order`
    cdef unsigned long long winning_cells(self, unsigned long long p) noexcept nogil
    cdef int static_value(self, unsigned long long own, unsigned long long mask, int turn) noexcept nogil
    cdef int count_lines(self, unsigned long long p) noexcept nogil
    cdef int result_any_size(self) noexcept nogil
