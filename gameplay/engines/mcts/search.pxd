from gameplay.kernel cimport Kernel
from gameplay.engines.mcts.arena cimport Arena
from gameplay.search.root cimport RootSearch
from gameplay.search.tree cimport TreeSearch

cdef class MonteCarloSearch(RootSearch):
    cdef readonly Arena arena
    cdef readonly long long visits      # simulations of this thread
    cdef long long simulations          # that it may make, 0: no limit
    cdef unsigned long long seed
    cdef int policy                     # bits of what playouts know of good play
    cdef int players
    cdef bint opposed                   # for two, and what one wins the other loses
    cdef double c, fpu, rave, widen
    cdef double prior_visits                   # visits that the prior is worth, 0: there is none
    cdef int prior                      # 1: from hint(), 2: from the evaluation
    cdef int leaf                       # 0: by a playout, 1: by the evaluation, 2: the mean of both
    cdef int plies                      # of the alpha-beta search of a leaf, 0: there is none
    cdef TreeSearch reader              # ... that search
    cdef bint solver
    cdef double half                    # the guess that is worth half a win, 0: guesses are payoffs
    cdef double worst, finest           # what the first player can get; ±HUGE: not known
    cdef double floor                   # totals are kept less this
    cdef double least, most_got         # least and greatest payoff so far
    cdef double unit
    cdef int next, end                  # nodes of the arena that this thread may use
    cdef int* path                      # the nodes of one simulation from the root down
    cdef double* gains                  # what each player got in it
    cdef long long* marks               # by place: `number` and who moved there first in the last simulation
    cdef long long number               # of this simulation, times the players
    cdef double* sums                   # by child of the root, of this search: what the mover got in all
    cdef double* squares                # ... and the sum of its squares
    cdef int* tries                     # ... in so many simulations
    cdef bint sealed                    # this simulation proved something
    cdef int source                     # where its payoffs come from: 0, a playout, or a reason of the trace
    cdef double compared                # what the move that was selected last was chosen for
    cdef tuple visited                  # the moves of the root that were visited most
    cdef int threads                    # that search the tree
    cdef object gate                    # where threads meet when the arena is full
    cdef void simulate(self, Kernel kernel, int count) noexcept nogil
    cdef bint down(self, Kernel kernel, int ply, int node) noexcept nogil
    cdef int count_visit(self, int node, int by) noexcept nogil
    cdef int select(self, Kernel kernel, int node) noexcept nogil
    cdef bint expand(self, Kernel kernel, int node) noexcept nogil
    cdef void foresee(self, Kernel kernel, int first, int count) noexcept nogil
    cdef int reserve_nodes(self, int count) noexcept nogil
    cdef int value(self, Kernel kernel, int node) noexcept nogil
    cdef void guess(self, Kernel kernel) noexcept nogil
    cdef bint read(self, Kernel kernel, int node) noexcept nogil
    cdef void seal(self, int node) noexcept nogil
    cdef bint settle(self, int node) noexcept nogil
    cdef bint settle_many(self, int node) noexcept nogil
    cdef void update_amaf(self, int node) noexcept nogil
    cdef void backup(self, Kernel kernel, int ply, int end) noexcept nogil
    cdef void emit_selected(self, int ply, int node) noexcept nogil
    cdef void emit_expanded(self, int ply, int node) noexcept nogil
    cdef void emit_simulated(self, Kernel kernel, int ply, int end) noexcept nogil
    cdef void emit_backed_up(self, int ply, int chooser) noexcept nogil
    cdef void emit(self, object event) noexcept
