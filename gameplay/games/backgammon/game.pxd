from gameplay.games.backgammon.evaluation cimport BackgammonEvaluation
from gameplay.games.backgammon.layout cimport *
from gameplay.games.backgammon.match_play cimport BackgammonMatch

cdef int rounded(double worth) noexcept nogil

cdef class Backgammon(BackgammonMatch):
    cdef object spelled                 # the turns of one position, by their words
    cdef BackgammonEvaluation valuer
    cdef void play(self, int move) noexcept nogil
