cdef class CorrectionTrainer:
    cdef readonly int inputs, units, outputs
    cdef readonly int total             # weights
    cdef readonly long long steps       # of Adam
    cdef readonly double logit_scale, search_share
    cdef int first, second, biases      # where these begin, as in games/chess/correction.py
    cdef float* weights
    cdef float* gradient
    cdef float* means
    cdef float* squares
    cdef float* sums                    # of the last sample: the mover's side, then the other
    cdef float* deltas                  # of the loss by each sum
    cdef readonly object weights_owner, gradient_owner
    cdef object means_owner, squares_owner, sums_owner, deltas_owner
    cdef int[64] rows                   # of the last sample: the weights of its pieces, in pairs
    cdef int pieces
    cdef int number                     # ... its output
    cdef double share                   # ... the weight of the correction, 0 to 1
    cdef double base                    # ... the value of `classic`, as a logit
    cdef double target
    cdef void load(self, unsigned char* row) noexcept nogil
    cdef double forward(self) noexcept nogil
    cdef void backward(self, double slope) noexcept nogil
    cdef double loss(self, double logit) noexcept nogil
    cdef double learn(self, unsigned char* row, double factor) noexcept nogil

cdef double sigmoid(double logit) noexcept nogil
