from gameplay.learning.td_games cimport TdGames
from gameplay.networks.estimator cimport NetworkEstimator

cdef class NetworkTd(TdGames):
    cdef readonly NetworkEstimator estimator
    cdef readonly double decay
    cdef public double rate             # of the steps
    cdef int held                       # positions of the game that are remembered
    cdef bint parted                    # the next one is no successor of the last: a move was explored
    cdef bint ready                     # a target is known for the last position
    cdef int most                       # inputs of a position that are not 0
    cdef int* indices                   # a row of inputs of each position
    cdef float* amounts
    cdef int* counts                    # inputs of each position that are not 0
    cdef int* views                     # the player whom the outputs are for
    cdef int* linked                    # 1: the position learns from its successor
    cdef double* chances                # a row of probabilities of each position, when it was reached
    cdef double* target                 # a row
    cdef double* slopes                 # ... and what the network says now, and how wrong that is
    cdef float* nodes
    cdef object owners
    cdef void teach(self) noexcept nogil
    cdef void turn_over(self) noexcept nogil
    cdef void step(self, int row) noexcept nogil
    cdef void gains(self, double result, double* chances) noexcept nogil
