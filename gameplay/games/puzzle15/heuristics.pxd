cimport cython

@cython.final
cdef class Conflicts:
    cdef int[1024] in_row               # by tile, cell: the share in the code of its goal row
    cdef int[1024] in_column            # ... and of its column
    cdef unsigned char[7776] row        # by code: moves beyond the Manhattan distance
    cdef unsigned char[7776] column

@cython.final
cdef class PatternDatabase:
    cdef readonly int rows, columns
    cdef readonly tuple parts           # the tiles of each pattern
    cdef readonly str name
    cdef readonly str game              # the arguments of the command that builds it
    cdef object owner                   # keeps the mapped file
    cdef unsigned char* costs           # of all patterns, concatenated
    cdef int count                      # cells of the board
    cdef int pattern_count              # patterns
    cdef int[16] tile_offset            # by pattern: offset in `tiles`
    cdef long long[16] cost_offset      # ... and in `costs`
    cdef unsigned char[32] tiles
    cdef unsigned char[32] mirror       # by cell: its mirror image in the main diagonal, on square boards
    cdef bint square
    # while a pattern is built
    cdef unsigned int* reached_cells    # by placement: cells of the blank reached so far
    cdef unsigned char* best_costs      # by placement: the cost
    cdef unsigned long long* queue      # states of one cost: a placement and a cell of the blank
    cdef unsigned long long* next_queue  # ... of the next cost
    cdef long long length, next_length, queue_capacity
    cdef unsigned int board, left_edge, right_edge
    cdef int estimate(self, unsigned char* place) noexcept nogil
    cdef long long rank(self, unsigned char* place, int part) noexcept nogil
    cdef unsigned int flood(self, unsigned int start, unsigned int free) noexcept nogil
    cdef void add_state(self, long long rank, int blank, unsigned int free, int cost) noexcept nogil
    cdef void expand(self, int part, long long start, long long end, int cost) noexcept nogil
