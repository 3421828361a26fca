from gameplay.engines.cfr.training cimport RegretMinimizer
from gameplay.networks.network cimport Network

cdef class Reservoir:
    cdef readonly int capacity
    cdef readonly int width             # values of a sample
    cdef readonly long long seen        # samples offered so far
    cdef readonly list owners
    cdef int* infoset
    cdef int* iteration
    cdef double* target
    cdef int add(self, double share, int infoset, long long iteration) noexcept nogil

cdef class Encoding:
    cdef list owners
    cdef int* start                     # of each infoset: its first input in `feature`
    cdef int* feature
    cdef int* output                    # of each slot

cdef class DeepTraversals(RegretMinimizer):
    cdef readonly Encoding encoding
    cdef readonly list advantages       # a memory for each player
    cdef readonly Reservoir strategies
    cdef Reservoir memory               # of advantages, in the current traversal
    cdef int widest                     # maximum number of moves of an infoset
    cdef double max_payoff              # maximum absolute payoff
    cdef void match_regrets(self, int infoset) noexcept nogil
    cdef void update_average(self, int infoset, int count, bint next) noexcept nogil
    cdef void update_regrets(self, int infoset, int count, int base, double worth) noexcept nogil
    cdef int load(self, Network network, int infoset)
    cdef void softmax(self, Network network, int slot, int moves)
    cdef set_seen(self, Reservoir memory, long long seen)
