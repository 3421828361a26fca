from gameplay.games.chess.layout cimport *

cdef int[6] REACH
cdef int[256] LOGARITHM

cdef int nearest(unsigned long long squares, int us) noexcept nogil
cdef unsigned long long camp(int home, int us) noexcept nogil
cdef int apart(int a, int b) noexcept nogil

cdef class ChessEvaluation:
    cdef int[512] w                         # the weights: middle game + 65536 * ending
    cdef unsigned long long[128] ahead      # by colour and square: the file in front of a pawn
    cdef unsigned long long[128] beside     # the two files next to that, in front
    cdef int[128] half                      # a square in the tables of 32: the colour's ranks, files a-d
    # of the position being scored, by colour (and kind)
    cdef unsigned long long occupied
    cdef int[2] home                        # where the king stands
    cdef unsigned long long[2] zone         # the squares around it
    cdef unsigned long long[2] all          # attacked
    cdef unsigned long long[2] twice        # attacked twice
    cdef unsigned long long[12] by          # attacked by pieces of a kind: 6 * colour + kind
    cdef int[2] hunters                     # pieces that attack the zone of the other king
    cdef int[2] hunting                     # what they weigh together
    cdef int[2] hits                        # their attacks on squares beside the king
    cdef int[2] force                       # material without pawns, in pawns
    cdef int middle, ending, phase, counts
    # pawn structures met before
    cdef unsigned long long[4096] met       # White's pawns, then Black's
    cdef unsigned long long[2048] met_passed
    cdef int[2048] met_score
    cdef unsigned long long passed          # of both colours, in this position
    cdef int score(self, unsigned long long* kinds, unsigned long long* colours, int turn, int form) noexcept nogil
    cdef int material(self, unsigned long long* kinds, unsigned long long us) noexcept nogil
    cdef int quotient(self, unsigned long long* kinds, unsigned long long us) noexcept nogil
    cdef int classic(self, unsigned long long* kinds, unsigned long long* colours, int turn) noexcept nogil
    cdef int pawns(self, unsigned long long white, unsigned long long black) noexcept nogil
    cdef int structure(self, unsigned long long ours, unsigned long long theirs, int us) noexcept nogil
    cdef void prepare(self, unsigned long long* kinds, unsigned long long* colours, int us) noexcept nogil
    cdef int pieces(self, unsigned long long* kinds, unsigned long long* colours, int us) noexcept nogil
    cdef int sort(self, unsigned long long* kinds, unsigned long long squares, int at) noexcept nogil
    cdef int threats(self, unsigned long long* kinds, unsigned long long* colours, int us) noexcept nogil
    cdef int shelter(self, unsigned long long ours, unsigned long long theirs, int us) noexcept nogil
    cdef int danger(self, unsigned long long* kinds, unsigned long long* colours, int us) noexcept nogil
    cdef int passers(self, unsigned long long* kinds, unsigned long long* colours, int us) noexcept nogil
    cdef int scale(self, unsigned long long* kinds, unsigned long long* colours, int strong) noexcept nogil
    cdef int last(self, int square, int strong) noexcept nogil
    cdef int chase(self, unsigned long long* kinds, unsigned long long* colours, int strong) noexcept nogil
