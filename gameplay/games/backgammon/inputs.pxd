from gameplay.games.backgammon.layout cimport *
from gameplay.games.backgammon.state cimport BackgammonState
from gameplay.games.shared.network_inputs cimport NetworkInputs

cdef class BackgammonInputs(NetworkInputs):
    cdef bint by_phase
