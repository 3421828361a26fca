from gameplay.kernel cimport Kernel
from gameplay.engines.mcts.arena cimport Arena
from gameplay.engines.mcts.tree cimport MonteCarloTree

cdef class MonteCarloSearch(MonteCarloTree):
    cdef long long simulations          # limit, 0: none
    cdef unsigned long long seed
    cdef object gate                    # where threads wait for each other when the arena is full
    cdef void run_batch(self, Kernel kernel, int count) noexcept nogil
    cdef bint visit_child(self, Kernel kernel, int ply, int node) noexcept nogil
