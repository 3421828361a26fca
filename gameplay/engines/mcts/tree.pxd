from gameplay.kernel cimport Kernel
from gameplay.engines.mcts.arena cimport Arena
from gameplay.search.policy cimport PolicyEstimator
from gameplay.search.root cimport RootSearch
from gameplay.search.tree cimport TreeSearch

cdef class MonteCarloTree(RootSearch):
    cdef readonly Arena arena
    cdef readonly long long visits      # simulations of this thread
    cdef int threads                    # that search the tree
    cdef int players
    cdef bint two_player_zero_sum       # two players, zero-sum
    cdef double unit
    cdef PolicyEstimator guide          # the learned policy of PUCT, or None
    cdef bint guided                    # there is one
    cdef double min_payoff, max_payoff  # bounds of the first player's payoff; ±HUGE: unknown
    cdef int next, end                  # nodes of the arena reserved for this thread
    # selection
    cdef double c, fpu, rave, widen
    cdef double prior_visits            # visits that the prior counts for, 0: no prior
    cdef double floor                   # subtracted from all payoffs that nodes store
    cdef double min_seen, max_seen      # least and greatest payoff so far
    cdef double selected_score          # of the move selected last
    cdef readonly bint halving          # the root is searched by sequential halving, with
    cdef int* order                     # ... its children, the remaining ones first
    cdef int moves_total, remaining     # ... number of children, and of the remaining ones
    cdef int place                      # ... index in `order` of the next one
    # expansion
    cdef int prior                      # 1: from hint(), 2: from the evaluation, 3: the policy of `guide`
    # simulation
    cdef int policy                     # bits of the game's policies that playouts follow
    cdef int leaf                       # 0: a playout, 1: the evaluation, 2: the mean of both
    cdef int plies                      # depth of the alpha-beta search of a leaf, 0: none
    cdef TreeSearch leaf_search         # ... that search
    cdef double half                    # evaluation equal to half a win; 0: evaluations are payoffs
    cdef double* gains                  # each player's payoff in this simulation
    cdef int source                     # of these payoffs: 0, a playout, or a reason of the trace
    # backup
    cdef int* path                      # the nodes of one simulation, the root first
    cdef long long* marks               # by move (hashed): `number` plus the player who made it first
    cdef long long number               # of this simulation, times the players
    cdef bint solver
    cdef bint proved                    # this simulation proved the value of its leaf
    # statistics of the root's moves in this search, by child
    cdef double* sums                   # of the mover's payoffs
    cdef double* squares                # of their squares
    cdef int* tries                     # simulations
    cdef tuple visited                  # the candidates with the most visits

    cdef int count_visit(self, int node, int by) noexcept nogil
    cdef int reserve_nodes(self, int count) noexcept nogil
    cdef void add_leaf(self, int node, int move) noexcept nogil
    cdef void emit(self, object event) noexcept
