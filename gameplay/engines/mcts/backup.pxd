from gameplay.kernel cimport Kernel
from gameplay.engines.mcts.tree cimport MonteCarloTree

cdef void back_up(MonteCarloTree tree, Kernel kernel, int ply, int end) noexcept nogil
cdef void update_amaf(MonteCarloTree tree, int node) noexcept nogil
