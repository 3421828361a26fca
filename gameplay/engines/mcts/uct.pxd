from gameplay.kernel cimport Kernel
from gameplay.engines.mcts.tree cimport MonteCarloTree

cdef int select(MonteCarloTree tree, Kernel kernel, int node) noexcept nogil
