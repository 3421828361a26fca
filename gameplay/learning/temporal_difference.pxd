from gameplay.learning.td_games cimport TdGames
from gameplay.ntuples.coherence cimport CoherentLearner
from gameplay.ntuples.tables cimport NTuples

cdef class TemporalDifference(TdGames):
    cdef readonly NTuples ntuples
    cdef readonly double decay
    cdef readonly CoherentLearner learner
    cdef int horizon                    # positions that a change reaches back to
    cdef int held                       # positions in `found`, the oldest at `first`
    cdef int first
    cdef int* found                     # `horizon` rows of indices of weights
    cdef double* values                 # of these positions, when they were reached
    cdef readonly object found_owner, values_owner
