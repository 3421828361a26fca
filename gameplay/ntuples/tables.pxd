from gameplay.kernel cimport Kernel
from gameplay.ntuples.estimator cimport LearnedEstimator
from gameplay.ntuples.reader cimport CellReader

cdef class NTuples(LearnedEstimator):
    cdef readonly int count             # tuples
    cdef readonly int length            # cells of a tuple
    cdef readonly int images            # of each tuple, one a symmetry
    cdef readonly int codes             # that a cell may have
    cdef readonly int size              # weights of a tuple: codes ** length
    cdef readonly int banks             # players to move, and chance where there is any
    cdef readonly int active            # weights that a position has: count * images
    cdef readonly long long total       # weights: of each player to move, and of chance
    cdef CellReader reader
    cdef int* places                    # count * images * length cells
    cdef float* weights
    cdef readonly object places_owner, weights_owner
    cdef bint find(self, Kernel position, int* found) noexcept nogil
    cdef double sum(self, int* found) noexcept nogil
