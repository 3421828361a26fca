from gameplay.kernel cimport Kernel

cdef class TdGames:
    cdef readonly Kernel kernel
    cdef readonly double explore
    cdef readonly double goal           # the payoff, times `unit`, that counts as 1
    cdef readonly int plies             # maximum plies of a game
    cdef public unsigned long long rng_state
    cdef public long long positions     # learned so far
    cdef int made                       # moves of the current or last game
    cdef int* explored                  # by move: 1 if it was explored
    cdef object explored_owner
    cdef int game(self, Kernel kernel, bint exploring, bint learning, int random_seat) noexcept nogil
    cdef bint learn_move(self, Kernel kernel, bint explored) noexcept nogil
    cdef int choose(self, Kernel kernel, int base, int end) noexcept nogil
    cdef double result(self) noexcept nogil
    cdef double expect(self, Kernel position) noexcept nogil
    cdef void begin_game(self) noexcept nogil
    cdef bint add_position(self) noexcept nogil
    cdef void cut_trace(self) noexcept nogil
    cdef void bootstrap(self) noexcept nogil
    cdef void learn_result(self, double result) noexcept nogil
    cdef void cut_game(self) noexcept nogil
    cdef unsigned long long random_bits(self) noexcept nogil
    cdef double random_unit(self) noexcept nogil
