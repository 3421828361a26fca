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
    cdef int* uses                      # of cell c: users and powers uses[c] up to uses[c + 1]
    cdef int* users                     # the image of a tuple, 0 up to `active`, that holds the cell
    cdef int* powers                    # ... and the factor of the cell's code in its index
    cdef readonly object places_owner, weights_owner, uses_owner, users_owner, powers_owner
    cdef bint find(self, Kernel position, int* indices) noexcept nogil
    cdef bint find_for(self, Kernel position, int bank, int* indices) noexcept nogil
    cdef void look_up(self, unsigned char* codes, int bank, int* indices) noexcept nogil
    cdef void look_up_changed(self, unsigned char* before, int* old, unsigned char* codes, int* indices) noexcept nogil
    cdef int gain(self, int* indices, int start) noexcept nogil
    cdef double sum(self, int* indices) noexcept nogil
