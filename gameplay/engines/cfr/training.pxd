from gameplay.engines.cfr.profile cimport Mixed

cdef class Regrets(Mixed):
    cdef readonly object variant
    cdef readonly long long iterations      # done so far
    cdef readonly long long visited         # leaves, or where it samples, nodes that were looked at
    cdef int kind
    cdef unsigned long long rng_state   # the state of the generator that samples
    cdef double epsilon
    cdef double* regret                     # by slot: what the move would have brought more, in all
    cdef double* total                      # ... and how much it was played, in all
    cdef double* worths                     # of the moves along a sample, a stack
    # The form's nodes.
    cdef int* turn
    cdef int* first
    cdef int* count
    cdef int* ref
    cdef double* share
    cdef void step(self) noexcept nogil
    cdef void learn(self, int player, double weight) noexcept nogil
    cdef void match(self, int infoset) noexcept nogil
    cdef double draw(self) noexcept nogil
    cdef int sample(self, double* odds, int first, int count) noexcept nogil
    cdef double external(self, int node, int player, int base) noexcept nogil
    cdef void note_strategy(self, int infoset, int count, bint next) noexcept nogil
    cdef void note_worths(self, int infoset, int count, int base, double value) noexcept nogil
    cdef double outcome(self, int node, int player, double own, double others, double sampled) noexcept nogil
