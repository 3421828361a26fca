from gameplay.kernel cimport Kernel
from gameplay.terms.reader cimport TermReader

cdef class DraughtsPieces(Kernel):
    cdef readonly object rules          # the facts of the game
    cdef readonly bint automatic        # draws end the game by themselves
    cdef readonly unsigned long long black, white, kings
    cdef readonly int clock             # plies since a man moved or a piece was captured
    cdef readonly int age               # plies with this balance of pieces, where the game counts them
    cdef bint white_begins              # white is player 0
    cdef int ply                        # moves since the position was set up
    cdef int root                       # those of them made from Python, not by a search
    cdef int room                       # plies that `past` has room for
    cdef unsigned long long* past       # the positions before each move: black, white, kings, clock and age
    cdef int gen_captures(self, int base) noexcept nogil
    cdef bint can_capture(self) noexcept nogil
    cdef tuple earlier(self, int ply)
    cdef int times(self, int since) noexcept nogil
    cdef bint alike(self, int ply) noexcept nogil
    cdef void count_terms(self, int* counts) noexcept nogil

cdef inline void remember(DraughtsPieces board) noexcept nogil:
    cdef int i = 4 * board.ply
    board.past[i] = board.black
    board.past[i + 1] = board.white
    board.past[i + 2] = board.kings
    board.past[i + 3] = board.clock | (<unsigned long long>board.age << 32)
    board.ply += 1

cdef class DraughtsTerms(TermReader):
    pass
