cimport cython

from gameplay.games.scrabble.endgame cimport EndgameSolver
from gameplay.games.scrabble.layout cimport *

@cython.final
cdef class EndgameProver(EndgameSolver):
    cdef object tree_held, edges_held, index_held, bounds_held
    cdef unsigned long long* node_keys
    cdef int* tree                          # by node: PHI to SECOND
    cdef int* index                         # nodes, by key
    cdef int* edges                         # four numbers a play: code, score, node, initial numbers
    cdef unsigned long long* bound_keys
    cdef int* bounds                        # by position: lower and upper bound
    cdef int size                           # of the tree
    cdef int used                           # edges
    cdef bint full                          # memory is used up

    cdef int create(self, int ply, int mover, int calm, int target) noexcept nogil
    cdef void bound(self, int node, int ply, int mover, int calm, int target) noexcept nogil
    cdef void expand(self, int node, int ply, int mover, int calm, int target) noexcept nogil
    cdef void dig(self, int node, int ply, int mover, int calm, int target, int most_phi, int most_delta) noexcept nogil
    cdef int total(self, int node, int target) noexcept nogil
    cdef bint finished(self, int node, int mover, int calm, int target) noexcept nogil
    cdef void descend(self, int edge, int ply, int mover, int calm, int target, int most_phi, int most_delta) noexcept nogil
