from gameplay.games.shared.polled cimport PolledSolver
from gameplay.games.scrabble.layout cimport *
from gameplay.games.scrabble.lexicon cimport Lexicon
from gameplay.games.scrabble.plays cimport Placer

cdef class EndgameSolver(PolledSolver):
    cdef Placer placer
    cdef Lexicon lexicon
    cdef readonly int depth                 # of the last finished iteration
    cdef object held
    cdef bint reached                       # the value of the game is at least the last result
    cdef bint bounded                       # ... at most the last result
    cdef bint lost                          # the play stack overflowed
    cdef int top                            # end of the plays of the root
    cdef unsigned int move                  # the best move at the root

    cdef int[54] racks                      # by player: tiles of each kind
    cdef int[2] left                        # by player: tiles in all
    cdef int[448] cells                     # by ply: the cells of the tiles placed
    cdef int[64] counts                     # ... their number
    cdef unsigned long long hash            # of the board
    cdef unsigned long long[15280] codes    # random numbers for hashing, see HELD

    # the table: keys; and by entry move, value, depth, kind of bound
    cdef unsigned long long* keys
    cdef int* facts

    # values of players without an opponent: keys and values
    cdef long long solo                     # positions searched without an opponent
    cdef object solos_held
    cdef unsigned long long* solo_keys
    cdef int* solos

    # the cache of plays by line: index in the pool, number, the best two; three numbers a play in the pool
    cdef object lines_held, pool_held
    cdef unsigned long long* line_keys
    cdef int* lines
    cdef int* pool
    cdef int pooled                         # used entries of the pool
    cdef unsigned long long[30] contents    # by line: its hash key, see `content`
    cdef bint[30] stale                     # ... whether the key must be recomputed
    cdef bint sorted                        # the placer has the rack of the mover

    cdef bint stuck                         # there was no play
    cdef int outs                           # see `best_at_once`

    # by ply: the best replies to a pass, 8 that end the game and 8 others
    cdef int[3072] replies                  # score or value, line, cells of the line
    cdef int[128] reply_counts
    cdef int[30720] zones                   # by line: cells that must stay empty, see `mark_zone`

    cdef int tiles(self, int player) noexcept nogil
    cdef int visit(self, int ply, int mover, int calm, int depth, int alpha, int beta, int bottom) noexcept nogil
    cdef int play_out(self, int ply, int mover, int i, int calm, int depth, int low, int beta, int top) noexcept nogil
    cdef int pass_on(self, int ply, int mover, int calm, int depth, int alpha, int beta, int bottom) noexcept nogil
    cdef unsigned long long position_key(self, int mover, int calm) noexcept nogil
    cdef bint settled(self, int place, int depth, int alpha, int beta) noexcept nogil
    cdef void store(self, int place, unsigned long long key, unsigned int move, int value, int depth, int kind) noexcept nogil
    cdef int list_plays(self, int ply, int mover, int bottom, int depth) noexcept nogil
    cdef void swap(self, int i, int j) noexcept nogil
    cdef void find_replies(self, int ply, int player, bint last) noexcept nogil
    cdef void keep_reply(self, int ply, int other, int value, int line, int spot) noexcept nogil
    cdef void mark_zone(self, int reply) noexcept nogil
    cdef void mark_cell(self, int reply, int cell) noexcept nogil
    cdef int refuted(self, int ply, int mover, int i, int low, bint last) noexcept nogil
    cdef void find(self, int mover) noexcept nogil
    cdef int best_at_once(self, int mover) noexcept nogil
    cdef int alone(self, int ply, int mover, int bottom) noexcept nogil
    cdef int known(self, int mover, int line) noexcept nogil
    cdef unsigned long long rack_key(self, int mover) noexcept nogil
    cdef unsigned long long content(self, int line) noexcept nogil
    cdef void touch(self, int ply) noexcept nogil
    cdef int beside(self, int cell, int k) noexcept nogil
    cdef void changed(self, int cell) noexcept nogil
    cdef int best_of(self, int start, int top, unsigned int code) noexcept nogil
    cdef void lay(self, int ply, int mover, unsigned int code) noexcept nogil
    cdef void lift(self, int ply, int mover) noexcept nogil
