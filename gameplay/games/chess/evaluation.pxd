from gameplay.games.chess.layout cimport *

cdef int[6] MOBILITY_OFFSET
cdef int[256] LOGARITHM

cdef int nearest_rank(unsigned long long squares, int us) noexcept nogil
cdef unsigned long long king_flank(int king_squares, int us) noexcept nogil
cdef int king_distance(int a, int b) noexcept nogil

cdef class ChessEvaluation:
    cdef int[512] weights               # middle game + 65536 * ending
    cdef unsigned long long[128] front_file  # by colour and square: the file in front
    cdef unsigned long long[128] front_neighbours  # the squares in front on the two adjacent files
    cdef int[128] half_square           # index in square tables of 32: relative rank, files a-d mirrored
    # of the position being scored, by colour (and kind)
    cdef unsigned long long occupied
    cdef int[2] king_squares
    cdef unsigned long long[2] king_zone  # the squares around it
    cdef unsigned long long[2] attacked
    cdef unsigned long long[2] attacked_twice
    cdef unsigned long long[12] attacked_by  # by kind: 6 * colour + kind
    cdef int[2] king_attackers_count    # pieces that attack the zone of the other king
    cdef int[2] king_attackers_weight   # the sum of their weights
    cdef int[2] king_attacks_count      # their attacks on squares adjacent to the king
    cdef int[2] non_pawn_material       # in pawns
    cdef int middle, ending, phase, scale_factor
    # cache of pawn structures
    cdef unsigned long long[4096] cached_pawns  # White's pawns, then Black's
    cdef unsigned long long[2048] cached_passed
    cdef int[2048] cached_scores
    cdef unsigned long long passed      # passed pawns of both colours
    cdef int score(self, unsigned long long* kinds, unsigned long long* colours, int turn, int index) noexcept nogil
    cdef int material(self, unsigned long long* kinds, unsigned long long us) noexcept nogil
    cdef int quotient(self, unsigned long long* kinds, unsigned long long us) noexcept nogil
    cdef int classic(self, unsigned long long* kinds, unsigned long long* colours, int turn) noexcept nogil
    cdef int pawns(self, unsigned long long white, unsigned long long black) noexcept nogil
    cdef int structure(self, unsigned long long own_pawns, unsigned long long enemy_pawns, int us) noexcept nogil
    cdef void init_attacks(self, unsigned long long* kinds, unsigned long long* colours, int us) noexcept nogil
    cdef int pieces(self, unsigned long long* kinds, unsigned long long* colours, int us) noexcept nogil
    cdef int sum_by_kind(self, unsigned long long* kinds, unsigned long long squares, int at) noexcept nogil
    cdef int threats(self, unsigned long long* kinds, unsigned long long* colours, int us) noexcept nogil
    cdef int shelter(self, unsigned long long own_pawns, unsigned long long enemy_pawns, int us) noexcept nogil
    cdef int danger(self, unsigned long long* kinds, unsigned long long* colours, int us) noexcept nogil
    cdef int passers(self, unsigned long long* kinds, unsigned long long* colours, int us) noexcept nogil
    cdef int scale(self, unsigned long long* kinds, unsigned long long* colours, int strong) noexcept nogil
    cdef int scale_last_pawn(self, int square, int strong) noexcept nogil
    cdef int drive_to_edge(self, unsigned long long* kinds, unsigned long long* colours, int strong) noexcept nogil
