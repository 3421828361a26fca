from gameplay.engines.cfr.profile cimport StrategyProfile

cdef class RegretMinimizer(StrategyProfile):
    cdef readonly object variant
    cdef readonly long long iterations      # completed
    cdef readonly long long visited         # leaves; for sampling variants nodes
    cdef int kind
    cdef unsigned long long rng_state
    cdef double epsilon                     # exploration of outcome sampling
    cdef double* regret                     # by slot: cumulative counterfactual regret
    cdef double* strategy_sum               # by slot: cumulative strategy, for the average
    cdef double* sample_values              # values of the moves along a sampled path: a stack
    # Nodes of the form, see extensive.py.
    cdef int* turn
    cdef int* first
    cdef int* count
    cdef int* ref
    cdef double* share
    cdef void step(self) noexcept nogil
    cdef void update(self, int player, double weight) noexcept nogil
    cdef void match_regrets(self, int infoset) noexcept nogil
    cdef double random_unit(self) noexcept nogil
    cdef int sample(self, double* odds, int first, int count) noexcept nogil
    cdef double sample_external(self, int node, int player, int base) noexcept nogil
    cdef void update_average(self, int infoset, int count, bint next) noexcept nogil
    cdef void update_regrets(self, int infoset, int count, int base, double value) noexcept nogil
    cdef double sample_outcome(self, int node, int player, double own, double others, double sampled) noexcept nogil
