cimport cython
from gameplay.games.puzzle15.heuristics cimport Conflicts, PatternDatabase
from gameplay.kernel cimport Kernel

@cython.final
cdef class Puzzle15(Kernel):
    cdef readonly int rows, columns, seed, shuffle
    cdef int count                      # cells on the board
    cdef int blank                      # the cell without a tile
    cdef int lower_bound                # the heuristic's estimate: 0 at the goal and nowhere else
    cdef int[4] offset                  # move: from the blank's cell to the next
    cdef unsigned char[32] cells        # cell: its tile, 0 the blank
    cdef unsigned char[32] place        # tile: its cell, while there are patterns
    cdef int[8] row, column             # the numbers of the lines, while there are conflicts
    cdef signed char[4096] step         # tile, its cell, move of the blank: what it adds to the Manhattan distance
    cdef unsigned char[1024] move_list  # cell of the blank, last move + 1: the moves except the inverse
    cdef unsigned char[1024] onto       # ... the cells that the blank comes to
    cdef unsigned char[256] move_count  # ... and their number
    cdef unsigned char[32] in_row, in_column  # cell: where it lies
    cdef bint plain                     # the heuristic is the Manhattan distance
    cdef Conflicts conflicts            # of the heuristic linear-conflict, shared
    cdef PatternDatabase patterns              # of the heuristics by patterns, None: it is another
    cdef int after(self, int move) noexcept nogil
    cdef int conflict(self, int move) noexcept nogil
    cdef void slide(self, int move, int estimate) noexcept nogil
    cdef int distance(self) noexcept nogil
