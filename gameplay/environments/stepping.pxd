from gameplay.kernel cimport Kernel

cdef class BatchLayout:
    cdef readonly int players, count
    cdef int kind, low, shift, high, length, cells, marks, steps
    cdef readonly int codes
    cdef bint win_loss
    cdef double illegal_reward
    cdef object keys_owner, numbers_owner
    cdef int* keys
    cdef int* numbers
    cdef public object new_kernel, legal, observe
    cdef int number(self, int move) noexcept nogil

cdef class GameBatch:
    cdef readonly BatchLayout layout
    cdef readonly list kernels
    cdef int size
    cdef list histories, legals
    cdef object steps_owner, rng_states_owner
    cdef int* steps
    cdef unsigned long long* rng_states
    cdef int step_game(self, int game, long long action, signed char* lasts, double* gain, int* fact) except -1
    cdef void add_payoffs(self, Kernel kernel, int base, double* gain) noexcept
    cdef int find_move(self, int game, Kernel kernel, long long action) except -2
    cdef int make_chance_moves(self, int game, Kernel kernel) except -1
    cdef int restart(self, int game) except -1
    cdef int write_next(self, int game, signed char* mask, signed char* planes, int* fact) except -1
    cdef int draw_planes(self, Kernel kernel, signed char* planes, int game) except -1

cdef object position_of(Kernel kernel)
cdef int draw_cells(Kernel kernel, signed char* planes, long long place, int cells, int codes, int marks) except -1
