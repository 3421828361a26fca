# As in network.py. Sums stay in registers, with gcc and clang in vectors: each unit adds its inputs in their order.
cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
      #ifdef __AVX__
        #define gameplay_LANES 8
      #else
        #define gameplay_LANES 4
      #endif
      typedef float gameplay_Lanes __attribute__((vector_size(4 * gameplay_LANES), aligned(4), may_alias));
    #else
      #define gameplay_LANES 1
      typedef float gameplay_Lanes;
    #endif

    static inline void gameplay_add_block(const float *weights, int width, const int *indices, const float *amounts,
                                          int count, float *nodes, const int vectors) {
        gameplay_Lanes sums[8], *units = (gameplay_Lanes *)nodes;
        int i, k;
        for (k = 0; k < vectors; k++)
            sums[k] = units[k];
        for (i = 0; i < count; i++) {
            const gameplay_Lanes *row = (const gameplay_Lanes *)(weights + indices[i] * width);
            const float amount = amounts[i];
            for (k = 0; k < vectors; k++)
                sums[k] += amount * row[k];
        }
        for (k = 0; k < vectors; k++)
            units[k] = sums[k];
    }

    static inline void gameplay_add_rows(const float *weights, int start, int width, const int *indices,
                                         const float *amounts, int at, int count, float *nodes, int base) {
        int i, j = 0;
        weights += start, amounts += at, nodes += base;
        for (; j + 8 * gameplay_LANES <= width; j += 8 * gameplay_LANES)
            gameplay_add_block(weights + j, width, indices, amounts, count, nodes + j, 8);
        for (; j + 4 * gameplay_LANES <= width; j += 4 * gameplay_LANES)
            gameplay_add_block(weights + j, width, indices, amounts, count, nodes + j, 4);
        for (; j + gameplay_LANES <= width; j += gameplay_LANES)
            gameplay_add_block(weights + j, width, indices, amounts, count, nodes + j, 1);
        for (; j < width; j++)
            for (i = 0; i < count; i++)
                nodes[j] += amounts[i] * weights[indices[i] * width + j];
    }

    static inline void gameplay_add_columns(const float *weights, int rows, int width, const float *units,
                                            double *outputs, const int columns) {
        double sums[6];
        int i, j;
        for (j = 0; j < columns; j++)
            sums[j] = outputs[j];
        for (i = 0; i < rows; i++)
            for (j = 0; j < columns; j++)
                sums[j] += (double)units[i] * weights[i * width + j];
        for (j = 0; j < columns; j++)
            outputs[j] = sums[j];
    }

    static inline void gameplay_add_outputs(const float *weights, int start, int rows, int width, const float *nodes,
                                            int base, double *outputs) {
        int j = 0;
        weights += start, nodes += base;
        for (; j + 6 <= width; j += 6)
            gameplay_add_columns(weights + j, rows, width, nodes, outputs + j, 6);
        for (; j + 2 <= width; j += 2)
            gameplay_add_columns(weights + j, rows, width, nodes, outputs + j, 2);
        if (j < width)
            gameplay_add_columns(weights + j, rows, width, nodes, outputs + j, 1);
    }
    """
    void add_rows "gameplay_add_rows" (float* weights, int start, int width, int* indices, float* amounts, int at,
                                       int count, float* nodes, int base) noexcept nogil
    void add_outputs "gameplay_add_outputs" (float* weights, int start, int rows, int width, float* nodes, int base,
                                             double* outputs) noexcept nogil

# As in network.py, four rows at a time: in one row, each addition waits for the last.
cdef inline void multiply_rows(float* weights, int start, int rows, int width, double* errors,
                               double* products) noexcept nogil:
    cdef int i = 0, j
    cdef float* row = weights + start
    cdef double first, second, third, fourth
    while i + 4 <= rows:
        first = second = third = fourth = 0.0
        for j in range(width):
            first += errors[j] * row[j]
            second += errors[j] * row[width + j]
            third += errors[j] * row[2 * width + j]
            fourth += errors[j] * row[3 * width + j]
        products[i], products[i + 1], products[i + 2], products[i + 3] = first, second, third, fourth
        row += 4 * width
        i += 4
    while i < rows:
        first = 0.0
        for j in range(width):
            first += errors[j] * row[j]
        products[i] = first
        row += width
        i += 1

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
    cdef object deltas_owner, indices_owner, every_owner, amounts_owner, nodes_owner, outputs_owner, slopes_owner
    cdef object errors_owner, products_owner
    cdef int* indices                   # of the last inputs given from Python
    cdef int* every                     # the index of each unit
    cdef float* amounts
    cdef float* own_nodes
    cdef double* own_outputs
    cdef double* slopes                 # of the loss by each output, given from Python
    cdef double* errors                 # ... by the sums of the units of a layer
    cdef double* products               # ... by the units of the layer before
    cdef int load_inputs(self, object inputs) except -1
    cdef void load_slopes(self, object slopes)
    cdef void forward(self, int* indices, float* amounts, int count, float* nodes, double* outputs) noexcept nogil
    cdef void sum_inputs(self, int layer, int* indices, float* amounts, int at, int count,
                         float* nodes) noexcept nogil
    cdef void squash(self, float* nodes, int base, int width) noexcept nogil
    cdef void backward(self, int* indices, float* amounts, int count, float* nodes, double* slopes,
                       float* target, double factor) noexcept nogil
