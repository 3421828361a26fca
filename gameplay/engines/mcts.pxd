from gameplay.kernel cimport Kernel
from gameplay.search.root cimport RootSearch
cimport cython

ctypedef struct TreeNode:
    int move                            # that leads here
    int mover                           # who moves here, once it has children
    int first, count                    # its children lie side by side: arena[first:first + count]
    long long visits
    double odds                         # of the move, where chance made it

@cython.final
cdef class MctsSearch(RootSearch):
    cdef double c
    cdef unsigned long long seed
    cdef long long simulations, visits
    cdef int players
    cdef int policy                     # bits of what simulations know of good play
    cdef bint summed                    # one's gain is the other's loss
    cdef TreeNode* arena                    # the tree, its root first
    cdef double* totals                 # of each node, what each player got in all its simulations
    cdef int used, room                 # nodes in the arena, and what it holds
    cdef int* path                      # the nodes of one simulation from the root down
    cdef double low, high               # the least and the most that anybody got so far
    cdef void simulate(self, Kernel kernel, int count) noexcept nogil
    cdef bint down(self, Kernel kernel, int ply, int node) noexcept nogil
    cdef int select(self, Kernel kernel, int node) noexcept nogil
    cdef void expand(self, Kernel kernel, int node) noexcept nogil
    cdef void add(self, int node, int move, double odds) noexcept nogil
    cdef void rollout(self, Kernel kernel) noexcept nogil
    cdef void backup(self, Kernel kernel, int ply) noexcept nogil
    cdef void grow(self, int room) noexcept nogil
