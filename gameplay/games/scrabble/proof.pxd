cimport cython

from gameplay.games.scrabble.endgame cimport EndgameSolver
from gameplay.games.scrabble.layout cimport *

@cython.final
cdef class EndgameProver(EndgameSolver):
    cdef object node_buffer, edge_buffer, index_buffer, bound_buffer
    cdef unsigned long long* node_keys
    cdef int* node_data                     # by node: PHI to SECOND
    cdef int* index                         # nodes, by key
    cdef int* edges                         # four numbers a play: code, score, node, initial numbers
    cdef unsigned long long* bound_keys
    cdef int* bounds                        # by position: lower and upper bound
    cdef bint[16382] successful              # by player and play: it reached a target
    cdef int node_count                     # of the tree
    cdef int edge_count                     # edges
    cdef bint is_full                       # memory is used up

    cdef int create(self, int ply, int mover, int scoreless, int target) noexcept nogil
    cdef void init_bounds(self, int node, int ply, int mover, int scoreless, int target) noexcept nogil
    cdef void expand(self, int node, int ply, int mover, int scoreless, int target) noexcept nogil
    cdef void search_node(self, int node, int ply, int mover, int scoreless, int target, int most_phi, int most_delta) noexcept nogil
    cdef int update_node(self, int node, int target) noexcept nogil
    cdef bint is_decided(self, int node, int mover, int scoreless, int target) noexcept nogil
    cdef void descend(self, int edge, int ply, int mover, int scoreless, int target, int most_phi, int most_delta) noexcept nogil

cdef int history_slot(int mover, unsigned int code) noexcept nogil
