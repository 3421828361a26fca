from gameplay.kernel cimport Kernel
from gameplay.engines.mcts.tree cimport MonteCarloTree

cdef void emit_selected(MonteCarloTree tree, int ply, int node) noexcept nogil
cdef void emit_expanded(MonteCarloTree tree, int ply, int node) noexcept nogil
cdef void emit_simulated(MonteCarloTree tree, Kernel kernel, int ply, int end) noexcept nogil
cdef void emit_backed_up(MonteCarloTree tree, int ply, int chooser) noexcept nogil
