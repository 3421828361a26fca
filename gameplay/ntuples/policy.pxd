from gameplay.kernel cimport Kernel
from gameplay.ntuples.tables cimport NTuples
from gameplay.search.policy cimport PolicyEstimator

cdef class PolicyTables(PolicyEstimator):
    cdef readonly NTuples values        # values of positions
    cdef readonly NTuples preferences   # preferences for moves, by the position after the move
    cdef bint find(self, Kernel position, int move, int* indices) noexcept nogil
