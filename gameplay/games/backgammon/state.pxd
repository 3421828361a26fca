from gameplay.games.backgammon.layout cimport *
from gameplay.kernel cimport Kernel

cdef unsigned long long[52] TAG         # for hash(): what a man on each place adds to `sum`
cdef void tag() noexcept nogil

cdef class BackgammonState(Kernel):
    cdef readonly int match             # points that the match goes to, 0: a single game for points
    cdef readonly bint cube, jacoby
    cdef signed char[SIZE] state        # the whole position, drawn in layout.py
    cdef unsigned long long sum         # of TAG over the men: equal where the men stand alike
    cdef int ply                        # moves since the position was set up
    cdef int room                       # plies that `past` has room for
    cdef signed char* past              # the states before each move
    cdef unsigned long long* sums       # and their sums
    cdef void keep(self) noexcept nogil
    cdef void deal(self) noexcept nogil
    cdef void add(self) noexcept nogil
    cdef int margin(self, int loser) noexcept nogil
    cdef bint step(self, int me, int source, int die) noexcept nogil
    cdef void back(self, int me, int source, int die, bint hit) noexcept nogil
    cdef bint open(self, int me, int source, int die) noexcept nogil
