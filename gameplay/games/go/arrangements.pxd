from gameplay.games.go.board cimport GoStones

cdef bint sound(GoStones board) noexcept nogil
cdef long long legal_positions(GoStones board, int number, int colours) noexcept nogil
