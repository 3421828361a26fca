from gameplay.games.pig.evaluation cimport PigChances
from gameplay.kernel cimport Kernel

cimport cython

@cython.final
cdef class Pig(Kernel):
    cdef readonly int players, goal, faces
    cdef readonly int pot               # points of this turn
    cdef readonly int roller            # the player on turn; at a chance node the player who rolls
    cdef int[8] totals                  # points by player
    cdef PigChances table               # None until loaded
    cdef int next_player(self) noexcept nogil
    cdef int previous_player(self) noexcept nogil
    cdef void load_chances(self) noexcept nogil
    cdef int points_share(self, int player) noexcept nogil
