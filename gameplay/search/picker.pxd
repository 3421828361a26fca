from gameplay.kernel cimport Kernel
from gameplay.search.ordering cimport Ordering

ctypedef struct Place:
    int base, end                       # the moves of the position are stack[base:end]
    int next                            # index of the next move
    int stop                            # index after the last move to yield
    int deferred                        # deferred moves: stack[base:][:deferred]
    int excluded                        # the excluded move; -1: none
    bint again                          # the deferred moves are being yielded

cdef class Picker:
    cdef Ordering ordering
    cdef Place* places
    cdef int weight                     # move-ordering score of the last move yielded
    cdef void open(self, Kernel kernel, int place, int base, int end, int ply, int first, int answered, int excluded) noexcept nogil
    cdef int next(self, Kernel kernel, int place) noexcept nogil
    cdef void defer(self, Kernel kernel, int place, int move, int weight) noexcept nogil
    cdef bint is_replaying(self, int place) noexcept nogil
    cdef int pick_index(self, int place) noexcept nogil
