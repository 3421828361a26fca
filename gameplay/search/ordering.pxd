from gameplay.kernel cimport Kernel

cdef int move_score(Kernel kernel, int move) noexcept nogil
cdef int drawn(int gain, int bonus) noexcept nogil

cdef class Ordering:
    cdef readonly bint idle             # leaves every order as it is
    cdef readonly bint exchanges        # of the moves that gain, those that lose in the exchange come last
    cdef readonly bint answers          # the order asks which move was answered
    cdef bint random, evaluation, hint, killer, countermove, history, continuation
    cdef unsigned long long state       # of the random generator
    cdef int* killers                   # two a ply
    cdef int* counters                  # countermoves: by mover and the place of the move answered
    cdef int* pairs                     # continuation: by the place of the move answered and that of the answer
    cdef int* gains                     # history: by mover and place
    cdef void sort(self, Kernel kernel, int base, int end, int ply, int first, int last) noexcept nogil
    cdef void score_moves(self, Kernel kernel, int base, int end, int ply, int first, int last) noexcept nogil
    cdef int reason(self, Kernel kernel, int ply, int move, int weight, int last) noexcept nogil
    cdef int pick(self, Kernel kernel, int at, int end) noexcept nogil
    cdef void record_cutoff(self, int ply, int move, int last) noexcept nogil
    cdef void update_history(self, Kernel kernel, int mover, int depth, int move, int last) noexcept nogil
    cdef void adjust_history(self, Kernel kernel, int mover, int move, int bonus, int last) noexcept nogil
