from gameplay.games.backgammon.contact_features cimport ContactFeatures
from gameplay.games.backgammon.layout cimport *
from gameplay.games.backgammon.state cimport BackgammonState
from gameplay.games.shared.network_inputs cimport NetworkInputs
from gameplay.kernel cimport Kernel

cdef class BackgammonInputs(NetworkInputs):
    cdef bint plain
    cdef ContactFeatures features
    cdef int add_features(self, Kernel position, int mover, int* indices, float* amounts,
                          int number) noexcept nogil
