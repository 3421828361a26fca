cdef class BearoffSolver:
    cdef readonly int max_checkers      # of a side, on its last six points
    cdef readonly int count             # placements
    cdef int* successors                # by placement, die and play; -1: end of the list
    cdef readonly object successor_memory
    cdef void unrank(self, int number, int* checkers) noexcept nogil
    cdef int rank(self, int* checkers) noexcept nogil
    cdef void generate_successors(self) noexcept nogil
    cdef int best_successor(self, int placement, int first, int second, double* costs) noexcept nogil
    cdef int best_successor_of_double(self, int placement, int die, int times, double* costs) noexcept nogil
    cdef void fill_two_sided(self, double* win_probabilities) noexcept nogil
    cdef void fill_one_sided(self, double* mean_rolls, double* distributions) noexcept nogil
