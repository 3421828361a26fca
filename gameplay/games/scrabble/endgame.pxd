cimport cython

from gameplay.games.shared.polled cimport PolledSolver
from gameplay.games.scrabble.layout cimport *
from gameplay.games.scrabble.lexicon cimport Lexicon
from gameplay.games.scrabble.plays cimport Placer

@cython.final
cdef class EndgameSolver(PolledSolver):
    cdef Placer placer
    cdef Lexicon lexicon
    cdef readonly int depth                 # of the last search that was finished
    cdef object held
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

    # the plays of lines: by key where they begin in the pool, how many, the best two; in it three numbers each
    cdef object lines_held, pool_held
    cdef unsigned long long* line_keys
    cdef int* lines
    cdef int* pool
    cdef int pooled                         # how many there are in it
    cdef unsigned long long[30] contents    # by line: its number, see `content`
    cdef bint[30] stale                     # ... which is to be made anew
    cdef bint sorted                        # the placer has the rack of who moves

    cdef int outs                           # see `best_at_once`
    cdef unsigned int[1024] root            # plays of the last search, in its turn
    cdef int[1024] came                     # ... what they came to, or no more than that

    cdef int tiles(self, int player) noexcept nogil
    cdef int seen(self, unsigned int code) noexcept nogil
    cdef int visit(self, int ply, int mover, int calm, int depth, int alpha, int beta, int bottom) noexcept nogil
    cdef void find(self, int mover) noexcept nogil
    cdef int best_at_once(self, int mover) noexcept nogil
    cdef int alone(self, int ply, int mover, int bottom) noexcept nogil
    cdef int known(self, int mover, int line) noexcept nogil
    cdef unsigned long long rack_key(self, int mover) noexcept nogil
    cdef unsigned long long content(self, int line) noexcept nogil
    cdef void touch(self, int ply) noexcept nogil
    cdef void changed(self, int cell) noexcept nogil
    cdef int best_of(self, int start, int top) noexcept nogil
    cdef void lay(self, int ply, int mover, unsigned int code) noexcept nogil
    cdef void lift(self, int ply, int mover) noexcept nogil
