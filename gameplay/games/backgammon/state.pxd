from gameplay.games.backgammon.layout cimport *
from gameplay.kernel cimport Kernel

cdef unsigned long long[52] TAG         # by place: the hash of a checker there
cdef void fill_tags() noexcept nogil

cdef class BackgammonState(Kernel):
    cdef readonly int match             # length of the match in points; 0: a single game
    cdef readonly bint cube, jacoby
    cdef signed char[SIZE] state        # the whole position, drawn in layout.py
    cdef unsigned long long sum         # the sum of TAG over all checkers
    cdef int ply                        # moves since the position was set up
    cdef int room                       # plies that `past` has room for
    cdef signed char* past              # the states before each move
    cdef unsigned long long* sums       # and their sums
    cdef void save_state(self) noexcept nogil
    cdef void place_start(self) noexcept nogil
    cdef void update_sum(self) noexcept nogil
    cdef int margin(self, int loser) noexcept nogil
    cdef bint step(self, int me, int source, int die) noexcept nogil
    cdef void undo_step(self, int me, int source, int die, bint hit) noexcept nogil
    cdef bint can_move(self, int me, int source, int die) noexcept nogil
