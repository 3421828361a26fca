cimport cython

from gameplay.games.scrabble.layout cimport *
from gameplay.games.scrabble.lexicon cimport Lexicon

@cython.final
cdef class Placer:
    cdef Lexicon lexicon
    cdef unsigned int* edges
    cdef unsigned int* counts
    cdef unsigned int* first
    cdef object laid_out, held
    cdef readonly long long positions, found

    # the board; by direction, across first
    cdef unsigned char[225] cells
    cdef unsigned int[450] masks            # cross-checks: the letters that fit
    cdef int[450] crosses                   # points of the crossing tiles; -1: there are none
    cdef unsigned char[225] anchors
    cdef int[27] values
    cdef int[225] letters
    cdef int[225] words
    cdef bint empty

    # the rack
    cdef int tiles
    cdef int[7] kinds                       # sorted
    cdef int[27] have
    cdef int[27] count                      # by kind: tiles not played
    cdef int[27] base                       # by kind: the index of its first tile
    cdef int[128] leave                     # by the tiles played, as bits: the value of the leave
    cdef int[27] singles
    cdef int[729] pairs
    cdef int[64] balance

    # the play being generated
    cdef int down, line, anchor, start
    cdef int[15] laid
    cdef int vacant                         # empty cells of the line, as bits from the first
    cdef int spot                           # ... those of tiles played
    cdef bint changing

    # the plays generated
    cdef unsigned int* codes
    cdef int* worth
    cdef int* scores                        # only if all plays are kept
    cdef int* spots                         # ... as are the cells of tiles played
    cdef int number, room, most

    cdef void cross(self) noexcept nogil
    cdef void look(self, int i) noexcept nogil
    cdef void fit(self, int at, int cell, int step, int low, int high) noexcept nogil
    cdef int counted(self, int tile) noexcept nogil
    cdef unsigned int follow(self, int state, unsigned int letter) noexcept nogil
    cdef void sort(self, int bag, int others) noexcept nogil
    cdef void keep(self, int bag, int others) noexcept nogil
    cdef int kept(self, int used) noexcept nogil
    cdef void search(self) noexcept nogil
    cdef void scan(self, int down, int line) noexcept nogil
    cdef int cell(self, int at) noexcept nogil
    cdef void begin(self, int at, int free) noexcept nogil
    cdef void left(self, int free, int state, unsigned int rank, int length, int used, int blanks) noexcept nogil
    cdef void right(self, int at, int state, unsigned int rank, bint ends, int total, int times, int crossing, int used, int touching, int blanks) noexcept nogil
    cdef void note(self, unsigned int rank, int length, int score, int used, int touching, int blanks) noexcept nogil
    cdef void list(self, unsigned int move, int score, int worth) noexcept nogil
    cdef void exchange(self) noexcept nogil
    cdef bint canonical(self, int used) noexcept nogil
    cdef unsigned int given(self, int used) noexcept nogil

cdef unsigned int choose(int n, int k) noexcept nogil
