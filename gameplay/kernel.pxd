from gameplay.native.move_stack cimport MoveStack

cdef class Kernel

cdef class Estimator:
    cdef int value(self, Kernel position) noexcept nogil

cdef class Kernel(MoveStack):
    cdef public int turn
    cdef readonly int evaluation_index  # of the selected evaluation in `evaluations`, or USER_DEFINED
    cdef object selected_evaluation     # the evaluation itself; None: the default
    cdef Estimator estimator            # the evaluation compiled to C; None: it is written in Python
    cdef object loaded_evaluation       # argument of the last load_weights()
    cdef readonly int max_moves         # upper bound of the number of moves; 0: unknown (the stack then grows)
    cdef readonly bint python           # the game is written in Python: its slots take the GIL
    cdef bint is_forced                 # set by gen_noisy(): the mover must answer a threat
    cdef int leaf_score                 # set by leaf()
    cdef bint two_player_zero_sum
    cdef bint failed                    # Python code of the game raised the exception `error`
    cdef object error
    cdef readonly list made             # moves made from Python, for unmake()
    cdef readonly object start          # text that setup() was given; None: the game's initial position
    cdef public unsigned long long rng_state # of the random generator, see random_bits()
    cdef public int policy              # bit mask of the heuristics in `policies` that playouts use
    cdef double* gains                  # set by playout(): the payoff of each player
    cdef bint finished                  # set by playout(): the game ended, and `gains` is valid
    cdef int gains_size                 # number of players that `gains` is allocated for
    cdef public object control          # of the current search: its `stop` ends a playout; None: no search
    cdef int c_unit                     # `unit`, as a C int
    cdef readonly bint empty_when_over  # gen() writes no moves in a finished game
    cdef long long solver_nodes         # positions that solve() has visited in total
    cdef readonly int heuristic_index   # of the selected heuristic in `heuristics`
    cdef object selected_heuristic      # its name; None: the default
    cdef int generated                  # set by gen_within(): number of moves generated
    cdef int excess                     # set by gen_within(): least excess of a pruned move over the bound; 0: none
    cdef int slice                      # set by rank(): the slice that the index belongs to
    cdef int gen(self, int base) noexcept nogil
    cdef int gen_chances(self, int base) noexcept nogil
    cdef void push(self, int move) noexcept nogil
    cdef void pop(self, int move) noexcept nogil
    cdef int result(self) noexcept nogil
    cdef int points(self) noexcept nogil
    cdef double payoff(self, int player) noexcept nogil
    cdef int score(self) noexcept nogil
    cdef int score_for(self, int player) noexcept nogil
    cdef int user_score(self) noexcept nogil
    cdef int user_score_for(self, int player) noexcept nogil
    cdef call_evaluation(self, int player)
    cdef call_python(self, object function, tuple arguments)
    cdef unsigned long long hash(self) noexcept nogil
    cdef int push_random(self, int base) noexcept nogil
    cdef int gen_policy(self, int base) noexcept nogil
    cdef int playout(self, int base, int limit) noexcept nogil
    cdef bint halted(self, int made) noexcept nogil
    cdef bint stop_requested(self) noexcept nogil
    cdef unsigned long long random_bits(self) noexcept nogil
    cdef double random_unit(self) noexcept nogil
    cdef int gen_noisy(self, int base) noexcept nogil
    cdef int hint(self, int move) noexcept nogil
    cdef int gain(self, int move) noexcept nogil
    cdef int see(self, int move) noexcept nogil
    cdef int history_index(self, int move) noexcept nogil
    cdef bint is_threatened(self) noexcept nogil
    cdef bint threatens(self, int move) noexcept nogil
    cdef int gen_threats(self, int base) noexcept nogil
    cdef bint is_repeated(self) noexcept nogil
    cdef bint null_move(self) noexcept nogil
    cdef void undo_null_move(self) noexcept nogil
    cdef int moves_left(self) noexcept nogil
    cdef int solve(self, int alpha, int beta) noexcept nogil
    cdef int pieces(self) noexcept nogil
    cdef bint unrank(self, int slice, int index) noexcept nogil
    cdef int rank(self) noexcept nogil
    cdef int gen_before(self, int base) noexcept nogil
    cdef int orbit_size(self) noexcept nogil
    cdef int plies_to_draw(self) noexcept nogil
    cdef bint leaf(self, int move) noexcept nogil
    cdef void read_cells(self, unsigned char* codes) noexcept nogil
    cdef int price(self, int move) noexcept nogil
    cdef int remaining(self) noexcept nogil
    cdef bint is_inverse(self, int last, int move) noexcept nogil
    cdef int gen_within(self, int base, int bound, int last) noexcept nogil
    cdef int push_within(self, int move, int base, int bound) noexcept nogil
    cdef long long leaves(self, int base, int depth) noexcept nogil
    cpdef allocate_gains(self)
