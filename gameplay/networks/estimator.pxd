from gameplay.games.shared.network_inputs cimport NetworkInputs
from gameplay.kernel cimport Kernel
from gameplay.networks.network cimport Network
from gameplay.ntuples.estimator cimport LearnedEstimator

cdef class NetworkEstimator(LearnedEstimator):
    cdef readonly Network network
    cdef readonly NetworkInputs inputs
    cdef readonly int levels            # of a gain, and as many of a loss
    cdef bint predict(self, Kernel position, int* indices, float* amounts, float* nodes,
                      double* probabilities) noexcept nogil
    cdef void sigmoids(self, double* outputs) noexcept nogil
    cdef double mean(self, double* probabilities, int player) noexcept nogil
