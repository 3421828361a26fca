cimport cython

@cython.final
cdef class Conflicts:
    cdef int[1024] in_row               # tile, cell: what it adds to the number of its row there
    cdef int[1024] in_column            # ... and of its column
    cdef unsigned char[7776] row        # number of a row: moves beyond the Manhattan distance
    cdef unsigned char[7776] column

@cython.final
cdef class PatternDatabase:
    cdef readonly int rows, columns
    cdef readonly tuple parts           # the tiles of each pattern
    cdef readonly str name
    cdef readonly str game              # the arguments of the command that builds it
    cdef object owner                   # keeps the mapped file
    cdef unsigned char* costs           # of all patterns, one after the other
    cdef int count                      # cells of the board
    cdef int many                       # patterns
    cdef int[16] first                  # pattern: where its tiles begin in `tiles`
    cdef long long[16] begin            # ... and its costs in `costs`
    cdef unsigned char[32] tiles
    cdef unsigned char[32] mirror       # cell: its mirror image in the main diagonal, or nothing of use
    cdef bint square
    # while a pattern is built
    cdef unsigned int* seen             # placement: cells of the blank that were reached
    cdef unsigned char* found           # placement: its cost
    cdef unsigned long long* queue      # placements reached at one cost, with a cell of the blank
    cdef unsigned long long* coming     # ... and at the next
    cdef long long length, more, room
    cdef unsigned int board, left_edge, right_edge
    cdef int estimate(self, unsigned char* place) noexcept nogil
    cdef long long rank(self, unsigned char* place, int part) noexcept nogil
    cdef unsigned int flood(self, unsigned int start, unsigned int free) noexcept nogil
    cdef void reach(self, long long rank, int blank, unsigned int free, int cost) noexcept nogil
    cdef void expand(self, int part, long long start, long long end, int cost) noexcept nogil
