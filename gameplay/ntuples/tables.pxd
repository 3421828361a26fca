from gameplay.kernel cimport Estimator, Kernel

cdef class NTuples(Estimator):
    cdef readonly int count             # tuples
    cdef readonly int length            # cells of a tuple
    cdef readonly int images            # of each tuple, one a symmetry
    cdef readonly int codes             # that a cell may have
    cdef readonly int cells             # of a position
    cdef readonly int size              # weights of a tuple: codes ** length
    cdef readonly int banks             # players to move, and chance where there is any
    cdef readonly int active            # weights that a position has: count * images
    cdef readonly long long total       # weights: of each player to move, and of chance
    cdef bint native                    # the game fills read_cells()
    cdef readonly double points         # what a certain win is worth
    cdef object reader                  # ... else: what reads the cells of a position
    cdef int* places                    # count * images * length cells
    cdef float* weights
    cdef readonly object places_owner, weights_owner
    cdef short* shorts(self, object held) except NULL
    cdef bint read(self, Kernel position, unsigned char* codes) noexcept nogil
    cdef bint find(self, Kernel position, int* found) noexcept nogil
    cdef double sum(self, int* found) noexcept nogil
    cdef double expect(self, Kernel position) noexcept nogil
