from gameplay.games.shared.network_inputs cimport NetworkInputs
from gameplay.ntuples.reader cimport CellReader

cdef class CellInputs(NetworkInputs):
    cdef readonly int cells, codes
    cdef CellReader reader
    cdef int* moved                     # by symmetry and cell: the image of the cell
    cdef object moved_owner
