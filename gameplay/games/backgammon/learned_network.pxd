cimport cython
from gameplay.games.backgammon.contact_features cimport ContactFeatures
from gameplay.games.backgammon.evaluation cimport BackgammonEvaluation
from gameplay.games.backgammon.layout cimport *

cdef enum:
    UNITS_1 = 224

# As in learned_network.py, in 16-bit numbers: gcc multiplies eight at once.
cdef inline int weighted_sum(short* values, short* weights, int row, int count) noexcept nogil:
    cdef int j, total = 0
    for j in range(count):
        total += <int>values[j] * <int>weights[row + j]
    return total

@cython.final
cdef class LearnedNetwork(BackgammonEvaluation):
    cdef readonly object weights        # as bytes, which `weight` points into
    cdef const short* weight
    cdef ContactFeatures contact_features
    cdef short[24] features             # of the last position, in 256ths
    cdef int[224] added                 # what they add to the sums
    cdef short[5376] first              # the weights of features, in a row for each unit of the first layer
    cdef short[14336] second             # ... those of the second layer, in a row for each of its units
    cdef int[8][224] sums               # of the first layer, by phase and player on roll
    cdef short[224] units               # ... as units
    cdef signed char[8][52] counted     # the checkers in them, as in a position
    cdef void read_features(self, const signed char* checkers, int me) noexcept nogil
    cdef void recount(self, int view, int place, int checkers) noexcept nogil
    cdef void add(self, int view, int row, bint adding) noexcept nogil
