from gameplay.kernel cimport Kernel
from gameplay.search.root cimport RootSearch

cdef class PathSearch(RootSearch):
    cdef readonly long long expanded, reopened
    cdef readonly tuple thresholds      # the thresholds so far
    cdef readonly long long memory      # bytes for stored positions
    cdef int excess                     # least excess of a path over the threshold; 0: none
    cdef int depth                      # greatest length of a path
    cdef bint cut                       # a path was cut at that length
    cdef bint blind                     # no heuristic is used
    cdef bint priced                    # moves have costs other than 1
    cdef int threshold                  # of the current search
    cdef int[256] line                  # the path to the goal, ply by ply
    cdef bint reaches_goal(self, Kernel kernel, int move, int ply) noexcept nogil
    cdef long long count_later_moves(self, Kernel kernel, int base, int last, int move) noexcept nogil
    cdef int expand(self, Kernel kernel, int base, int room, int last) noexcept nogil
    cdef void emit(self, int what, int ply, int move, int value, int why, int node) noexcept nogil
    cdef void emit_expanded(self, Kernel kernel, int ply, int move, int room) noexcept nogil
    cdef void emit_moves(self, Kernel kernel, int base, int ply, int last, int room, int after, int to) noexcept nogil
    cdef bint visit(self, Kernel kernel, int base, int end, int ply, int room, int last) noexcept nogil
