from gameplay.kernel cimport Kernel
from gameplay.learning.alphazero.search cimport AlphaZeroSearch
from gameplay.ntuples.coherence cimport CoherentLearner
from gameplay.ntuples.policy cimport PolicyTables

cdef class AlphaZero:
    cdef readonly Kernel kernel
    cdef readonly PolicyTables guide
    cdef readonly AlphaZeroSearch search
    cdef readonly CoherentLearner values
    cdef readonly CoherentLearner preferences
    cdef readonly int opening           # random plies of a game at most
    cdef readonly int sampled           # plies after them in which moves are sampled
    cdef readonly int plies             # of a game at most; then it is drawn
    cdef public long long positions     # learned so far
    cdef readonly object record_owner, line_owner
    cdef int* numbers                   # of the last game, see `game`
    cdef int room, length               # capacity and length of `numbers`
    cdef int* line                      # the moves made
    cdef int made
    cdef readonly double result         # of the game in the record, for the first player, from -1 to 1
    cdef int random(self, int count) noexcept nogil
    cdef void game(self, Kernel kernel, bint exploring) noexcept nogil
    cdef void extend_record(self, int count) noexcept nogil
    cdef void take_back(self, Kernel kernel) noexcept nogil
    cdef double final(self) noexcept nogil
    cdef int chosen(self, int count, bint sampled) noexcept nogil
    cdef void study_game(self, Kernel kernel) noexcept nogil
    cdef void study(self, Kernel kernel, int place, int count) noexcept nogil
