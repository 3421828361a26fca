from gameplay.games.go.moves cimport GoMoves

cdef class GoTerritory(GoMoves):
    pass
