cimport cython
from gameplay.games.puzzle15.heuristics cimport Conflicts, PatternDatabase
from gameplay.kernel cimport Kernel

@cython.final
cdef class Puzzle15(Kernel):
    cdef readonly int rows, columns, shuffle
    cdef readonly long long seed
    cdef int count                      # cells on the board
    cdef int blank                      # the cell without a tile
    cdef int lower_bound                # the heuristic estimate, 0 only at the goal
    cdef int[4] offset                  # by move: the step of the blank
    cdef unsigned char[32] cells        # by cell: the tile, 0 the blank
    cdef unsigned char[32] tile_cells   # by tile: the cell, for pattern databases
    cdef int[8] row, column             # the codes of the lines, for linear conflicts
    cdef signed char[4096] manhattan_change  # by tile, its cell, move of the blank: the change of the Manhattan distance
    cdef unsigned char[1024] move_list  # by cell of the blank, last move + 1: the moves except the inverse
    cdef unsigned char[1024] blank_list  # ... the target cells of the blank
    cdef unsigned char[256] move_count  # ... and their number
    cdef unsigned char[32] in_row, in_column  # by cell: its row and column
    cdef bint is_manhattan              # the heuristic is the Manhattan distance
    cdef Conflicts conflicts            # of the heuristic linear-conflict, shared
    cdef PatternDatabase patterns       # of the heuristics by patterns, else None
    cdef int estimate_after(self, int move) noexcept nogil
    cdef int conflict_change(self, int move) noexcept nogil
    cdef void make_move(self, int move, int estimate) noexcept nogil
    cdef int compute_estimate(self) noexcept nogil
