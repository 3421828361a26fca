from gameplay.kernel cimport Kernel
from gameplay.engines.expected cimport ExpectedSearch

cdef class ManySearch(ExpectedSearch):
    cdef int players
    cdef int width                      # numbers in a row of gains
    cdef int maximizer                  # who moves at the root
    cdef bint allied                    # some players share what they get
    cdef double unit
    cdef double half                    # evaluation equal to half a win; 0: evaluations are payoffs
    cdef int* team                      # by player
    cdef double* gains                  # a row a ply
    cdef readonly int bits              # of the table, 0: none
    cdef unsigned long long* marks      # the table: key, mark; beside them the rows
    cdef double* kept
    cdef object memory                  # the same in plain Python
    cdef double gain(self, int player, int ply) noexcept nogil
    cdef void settle(self, Kernel kernel, int ply) noexcept nogil
    cdef void assume(self, Kernel kernel, int ply) noexcept nogil
    cdef double guess(self, Kernel kernel, int player) noexcept nogil
    cdef void copy_row(self, int ply) noexcept nogil
    cdef bint recall(self, unsigned long long key, int ply, int depth) noexcept nogil
    cdef void keep(self, unsigned long long key, int ply, int depth, int bound, int move, bint complete) noexcept nogil
    cdef void emit_window(self, Kernel kernel, int ply, int move, int depth, double alpha, double beta) noexcept nogil
    cdef void emit_row(self, int what, int ply, int move, int why) noexcept nogil
    cdef bint probe_table(self, unsigned long long key, int ply, int depth, double alpha, double beta) noexcept nogil
    cdef void cut(self, Kernel kernel, int ply, int move, int mover, int depth, bint first, double best) noexcept nogil
    cdef void prove(self, unsigned long long key, int ply, int depth, double alpha, double beta, double best, int move) noexcept nogil
