from gameplay.kernel cimport Kernel
from gameplay.engines.multiplayer.paranoid cimport ParanoidSearch
cimport cython

@cython.final
cdef class BrsSearch(ParanoidSearch):
    cdef bint passing                   # opponents that do not reply pass
    cdef bint can_reply(self, Kernel kernel) noexcept nogil
