cimport cython
from gameplay.kernel cimport Kernel
from gameplay.engines.pathfinding.search cimport PathSearch

ctypedef struct PathNode:
    unsigned long long key              # the position
    int parent, move                    # its parent on the cheapest path so far, and the move
    int cost                            # of that path
    int left                            # the estimated remaining cost
    int ply                             # moves on that path, when it was found
    int after, before                   # neighbours in the open list, -1: none; before CLOSED: not in it

@cython.final
cdef class AstarSearch(PathSearch):
    cdef long long most_memory          # bytes
    cdef PathNode* node                 # open and closed, the root first
    cdef int used, capacity
    cdef int* slot                      # hash table: 1 + the number of a node, 0: none
    cdef int* newest                    # sum of cost and estimate: the newest of the open nodes, -1: none
    cdef int sums                       # so many of them
    cdef int least                      # no open node has a smaller sum
    cdef int[256] path                  # the nodes on the path of the kernel, the root first
    cdef int[256] made                  # ... and the moves
    cdef int length
    cdef void work(self, Kernel kernel, int count) noexcept nogil
    cdef int take(self) noexcept nogil
    cdef bint go_to(self, Kernel kernel, int number) noexcept nogil
    cdef void open_up(self, Kernel kernel, int number) noexcept nogil
    cdef bint asked_for(self, int move) noexcept nogil
    cdef long long slot_of(self, unsigned long long key) noexcept nogil
    cdef bint put(self, int number) noexcept nogil
    cdef void drop(self, int number) noexcept nogil
    cdef bint grow(self) noexcept nogil
    cdef bint rehash(self) noexcept nogil
    cdef bint widen(self, int total) noexcept nogil
    cdef void emit_node(self, int what, int number, int why) noexcept nogil
    cdef void rise(self) noexcept nogil
