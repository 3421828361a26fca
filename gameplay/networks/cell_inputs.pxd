from gameplay.games.shared.network_inputs cimport NetworkInputs
from gameplay.ntuples.reader cimport CellReader

cdef class CellInputs(NetworkInputs):
    cdef readonly int cells, codes
    cdef CellReader reader
    cdef int* moved                     # a row of cells of each symmetry: where it moves them to
    cdef object moved_owner
