from gameplay.learning.td_games cimport TdGames
from gameplay.ntuples.coherence cimport CoherentLearner
from gameplay.ntuples.tables cimport NTuples

cdef class TemporalDifference(TdGames):
    cdef readonly NTuples ntuples
    cdef readonly double decay
    cdef readonly CoherentLearner learner
    cdef int horizon                    # positions that a correction reaches back to
    cdef int count                      # positions in `indices`, the oldest in row `first`
    cdef int first
    cdef int* indices                   # `horizon` rows of indices of weights
    cdef double* values                 # of these positions, when they were reached
    cdef readonly object indices_owner, values_owner
