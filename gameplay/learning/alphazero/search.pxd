from gameplay.engines.mcts.search cimport MonteCarloSearch
from gameplay.kernel cimport Kernel

cdef class AlphaZeroSearch(MonteCarloSearch):
    cdef int width                      # capacity: moves at the root
    cdef void widen_root(self, int count) noexcept nogil
    cdef int search(self, Kernel kernel, bint noisy) noexcept nogil
    cdef void add_noise(self, Kernel kernel, int count) noexcept nogil
    cdef int move_of(self, int number) noexcept nogil
    cdef int visits_of(self, int number) noexcept nogil

cdef double gamma(Kernel kernel, double shape) noexcept nogil
