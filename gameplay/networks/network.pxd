cdef class Network:
    cdef readonly tuple sizes           # inputs, the units of each hidden layer, outputs
    cdef readonly int inputs
    cdef readonly int outputs
    cdef readonly int nodes             # floats that forward() writes
    cdef readonly int total             # weights
    cdef readonly long long steps       # number of steps of adam()
    cdef int hidden                     # hidden layers
    cdef int[4] width                   # units of each layer, the inputs first
    cdef int[4] place                   # by layer: index of its first node; inputs have none
    cdef int[4] start                   # by layer: index of its first incoming weight
    cdef float* weights
    cdef float* gradient                # accumulated gradient
    cdef float* means                   # of Adam: means of the gradients
    cdef float* squares                 # ... means of their squares
    cdef float* deltas                  # of the loss by the sum of each hidden unit
    cdef readonly object weights_owner, gradient_owner, means_owner, squares_owner
    cdef object deltas_owner, indices_owner, amounts_owner, nodes_owner, outputs_owner, slopes_owner
    cdef int* indices                   # of the last inputs given from Python
    cdef float* amounts
    cdef float* own_nodes
    cdef double* own_outputs
    cdef double* slopes                 # of the loss by each output, given from Python
    cdef int load_inputs(self, object inputs) except -1
    cdef void load_slopes(self, object slopes)
    cdef void forward(self, int* indices, float* amounts, int count, float* nodes, double* outputs) noexcept nogil
    cdef void block(self, int row, int width, float* nodes, int before, int base) noexcept nogil
    cdef void squash(self, float* nodes, int base, int width) noexcept nogil
    cdef void backward(self, int* indices, float* amounts, int count, float* nodes, double* slopes,
                       float* target, double factor) noexcept nogil
