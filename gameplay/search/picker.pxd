from gameplay.kernel cimport Kernel
from gameplay.search.ordering cimport Ordering

ctypedef struct Place:
    int base, end                       # the moves of the position are stack[base:end]
    int next                            # index of the one that is handed out next
    int stop                            # end of those that are being handed out
    int deferred                        # moves at stack[base:][:defer] that come again
    int excluded                        # the move that is left out, -1: none
    bint again                          # they come now

cdef class Picker:
    cdef Ordering ordering
    cdef Place* places
    cdef int weight                     # move-ordering score of the last move yielded
    cdef void open(self, Kernel kernel, int place, int base, int end, int ply, int first, int answered, int excluded) noexcept nogil
    cdef int next(self, Kernel kernel, int place) noexcept nogil
    cdef void defer(self, Kernel kernel, int place, int move, int weight) noexcept nogil
    cdef bint is_replaying(self, int place) noexcept nogil
    cdef int pick_index(self, int place) noexcept nogil
