from gameplay.kernel cimport Kernel
from gameplay.engines.mcts.tree cimport MonteCarloTree

cdef bint expand(MonteCarloTree tree, Kernel kernel, int node) noexcept nogil
cdef void set_priors(MonteCarloTree tree, Kernel kernel, int first, int count) noexcept nogil
cdef void set_policy(MonteCarloTree tree, Kernel kernel, int first, int count) noexcept nogil
cdef void set_estimates(MonteCarloTree tree, Kernel kernel, int first, int count) noexcept nogil
