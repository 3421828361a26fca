from gameplay.engines.mcts.tree cimport MonteCarloTree

cdef void prove(MonteCarloTree tree, int node) noexcept nogil
cdef bint update_bounds(MonteCarloTree tree, int node) noexcept nogil
cdef bint update_proof(MonteCarloTree tree, int node) noexcept nogil
