cimport cython
from gameplay.kernel cimport Kernel
from gameplay.search.path cimport PathSearch

@cython.final
cdef class IdastarSearch(PathSearch):
    cdef void note(self, Kernel kernel) noexcept nogil
