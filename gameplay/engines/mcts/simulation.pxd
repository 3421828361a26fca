from gameplay.kernel cimport Kernel
from gameplay.engines.mcts.tree cimport MonteCarloTree

cdef int simulate(MonteCarloTree tree, Kernel kernel, int node) noexcept nogil
cdef void evaluate(MonteCarloTree tree, Kernel kernel) noexcept nogil
cdef bint search_leaf(MonteCarloTree tree, Kernel kernel) noexcept nogil
