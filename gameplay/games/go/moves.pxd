from gameplay.games.go.board cimport GoStones

# By the code of a 3x3 pattern, two bits a neighbour in the order of `offsets`: 1 for Black, 2 for White to move.
cdef unsigned char[65536] PATTERNS

cdef enum:                              # playout policies, a bit each in the order of `policies`
    CAPTURE = 1
    ESCAPE = 2
    PATTERN = 4
    CARE = 8
    MERCY = 16

cdef class GoMoves(GoStones):
    cdef readonly bint suicide
    cdef int superko                    # 0 simple ko; 1 positional, 2 situational superko
    cdef int free_handicap              # moves of a free handicap, made by Black in a row
    cdef bint in_atari(self, int k) noexcept nogil
    cdef bint has_liberty(self, int p, int c) noexcept nogil
    cdef bint is_eye(self, int p, int c) noexcept nogil
    cdef unsigned long long superko_key(self, unsigned long long stones, int mover) noexcept nogil
    cdef unsigned long long hash_after(self, int p, int c) noexcept nogil
    cdef bint violates_superko(self, int p, int c) noexcept nogil
    cdef bint is_same_board(self, int ply, int p, int c) noexcept nogil
    cdef int count_occurrences(self, unsigned long long key) noexcept nogil
    cdef bint is_legal(self, int p, int c) noexcept nogil
    cdef int choose_playout_move(self, int c) noexcept nogil
    cdef int random_index(self, int count) noexcept nogil
    cdef int choose_reply(self, int c) noexcept nogil
    cdef int generate_urgent(self, int c) noexcept nogil
    cdef int generate_escapes(self, int k, int c, int count) noexcept nogil
    cdef bint is_self_atari(self, int p, int c, int min_stones) noexcept nogil
    cdef int pattern_code(self, int p) noexcept nogil
    cdef bint matches_pattern(self, int p, int c) noexcept nogil
    cdef int proximity(self, int p, int q) noexcept nogil
    cdef int line(self, int p) noexcept nogil
