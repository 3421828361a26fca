from gameplay.games.checkers.board cimport CheckersBoard

cdef class IndexedCheckers(CheckersBoard):
    cdef void step_back(self, unsigned long long bit, unsigned long long to) noexcept nogil

cdef unsigned long long rotate(unsigned long long squares) noexcept nogil
cdef unsigned long long compress(unsigned long long bits) noexcept nogil
cdef unsigned long long expand(unsigned long long squares) noexcept nogil
