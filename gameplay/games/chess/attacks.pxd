from gameplay.games.chess.layout cimport FILE_A, FILE_H

cdef struct Slider:
    unsigned long long mask             # the squares where a piece blocks the attack
    unsigned long long magic
    unsigned long long* table
    int shift

cdef unsigned long long[64] KNIGHT, KING
cdef unsigned long long[128] PAWN       # White's, then Black's
cdef unsigned long long[4096] BETWEEN, THROUGH
cdef Slider[64] ROOKS, BISHOPS
cdef unsigned long long[107648] SLIDER_ATTACKS  # all tables of the sliders: 102,400 entries for rooks, 5,248 for bishops

cdef int _neighbour(int square, int across, int up) noexcept nogil
cdef unsigned long long _slider_attacks(int square, unsigned long long occupied, bint diagonal, bint inner) noexcept nogil
cdef unsigned long long _leaper_attacks(int square, bint knight) noexcept nogil
cdef int _fill_slider(Slider* lookup, int square, bint diagonal, int at) noexcept nogil

cdef inline unsigned long long forward(unsigned long long squares, int us) noexcept nogil:
    return squares >> 8 if us else squares << 8

cdef inline unsigned long long left(unsigned long long squares, int us) noexcept nogil:
    squares &= ~FILE_A
    return squares >> 9 if us else squares << 7

cdef inline unsigned long long right(unsigned long long squares, int us) noexcept nogil:
    squares &= ~FILE_H
    return squares >> 7 if us else squares << 9

cdef inline unsigned long long knight(int square) noexcept nogil:
    return KNIGHT[square]

cdef inline unsigned long long king(int square) noexcept nogil:
    return KING[square]

cdef inline unsigned long long pawn(int colour, int square) noexcept nogil:
    return PAWN[64 * colour + square]

cdef inline unsigned long long rook(int square, unsigned long long occupied) noexcept nogil:
    cdef Slider* slider = &ROOKS[square]
    return slider.table[((occupied & slider.mask) * slider.magic) >> slider.shift]

cdef inline unsigned long long bishop(int square, unsigned long long occupied) noexcept nogil:
    cdef Slider* slider = &BISHOPS[square]
    return slider.table[((occupied & slider.mask) * slider.magic) >> slider.shift]

cdef inline unsigned long long between(int a, int b) noexcept nogil:
    return BETWEEN[64 * a + b]

cdef inline unsigned long long through(int a, int b) noexcept nogil:
    return THROUGH[64 * a + b]
