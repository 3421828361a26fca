from gameplay.kernel cimport Kernel

cdef int move_score(Kernel kernel, int move) noexcept nogil
cdef int continuation_index(int last, int index) noexcept nogil
cdef int apply_gravity(int score, int bonus) noexcept nogil

cdef class Ordering:
    cdef readonly bint keeps_order          # moves stay in the order of generation
    cdef readonly bint uses_see             # captures that lose material by SEE come last
    cdef readonly bint uses_previous_move   # countermoves or continuation history
    cdef bint random, evaluation, hint, killer, countermove, history, continuation
    cdef object seed
    cdef unsigned long long rng_state
    cdef int* killers                       # two per ply
    cdef int* countermoves                  # by player and history index of the previous move
    cdef int* continuation_scores           # by `continuation_index`
    cdef int* history_scores                # by player and history index
    cdef void sort(self, Kernel kernel, int base, int end, int ply, int first, int last) noexcept nogil
    cdef void score_moves(self, Kernel kernel, int base, int end, int ply, int first, int last) noexcept nogil
    cdef int reason(self, Kernel kernel, int ply, int move, int weight, int last) noexcept nogil
    cdef int pick(self, Kernel kernel, int at, int end) noexcept nogil
    cdef void record_cutoff(self, int ply, int move, int last) noexcept nogil
    cdef void update_history(self, Kernel kernel, int mover, int depth, int move, int last) noexcept nogil
    cdef void adjust_history(self, Kernel kernel, int mover, int move, int bonus, int last) noexcept nogil
