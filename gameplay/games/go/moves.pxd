from gameplay.games.go.board cimport GoStones

# By the code of a 3x3 pattern, two bits a neighbour in the order of `offsets`: 1 for Black, 2 for White to play.
cdef unsigned char[65536] SHAPES

cdef enum:                              # playout policies, a bit each in the order of `policies`
    CAPTURE = 1
    ESCAPE = 2
    PATTERN = 4
    CARE = 8
    MERCY = 16

cdef class GoMoves(GoStones):
    cdef readonly bint suicide
    cdef int superko                    # 0 simple ko; 1 positional, 2 situational superko
    cdef int given                      # moves that Black makes one after another at the start
    cdef bint atari(self, int k) noexcept nogil
    cdef bint has_liberty(self, int p, int c) noexcept nogil
    cdef bint eye(self, int p, int c) noexcept nogil
    cdef unsigned long long situation(self, unsigned long long stones, int mover) noexcept nogil
    cdef unsigned long long after(self, int p, int c) noexcept nogil
    cdef bint violates_superko(self, int p, int c) noexcept nogil
    cdef bint same_board(self, int ply, int p, int c) noexcept nogil
    cdef int times(self, unsigned long long now) noexcept nogil
    cdef bint legal(self, int p, int c) noexcept nogil
    cdef int choose(self, int c) noexcept nogil
    cdef int pick(self, int count) noexcept nogil
    cdef int answer(self, int c) noexcept nogil
    cdef int urgent(self, int c) noexcept nogil
    cdef int saves(self, int k, int c, int count) noexcept nogil
    cdef bint self_atari(self, int p, int c, int crowd) noexcept nogil
    cdef int shape(self, int p) noexcept nogil
    cdef bint fits_shape(self, int p, int c) noexcept nogil
    cdef int nearness(self, int p, int q) noexcept nogil
    cdef int line(self, int p) noexcept nogil
