cimport cython
from gameplay.search.path cimport PathSearch

@cython.final
cdef class DfidSearch(PathSearch):
    pass
