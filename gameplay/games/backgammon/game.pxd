from gameplay.games.backgammon.evaluation cimport BackgammonEvaluation
from gameplay.kernel cimport Kernel

cdef unsigned long long[52] TAG         # for hash(): what a man on each place adds to `sum`
cdef void tag() noexcept nogil
cdef int rounded(double worth) noexcept nogil

cdef class Backgammon(Kernel):
    cdef readonly int match             # points that the match goes to, 0: a single game for points
    cdef readonly bint cube, jacoby
    cdef signed char[64] state          # the whole position, drawn in backgammon.py
    cdef unsigned long long sum         # of TAG over the men: equal where the men stand alike
    cdef int ply                        # moves since the position was set up
    cdef int room                       # plies that `past` has room for
    cdef signed char* past              # the states before each move
    cdef unsigned long long* sums       # and their sums
    cdef int first                      # where gen() began to write
    cdef int longest                    # men that the longest turn of a double found so far moves
    cdef unsigned long long[1024] seen  # sums of the positions that gen() has found
    cdef int[1024] when                 # by which call of gen()
    cdef int call
    cdef object spelled                 # the turns of one position, by their words
    cdef BackgammonEvaluation valuer
    cdef double cubeful(self, double equity, int mover, int owner, int cube) noexcept nogil
    cdef double payment(self, int player, double equity, int cube) noexcept nogil
    cdef double standing_after(self, int player, int points) noexcept nogil
    cdef bint step(self, int me, int source, int die) noexcept nogil
    cdef void back(self, int me, int source, int die, bint hit) noexcept nogil
    cdef bint open(self, int me, int source, int die) noexcept nogil
    cdef int doubles(self, int base, int me, int limit, int die, int depth, int path) noexcept nogil
    cdef int pairs(self, int base, int me, int first, int second, int order) noexcept nogil
    cdef int singles(self, int base, int me, int die, int order) noexcept nogil
    cdef bint met(self) noexcept nogil
    cdef void play(self, int move) noexcept nogil
    cdef void keep(self) noexcept nogil
    cdef int margin(self, int loser) noexcept nogil
    cdef void begin(self, int player) noexcept nogil
    cdef void add(self) noexcept nogil
    cdef bint may_double(self, int player) noexcept nogil
    cdef void won(self, int winner, int points, int stage) noexcept nogil
    cdef void say(self, int word) noexcept nogil
    cdef void deal(self) noexcept nogil
