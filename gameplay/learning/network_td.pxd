from gameplay.learning.td_games cimport TdGames
from gameplay.networks.estimator cimport NetworkEstimator

cdef class NetworkTd(TdGames):
    cdef readonly NetworkEstimator estimator
    cdef readonly double decay
    cdef public double rate             # of the steps
    cdef int count                      # positions stored of the game
    cdef bint trace_cut                 # a move was explored since the last position
    cdef int width                      # of a row: inputs of a position that are not 0, at most
    cdef int* indices                   # a row of inputs for each position
    cdef float* amounts
    cdef int* counts                    # the number of inputs in each row
    cdef int* views                     # the player that the outputs of each row are for
    cdef int* learns                    # 1: the position learns from its successor
    cdef double* probabilities          # a row for each position, computed when it was reached
    cdef double* target                 # a row
    cdef double* slopes                 # ... the current probabilities less the target
    cdef float* nodes
    cdef object owners
    cdef void update_positions(self) noexcept nogil
    cdef void swap_players(self) noexcept nogil
    cdef void step(self, int row) noexcept nogil
    cdef void set_final_target(self, double result, double* target) noexcept nogil
