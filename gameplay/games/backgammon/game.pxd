from gameplay.games.backgammon.evaluation cimport BackgammonEvaluation
from gameplay.games.backgammon.layout cimport *
from gameplay.games.backgammon.match_play cimport BackgammonMatch

cdef int round_half_up(double value) noexcept nogil

cdef class Backgammon(BackgammonMatch):
    cdef object turn_names                # (hash, steps by move, moves by name) of the last position
    cdef BackgammonEvaluation evaluator
    cdef double mean_payoff(self, int player, int cube) noexcept nogil
    cdef void play(self, int move) noexcept nogil
