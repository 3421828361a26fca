from gameplay.kernel cimport Kernel
from gameplay.engines.mcts.arena cimport Arena
from gameplay.search.root cimport RootSearch

cdef class InfosetSearch(RootSearch):
    cdef readonly Arena arena
    cdef readonly long long visits      # simulations
    cdef long long simulations          # limit, 0: none
    cdef object position                # the real one: hidden information is only sampled
    cdef object rng                     # samples the hidden information
    cdef object sample_world            # ... by this method of the position
    cdef dict infoset_nodes             # by mover and infoset: the node of its moves; None: single tree
    cdef int player, players
    cdef double c
    cdef bint evaluates_leaves          # a simulation ends with the evaluation, not with a playout
    cdef int policy                     # bits of the game's policies that playouts follow
    cdef double unit, half              # evaluation equal to half a win; 0: evaluations are payoffs
    cdef double min_seen, max_seen      # least and greatest payoff so far
    cdef int* path                      # of one simulation: the node of each move, -1: none
    cdef int* made                      # ... the move
    cdef int* chooser                   # ... the player who chose it, or CHANCE
    cdef void simulate(self, Kernel kernel) noexcept nogil
    cdef int infoset_node(self, Kernel kernel, int at) noexcept nogil
    cdef int add_infoset(self, Kernel kernel)
    cdef bint ensure_children(self, Kernel kernel, int node, int end) noexcept nogil
    cdef bint add_children(self, Kernel kernel, int node, int end, int missing) noexcept nogil
    cdef int select(self, Kernel kernel, int node, int end) noexcept nogil
    cdef void evaluate(self, Kernel kernel) noexcept nogil
    cdef void back_up(self, Kernel kernel, int ply) noexcept nogil
