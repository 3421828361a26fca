from gameplay.games.chess.layout cimport *

cdef enum:
    UNITS = 32                          # hidden units of a side
    OUTPUTS = 4                         # by the number of pieces
    INPUTS = 768                        # pieces on squares
    UNIT_BIASES = 24576                 # INPUTS * UNITS: the offset of the biases of the units
    OUTPUT_WEIGHTS = 24608              # ... of the weights of the outputs
    OUTPUT_BIASES = 24864               # ... of their biases
    TOTAL = 24868                       # 16-bit numbers

# As in correction.py, in 16-bit numbers: gcc computes eight at once.
cdef inline int weighted_sum(short* sums, int at, short* weights, int row) noexcept nogil:
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
    cdef object owner                   # of the weights, which are immutable
    cdef short* weights
    cdef unsigned long long[12] last_pieces  # by colour and kind: the position of the sums
    cdef bint is_valid                  # `last_pieces` and `sums` are set
    cdef int[2] mirrored                # by side: its king stands on files e to h
    cdef short[64] sums                 # of the weights of the inputs, by side
    cdef int value(self, unsigned long long* kinds, unsigned long long* colours, int turn) noexcept nogil
    cdef void update_sums(self, int side, int colour, int kind, int square, bint appears) noexcept nogil
    cdef void refresh(self, int side, unsigned long long* kinds, unsigned long long* colours) noexcept nogil
