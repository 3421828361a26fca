cimport cython
from gameplay.kernel cimport Kernel

@cython.final
cdef class ChineseCheckers(Kernel):
    cdef readonly int players, rounds
    cdef int ply                        # moves made
    cdef int[121] taken                 # by hole: a player from 1, 0: empty
    cdef unsigned long long[12] peg_bits  # by player p, as bits: holes 0 to 63 at 2 * p, the rest at 2 * p + 1
    cdef int[6] steps_left              # by player, to a full goal
    cdef int[6] weighted_steps          # the same, weighted by the evaluation
    cdef int[6] pegs_home               # by player, own pegs in the goal
    cdef int[6] filled                  # by corner, pegs of all players
    cdef int winner                     # the player with a full goal; -1: none
    cdef unsigned long long zobrist_key  # of the pegs
    cdef int[726] links                 # the neighbours of hole h: links[6 * h:6 * h + 6], -1: none
    cdef int[121] corner                # by hole: its corner; -1: none
    cdef int[6] goal                    # by player: the target corner
    cdef int[6] goal_owner              # by corner: the player whose goal it is; -1: none
    cdef int[726] tip_distances         # steps to the tip of the goal of player p: from index 121 * p
    cdef int[726] weighted_distance     # the same, weighted by the evaluation
    cdef int[6] goal_offset             # of a full goal, subtracted from weighted_steps
    cdef unsigned long long[726] zobrist  # random bits of player p on hole h: zobrist[121 * p + h]
    cdef int[121] step_stamp            # == stamp: a step of the current peg leads there
    cdef int[121] hop_stamp             # == stamp: a hop leads there
    cdef int stamp
    cdef int[128] hop_stack             # holes to continue from
    cdef int[448] sort_buffer           # scratch memory
    cdef int[34] sort_counts            # scratch memory: moves by progress
    cdef int generate(self, int goal_offset) noexcept nogil
    cdef int generate_hops(self, int goal_offset, int hole, bint inside) noexcept nogil
    cdef void sort_moves(self, int goal_offset, int end) noexcept nogil
    cdef void move_peg(self, int player, int start, int end) noexcept nogil
    cdef int rank_balance(self, int player) noexcept nogil
    cdef int remaining_distance(self, int player) noexcept nogil
