from gameplay.kernel cimport Kernel
from gameplay.engines.expected cimport ExpectedSearch

cdef class MultiplayerSearch(ExpectedSearch):
    cdef int players
    cdef int width                      # numbers in a row of gains
    cdef int maximizer                  # the player to move at the root
    cdef bint allied                    # some players share their payoffs
    cdef double unit
    cdef double half                    # evaluation equal to half a win; 0: evaluations are payoffs
    cdef int* team                      # by player
    cdef double* gains                  # one row per ply
    cdef readonly int bits              # of the table, 0: none
    cdef unsigned long long* headers    # the table: pairs of key and header
    cdef double* rows                   # ... and the rows
    cdef object memory                  # the table in the uncompiled build
    cdef double gain(self, int player, int ply) noexcept nogil
    cdef void set_payoffs(self, Kernel kernel, int ply) noexcept nogil
    cdef void set_evaluations(self, Kernel kernel, int ply) noexcept nogil
    cdef double estimate(self, Kernel kernel, int player) noexcept nogil
    cdef void copy_row(self, int ply) noexcept nogil
    cdef bint lookup_row(self, unsigned long long key, int ply, int depth) noexcept nogil
    cdef void store_row(self, unsigned long long key, int ply, int depth, int bound, int move, bint complete) noexcept nogil
    cdef void emit_window(self, Kernel kernel, int ply, int move, int depth, double alpha, double beta) noexcept nogil
    cdef void emit_row(self, int what, int ply, int move, int why) noexcept nogil
    cdef bint probe_table(self, unsigned long long key, int ply, int depth, double alpha, double beta) noexcept nogil
    cdef void cut(self, Kernel kernel, int ply, int move, int mover, int depth, bint first, double best) noexcept nogil
    cdef void store_value(self, unsigned long long key, int ply, int depth, double alpha, double beta, double best, int move) noexcept nogil
