from gameplay.games.pig.evaluation cimport PigChances
from gameplay.kernel cimport Kernel

cimport cython

@cython.final
cdef class Pig(Kernel):
    cdef readonly int players, goal, faces
    cdef readonly int pot               # points of this turn
    cdef readonly int roller            # the player on turn, or who rolls
    cdef int[8] kept                    # the points of each player
    cdef PigChances table               # None: not loaded yet
    cdef int next(self) noexcept nogil
    cdef int last(self) noexcept nogil
    cdef void load(self) noexcept nogil
    cdef int standing(self, int player) noexcept nogil
