from gameplay.kernel cimport Kernel

cdef inline unsigned long long stepped(unsigned long long squares, int direction) noexcept nogil:
    cdef int bits = 4 + (direction & 1)
    return squares >> bits if direction & 2 else squares << bits

cdef class CheckersBoard(Kernel):
    cdef readonly unsigned long long black, white, kings
    cdef readonly int clock             # plies since a man moved or a piece was taken
    cdef int ply                        # moves since the position was set up
    cdef int root                       # those of them made from Python, not by a search
    cdef int room                       # plies that `past` has room for
    cdef unsigned long long* past       # the positions before each move: black, white, kings, clock
    cdef int gen_jumps(self, int base) noexcept nogil
    cdef int extend_jumps(self, int base, unsigned long long bit, int path, int jumps,
                          unsigned long long other, unsigned long long empty, int directions) noexcept nogil
    cdef int count(self) noexcept nogil
    cdef int count_jumps(self, unsigned long long bit, unsigned long long other,
                         unsigned long long empty, int directions) noexcept nogil
    cdef bint can_jump(self) noexcept nogil
    cdef bint can_move(self) noexcept nogil
    cdef tuple earlier(self, int ply)
    cdef int times(self, int since) noexcept nogil
    cdef bint alike(self, int ply) noexcept nogil

cdef unsigned long long jumpers(unsigned long long down, unsigned long long up, unsigned long long other,
                                unsigned long long empty) noexcept nogil
