from gameplay.kernel cimport Kernel

cdef class Ordering:
    cdef readonly bint idle             # leaves every order as it is
    cdef bint random, evaluation, killer, history
    cdef unsigned long long state       # of the random generator
    cdef int* killers                   # two a ply
    cdef int* gains                     # history: by mover and move
    cdef void arrange(self, Kernel kernel, int base, int end, int ply, int first) noexcept nogil
    cdef void sort(self, Kernel kernel, int base, int end) noexcept nogil
    cdef int promise(self, Kernel kernel, int move) noexcept nogil
    cdef void reward(self, int mover, int ply, int depth, int move) noexcept nogil
