from gameplay.games.shared.polled cimport PolledSolver
from gameplay.games.scrabble.layout cimport *
from gameplay.games.scrabble.lexicon cimport Lexicon
from gameplay.games.scrabble.plays cimport Placer

cdef class EndgameSolver(PolledSolver):
    cdef Placer placer
    cdef Lexicon lexicon
    cdef readonly int depth                 # of the last finished iteration
    cdef object table_buffer
    cdef bint is_lower                      # the value of the game is at least the last result
    cdef bint is_upper                      # ... at most the last result
    cdef bint overflowed                    # the play stack overflowed
    cdef int top                            # end of the plays of the root
    cdef unsigned int move                  # the best move at the root

    cdef int[54] racks                      # by player: tiles of each kind
    cdef int[2] tile_counts                 # by player: tiles in all
    cdef int[448] cells                     # by ply: the cells of the tiles placed
    cdef int[64] counts                     # ... their number
    cdef unsigned long long hash            # of the board
    cdef unsigned long long[15280] codes    # random numbers for hashing, see HELD

    # the table: keys; and by entry move, value, depth, kind of bound
    cdef unsigned long long* keys
    cdef int* entries

    # values of players without an opponent: keys and values
    cdef long long solo_nodes               # positions searched without an opponent
    cdef object solo_buffer
    cdef unsigned long long* solo_keys
    cdef int* solo_values

    # the cache of plays by line: index in the pool, number, the best two; three numbers a play in the pool
    cdef object line_buffer, pool_buffer
    cdef unsigned long long* line_keys
    cdef int* lines
    cdef int* pool
    cdef int pool_used                      # used entries of the pool
    cdef unsigned long long[30] line_hashes # by line: its hash key, see `hash_line`
    cdef bint[30] stale                     # ... whether the key must be recomputed
    cdef bint rack_sorted                   # the placer has the rack of the mover

    cdef bint no_play                       # there was no play
    cdef int out_gain                       # see `best_static_gain`

    # by ply: the best replies to a pass, 8 that end the game and 8 others
    cdef int[3072] replies                  # score or value, line, cells of the line
    cdef int[128] reply_counts
    cdef int[30720] zones                   # by line: cells that must stay empty, see `mark_zone`

    cdef int rack_points(self, int player) noexcept nogil
    cdef int visit(self, int ply, int mover, int scoreless, int depth, int alpha, int beta, int bottom) noexcept nogil
    cdef int search_play(self, int ply, int mover, int i, int scoreless, int depth, int low, int beta, int top) noexcept nogil
    cdef int search_pass(self, int ply, int mover, int scoreless, int depth, int alpha, int beta, int bottom) noexcept nogil
    cdef unsigned long long position_key(self, int mover, int scoreless) noexcept nogil
    cdef bint decides_window(self, int place, int depth, int alpha, int beta) noexcept nogil
    cdef void store(self, int place, unsigned long long key, unsigned int move, int value, int depth, int kind) noexcept nogil
    cdef int list_plays(self, int ply, int mover, int bottom, int depth) noexcept nogil
    cdef void find_replies(self, int ply, int player, bint is_last_ply) noexcept nogil
    cdef void insert_reply(self, int ply, int kind, int value, int line, int placement) noexcept nogil
    cdef void mark_zone(self, int reply) noexcept nogil
    cdef void mark_cell(self, int reply, int cell) noexcept nogil
    cdef int refutation_bound(self, int ply, int mover, int i, int low, bint is_last_ply) noexcept nogil
    cdef void append_plays(self, int mover) noexcept nogil
    cdef int best_static_gain(self, int mover) noexcept nogil
    cdef int solo_gain(self, int ply, int mover, int bottom, int limit) noexcept nogil
    cdef int cached_line(self, int mover, int line) noexcept nogil
    cdef unsigned long long rack_key(self, int mover) noexcept nogil
    cdef unsigned long long hash_line(self, int line) noexcept nogil
    cdef void refresh_cells(self, int ply) noexcept nogil
    cdef int next_empty(self, int cell, int k) noexcept nogil
    cdef void refresh_cell(self, int cell) noexcept nogil
    cdef int select_next(self, int start, int top, unsigned int code) noexcept nogil
    cdef void place_tiles(self, int ply, int mover, unsigned int code) noexcept nogil
    cdef void remove_tiles(self, int ply, int mover) noexcept nogil
