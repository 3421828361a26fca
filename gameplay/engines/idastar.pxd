cimport cython
from gameplay.search.path cimport PathSearch

@cython.final
cdef class IdastarSearch(PathSearch):
    pass
