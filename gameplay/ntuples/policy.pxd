from gameplay.kernel cimport Kernel
from gameplay.ntuples.tables cimport NTuples
from gameplay.search.policy cimport PolicyEstimator

cdef class PolicyTables(PolicyEstimator):
    cdef readonly NTuples values        # what a position is worth
    cdef readonly NTuples preferences   # what the player who moved there thinks of it
    cdef bint find(self, Kernel position, int move, int* indices) noexcept nogil
