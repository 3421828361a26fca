cimport cython
from gameplay.games.go.territory cimport GoTerritory

@cython.final
cdef class Go(GoTerritory):
    cdef readonly int size
    cdef readonly object rules, ko, placement, goal
    cdef readonly double komi
    cdef readonly bint automatic        # two passes or threefold repetition end the game
    cdef readonly int handicap
