from gameplay.native.move_stack cimport MoveStack

cdef class Kernel

cdef class Estimator:
    cdef int value(self, Kernel position) noexcept nogil

cdef class Kernel(MoveStack):
    cdef public int turn
    cdef readonly int form              # index of the evaluation in `evaluations`, or ASKED
    cdef object chosen                  # the evaluation itself; None: the default
    cdef Estimator estimator            # ... in C; None: there is none
    cdef object weighed                 # the evaluation of the last weigh()
    cdef readonly int max_moves         # most moves in any position, 0: not known (the stack then grows)
    cdef readonly bint python           # the game is written in Python: its slots take the GIL
    cdef bint is_forced                 # set by gen_noisy(): the mover must answer a threat
    cdef int leaf_score                 # set by leaf()
    cdef bint opposed                   # it is for two, and what one wins the other loses
    cdef bint failed                    # a Python game raised: `error` holds what
    cdef object error
    cdef readonly list made             # moves made from Python, for unmake()
    cdef readonly object start          # the text that setup() was given, None: the game's own start
    cdef public unsigned long long lots # the state of the generator that roll() draws from
    cdef public int policy              # bits of what playouts know of good play, in the order of `policies`
    cdef double* gains                  # set by playout(): what each player gets
    cdef bint settled                   # ... if the game came to its end
    cdef int seated                     # players that `gains` has room for
    cdef public object control          # of the search that plays: its `stop` ends a playout; None: no search
    cdef int point                      # `unit`, for C
    cdef readonly bint exhausts         # gen() writes nothing where the game is over for want of moves
    cdef long long effort               # positions that solve() looked at, ever
    cdef readonly int guide             # index of the heuristic in `heuristics`
    cdef object guided                  # its name; None: the default
    cdef int generated                  # set by within(): the moves that it looked at
    cdef int beyond                     # ... and the least by which one of them was too much; 0: none was
    cdef int slice                      # set by ranked(): of which slice of positions the number is
    cdef int gen(self, int base) noexcept nogil
    cdef int gen_chances(self, int base) noexcept nogil
    cdef void push(self, int move) noexcept nogil
    cdef void pop(self, int move) noexcept nogil
    cdef int result(self) noexcept nogil
    cdef int points(self) noexcept nogil
    cdef double payoff(self, int player) noexcept nogil
    cdef int score(self) noexcept nogil
    cdef int guess(self, int player) noexcept nogil
    cdef int ask(self) noexcept nogil
    cdef int ask_for(self, int player) noexcept nogil
    cdef asked(self, int player)
    cdef apart(self, object function, tuple arguments)
    cdef unsigned long long hash(self) noexcept nogil
    cdef int roll(self, int base) noexcept nogil
    cdef int gen_policy(self, int base) noexcept nogil
    cdef int playout(self, int base, int room) noexcept nogil
    cdef bint halted(self, int made) noexcept nogil
    cdef bint stop_requested(self) noexcept nogil
    cdef unsigned long long draw(self) noexcept nogil
    cdef double share(self) noexcept nogil
    cdef int gen_noisy(self, int base) noexcept nogil
    cdef int hint(self, int move) noexcept nogil
    cdef int gain(self, int move) noexcept nogil
    cdef int exchange(self, int move) noexcept nogil
    cdef int history_index(self, int move) noexcept nogil
    cdef bint threatened(self) noexcept nogil
    cdef bint threatens(self, int move) noexcept nogil
    cdef int gen_threats(self, int base) noexcept nogil
    cdef bint repeated(self) noexcept nogil
    cdef bint null_move(self) noexcept nogil
    cdef void undo_null_move(self) noexcept nogil
    cdef int near(self) noexcept nogil
    cdef int solve(self, int alpha, int beta) noexcept nogil
    cdef int pieces(self) noexcept nogil
    cdef bint unranked(self, int slice, int number) noexcept nogil
    cdef int ranked(self) noexcept nogil
    cdef int gen_before(self, int base) noexcept nogil
    cdef int orbit(self) noexcept nogil
    cdef int patience(self) noexcept nogil
    cdef bint leaf(self, int move) noexcept nogil
    cdef void read_cells(self, unsigned char* codes) noexcept nogil
    cdef int price(self, int move) noexcept nogil
    cdef int remaining(self) noexcept nogil
    cdef bint undoes(self, int last, int move) noexcept nogil
    cdef int within(self, int base, int room, int last) noexcept nogil
    cdef int advance(self, int move, int base, int room) noexcept nogil
    cdef long long leaves(self, int base, int depth) noexcept nogil
    cpdef seat(self)
