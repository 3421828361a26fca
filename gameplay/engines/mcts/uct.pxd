from gameplay.kernel cimport Kernel
from gameplay.engines.mcts.tree cimport MonteCarloTree

cdef int select(MonteCarloTree tree, Kernel kernel, int node) noexcept nogil
cdef int select_by_halving(MonteCarloTree tree) noexcept nogil
cdef void sort_root(MonteCarloTree tree) noexcept nogil
