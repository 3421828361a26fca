cimport cython

from gameplay.games.scrabble.layout cimport *
from gameplay.games.scrabble.lexicon cimport Lexicon

@cython.final
cdef class Placer:
    cdef Lexicon lexicon
    cdef unsigned int* edges
    cdef unsigned int* counts
    cdef unsigned int* play_offsets
    cdef object laid_out, buffer

    # the board; by direction, across first
    cdef unsigned char[225] cells
    cdef unsigned int[450] masks            # cross-checks: the letters that fit
    cdef int[450] crosses                   # points of the crossing tiles; -1: there are none
    cdef unsigned char[225] anchors
    cdef int[27] values
    cdef int[225] letters
    cdef int[225] words
    cdef bint board_empty

    # the rack
    cdef int tiles
    cdef int[7] kinds                       # sorted
    cdef int[27] rack_counts
    cdef int[27] available                  # by kind: tiles not played
    cdef int[27] first_index                # by kind: the index of its first tile
    cdef int[128] leave_values              # by the tiles played, as bits: the value of the leave
    cdef int[27] singles
    cdef int[729] pairs
    cdef int[64] balance

    # the play being generated
    cdef int down, line, anchor, start
    cdef int[15] left_part
    cdef int empty_cells                    # empty cells of the line, as bits from the first
    cdef int placement                      # ... those of tiles played
    cdef bint with_exchanges

    # the plays generated
    cdef unsigned int* codes
    cdef int* estimates
    cdef int* scores                        # only if all plays are kept
    cdef int* placements                    # ... as are the cells of tiles played
    cdef int play_count, capacity, max_plays

    cdef void compute_cross_checks(self) noexcept nogil
    cdef void update_cell(self, int i) noexcept nogil
    cdef void compute_cross_check(self, int at, int cell, int step, int low, int high) noexcept nogil
    cdef int tile_points(self, int tile) noexcept nogil
    cdef unsigned int find_edge(self, int state, unsigned int letter) noexcept nogil
    cdef void sort_rack(self, int bag, int others) noexcept nogil
    cdef void fill_leave_values(self, int bag, int others) noexcept nogil
    cdef int estimate_leave(self, int used) noexcept nogil
    cdef void generate_lines(self) noexcept nogil
    cdef void generate_line(self, int down, int line) noexcept nogil
    cdef int cell(self, int at) noexcept nogil
    cdef void generate_at_anchor(self, int at, int free) noexcept nogil
    cdef void extend_left(self, int free, int state, unsigned int rank, int length, int used, int blanks) noexcept nogil
    cdef void extend_right(self, int at, int state, unsigned int rank, bint ends, int total, int multiplier, int crossing, int used, int touching, int blanks) noexcept nogil
    cdef void add_play(self, unsigned int rank, int length, int score, int used, int touching, int blanks) noexcept nogil
    cdef void add_move(self, unsigned int move, int score, int estimate) noexcept nogil
    cdef void swap_plays(self, int i, int j) noexcept nogil
    cdef void generate_exchanges(self) noexcept nogil
    cdef bint is_canonical(self, int used) noexcept nogil
    cdef unsigned int exchange_rank(self, int used) noexcept nogil

cdef unsigned int choose(int n, int k) noexcept nogil
