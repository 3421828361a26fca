from gameplay.kernel cimport Kernel

cdef class Retrograde:
    cdef readonly Kernel kernel
    cdef readonly int own               # slices to solve; those that they lead to follow
    cdef int count                      # all of them
    cdef int found                      # the slice that find() found last
    cdef int[512] slices
    cdef readonly list spans            # the numbers in each
    cdef long long[512] starts          # where the codes of each begin
    cdef readonly object codes          # array of unsigned short: what is known of each number
    cdef readonly object left           # bytearray: successors that have not yet won for the other side
    cdef unsigned short* code
    cdef unsigned char* rest
    cdef long long[1024] seen           # scratch: places of neighbours
    cdef readonly int top               # the greatest code there is
    cdef readonly int bad               # what was wrong, see FAULTS
    cdef int find(self, int slice) noexcept nogil
    cdef int gather(self, Kernel kernel, int own, int number, bint whole) noexcept nogil
    cdef int look(self, Kernel kernel, int own, int first, int stop) noexcept nogil
    cdef long long spread(self, Kernel kernel, int own, int first, int stop, int level) noexcept nogil
    cdef int check(self, Kernel kernel, int own, int first, int stop) noexcept nogil
    cdef void count_up(self, Kernel kernel, int own, int first, int stop, long long* totals) noexcept nogil
    cdef int quick, slow, kept
    cdef bint open
