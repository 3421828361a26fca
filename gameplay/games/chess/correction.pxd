from gameplay.games.chess.layout cimport *

cdef enum:
    UNITS = 32                          # hidden units of a side
    OUTPUTS = 4                         # by the number of pieces
    INPUTS = 768                        # pieces on squares
    FIRST = 24576                       # INPUTS * UNITS: where the biases of the units begin
    SECOND = 24608                      # ... the weights of the outputs
    BIASES = 24864                      # ... their biases
    TOTAL = 24868                       # 16-bit numbers

# As in correction.py, in 16-bit numbers: gcc computes eight at once.
cdef inline int weighed(short* sums, int at, short* weights, int row) noexcept nogil:
    cdef short[32] units
    cdef short unit
    cdef int j, total = 0
    for j in range(32):
        unit = sums[at + j]
        unit = 0 if unit < 0 else unit
        unit = 255 if unit > 255 else unit
        units[j] = <short>((<unsigned short>(<unsigned short>unit * <unsigned short>unit)) >> 8)
    for j in range(32):
        total += <int>units[j] * <int>weights[row + j]
    return total

cdef inline void add(short* sums, int at, short* weights, int row) noexcept nogil:
    cdef short* target = sums + at
    cdef short* source = weights + row
    cdef int j
    for j in range(32):
        target[j] += source[j]

cdef inline void subtract(short* sums, int at, short* weights, int row) noexcept nogil:
    cdef short* target = sums + at
    cdef short* source = weights + row
    cdef int j
    for j in range(32):
        target[j] -= source[j]

cdef class ChessCorrection:
    cdef object owner                   # of the weights, which never change
    cdef short* weights
    cdef unsigned long long[12] seen    # the position of the sums: by colour and kind
    cdef bint known                     # there is one
    cdef int[2] mirrored                # by side: its king stands on files e to h
    cdef short[64] sums                 # of the weights of the inputs, by side
    cdef int value(self, unsigned long long* kinds, unsigned long long* colours, int turn) noexcept nogil
    cdef void change(self, int side, int colour, int kind, int square, bint comes) noexcept nogil
    cdef void refresh(self, int side, unsigned long long* kinds, unsigned long long* colours) noexcept nogil
