from gameplay.kernel cimport Kernel

cdef class TdGames:
    cdef readonly Kernel kernel
    cdef readonly double explore
    cdef readonly double goal           # the payoff, times `unit`, that counts as 1
    cdef readonly int plies             # of a game at most
    cdef public unsigned long long lots # the state of the generator
    cdef public long long positions     # that were learned from
    cdef int made                       # moves of the game so far, or of the last
    cdef int* explored                  # 1 for each of these that was explored
    cdef object explored_owner
    cdef int game(self, Kernel kernel, bint exploring, bint learning, int random_seat) noexcept nogil
    cdef bint reached(self, Kernel kernel, bint explored) noexcept nogil
    cdef int choose(self, Kernel kernel, int base, int end) noexcept nogil
    cdef double result(self) noexcept nogil
    cdef double expect(self, Kernel position) noexcept nogil
    cdef void begin(self) noexcept nogil
    cdef bint remember(self) noexcept nogil
    cdef void forget(self) noexcept nogil
    cdef void follow(self) noexcept nogil
    cdef void finish(self, double result) noexcept nogil
    cdef void leave(self) noexcept nogil
    cdef unsigned long long draw(self) noexcept nogil
    cdef double share(self) noexcept nogil
