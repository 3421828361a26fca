cimport cython
from gameplay.engines.pathfinding.search cimport PathSearch

@cython.final
cdef class DfidSearch(PathSearch):
    pass
