from gameplay.kernel cimport Kernel
from gameplay.engines.mcts.arena cimport Arena
from gameplay.search.root cimport RootSearch

cdef class InfosetSearch(RootSearch):
    cdef readonly Arena arena
    cdef readonly long long visits      # simulations
    cdef long long simulations          # that it may make, 0: no limit
    cdef object position                # as the mover sees it
    cdef object rng                     # what is hidden is drawn from it
    cdef object sample_world            # ... by this
    cdef dict places                    # by mover and infoset: the node that holds its moves; None: one tree
    cdef int player, players
    cdef double c
    cdef bint evaluates_leaves          # a simulation ends with the evaluation, not with a playout
    cdef int policy                     # bits of the game's policies that playouts go by
    cdef double unit, half              # evaluation equal to half a win; 0: evaluations are payoffs
    cdef double min_seen, max_seen      # least and greatest payoff so far
    cdef int* path                      # of one simulation: the node of each move, -1: it has none
    cdef int* made                      # ... the move
    cdef int* chooser                   # ... who chose it
    cdef void simulate(self, Kernel kernel) noexcept nogil
    cdef int place(self, Kernel kernel, int at) noexcept nogil
    cdef int add_infoset(self, Kernel kernel)
    cdef bint admit(self, Kernel kernel, int node, int end) noexcept nogil
    cdef bint widen(self, Kernel kernel, int node, int end, int missing) noexcept nogil
    cdef int select(self, Kernel kernel, int node, int end) noexcept nogil
    cdef void evaluate(self, Kernel kernel) noexcept nogil
    cdef void back_up(self, Kernel kernel, int ply) noexcept nogil
