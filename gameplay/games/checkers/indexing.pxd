from gameplay.games.checkers.board cimport CheckersBoard

cdef class IndexedCheckers(CheckersBoard):
    cdef void step_back(self, unsigned long long bit, unsigned long long to) noexcept nogil

cdef unsigned long long turned(unsigned long long squares) noexcept nogil
cdef unsigned long long pressed(unsigned long long bits) noexcept nogil
cdef unsigned long long spread(unsigned long long squares) noexcept nogil
