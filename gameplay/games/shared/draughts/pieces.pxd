from gameplay.kernel cimport Kernel
from gameplay.terms.reader cimport TermReader

cdef class DraughtsPieces(Kernel):
    cdef readonly object rules          # the facts of the game
    cdef readonly bint automatic        # draws end the game without a claim
    cdef readonly unsigned long long black, white, kings
    cdef readonly int clock             # plies since a move of a man or a capture
    cdef readonly int balance_clock     # plies with this balance of pieces, in games that count them
    cdef bint white_begins              # white is player 0
    cdef int ply                        # moves since the set-up
    cdef int root                       # those made from Python, before a search
    cdef int undo_capacity              # plies with allocated memory
    cdef unsigned long long* undo_stack  # the positions before each move: black, white, kings, clock and age
    cdef int gen_captures(self, int base) noexcept nogil
    cdef bint can_capture(self) noexcept nogil
    cdef tuple position_at(self, int ply)
    cdef int count_repetitions(self, int since) noexcept nogil
    cdef bint is_same_position(self, int ply) noexcept nogil
    cdef void count_terms(self, int* counts) noexcept nogil

cdef inline void push_undo(DraughtsPieces board) noexcept nogil:
    cdef int i = 4 * board.ply
    board.undo_stack[i] = board.black
    board.undo_stack[i + 1] = board.white
    board.undo_stack[i + 2] = board.kings
    board.undo_stack[i + 3] = board.clock | (<unsigned long long>board.balance_clock << 32)
    board.ply += 1

cdef class DraughtsTerms(TermReader):
    pass
