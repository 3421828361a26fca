cimport cython

from gameplay.games._scrabble cimport Lexicon, Placer

@cython.final
cdef class EndgameSolver:
    cdef Placer placer
    cdef Lexicon lexicon
    cdef readonly long long nodes
    cdef readonly int depth                 # of the last search that was finished
    cdef object control, held
    cdef long long most
    cdef bint stopped
    cdef bint cut                           # a line was not seen to its end
    cdef unsigned int move                  # the best at the root

    cdef int[54] racks                      # by player: tiles of each kind
    cdef int[2] left                        # ... of all kinds
    cdef int[448] cells                     # by ply: where tiles were laid
    cdef int[64] counts                     # ... how many
    cdef unsigned long long hash            # of what lies on the board
    cdef unsigned long long[15280] codes    # see HELD

    # the table: a key, and a move, a value, a depth, what the value is
    cdef unsigned long long* keys
    cdef int* facts

    cdef int tiles(self, int player) noexcept nogil
    cdef int visit(self, int ply, int mover, int calm, int depth, int alpha, int beta, int bottom) noexcept nogil
    cdef int best_of(self, int start, int top) noexcept nogil
    cdef void lay(self, int ply, int mover, unsigned int code) noexcept nogil
    cdef void lift(self, int ply, int mover) noexcept nogil
    cdef bint told_to_stop(self) noexcept nogil
    cdef bint asked(self) noexcept nogil
