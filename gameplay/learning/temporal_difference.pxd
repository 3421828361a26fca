from gameplay.kernel cimport Kernel
from gameplay.ntuples.tables cimport NTuples

cdef class TemporalDifference:
    cdef readonly Kernel kernel
    cdef readonly NTuples ntuples
    cdef readonly double decay, explore
    cdef readonly double goal           # the payoff, times `unit`, that counts as 1
    cdef readonly int plies             # of a game at most
    cdef public unsigned long long lots # the state of the generator
    cdef public long long positions     # that were learned from
    cdef float* sums                    # of the changes of each weight
    cdef float* sizes                   # ... and of their sizes
    cdef readonly object sums_owner, sizes_owner
    cdef int horizon                    # positions that a change reaches back to
    cdef int held                       # positions in `found`, the oldest at `first`
    cdef int first
    cdef int made                       # moves of the last game
    cdef int* found                     # `horizon` rows of indices of weights
    cdef double* values                 # of these positions, when they were reached
    cdef readonly object found_owner, values_owner
    cdef int game(self, Kernel kernel, bint learning, int random_seat) noexcept nogil
    cdef int choose(self, Kernel kernel, int base, int end) noexcept nogil
    cdef double result(self) noexcept nogil
    cdef bint remember(self) noexcept nogil
    cdef void learn(self, double after) noexcept nogil
    cdef unsigned long long draw(self) noexcept nogil
    cdef double share(self) noexcept nogil
