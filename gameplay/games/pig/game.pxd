from gameplay.games.pig.evaluation cimport PigChances
from gameplay.kernel cimport Kernel

cimport cython

@cython.final
cdef class Pig(Kernel):
    cdef readonly int players, goal, faces
    cdef readonly int pot               # points of this turn, not kept yet
    cdef readonly int roller            # who is on turn, or rolls
    cdef int[8] kept                 # what each player has kept
    cdef PigChances table            # None: not asked for yet
    cdef int next(self) noexcept nogil
    cdef int last(self) noexcept nogil
    cdef void load(self) noexcept nogil
    cdef int standing(self, int player) noexcept nogil
