cimport cython
from gameplay.kernel cimport Kernel
from gameplay.engines.pathfinding.search cimport PathSearch

ctypedef struct PathNode:
    unsigned long long key              # the position
    int parent, move                    # on the cheapest path so far
    int cost                            # of that path
    int estimate                        # estimated remaining cost
    int ply                             # length of that path in moves, when it was found
    int next_open, previous_open        # neighbours in the open list, -1: none; previous_open == CLOSED: closed

@cython.final
cdef class AstarSearch(PathSearch):
    cdef long long max_memory           # bytes
    cdef PathNode* node                 # open and closed, the root first
    cdef int node_count, capacity
    cdef int* slot                      # hash table: 1 + the number of a node; 0: free
    cdef int* open_heads                # open lists by sum of cost and estimate: the newest node, -1: none
    cdef int list_count                 # number of open lists
    cdef int min_sum                    # lower bound of the sums of open nodes
    cdef int[256] path                  # nodes on the path of the kernel, the root first
    cdef int[256] path_moves            # ... its moves
    cdef int length                     # ... and its length
    cdef void expand_nodes(self, Kernel kernel, int count) noexcept nogil
    cdef int pop_open(self) noexcept nogil
    cdef bint go_to(self, Kernel kernel, int number) noexcept nogil
    cdef void expand_node(self, Kernel kernel, int number) noexcept nogil
    cdef bint is_root_move(self, int move) noexcept nogil
    cdef long long find_slot(self, unsigned long long key) noexcept nogil
    cdef bint push_open(self, int number) noexcept nogil
    cdef void remove_open(self, int number) noexcept nogil
    cdef bint grow(self) noexcept nogil
    cdef bint rehash(self) noexcept nogil
    cdef bint add_lists(self, int total) noexcept nogil
    cdef void emit_node(self, int what, int number, int why) noexcept nogil
    cdef void raise_bound(self) noexcept nogil
