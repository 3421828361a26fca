from gameplay.kernel cimport Kernel

cdef class CellReader:
    cdef readonly int cells             # of a position
    cdef bint native                    # the game fills read_cells()
    cdef object reader                  # ... else: reads the cells of a position
    cdef bint read(self, Kernel position, unsigned char* codes) noexcept nogil
