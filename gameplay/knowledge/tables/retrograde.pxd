from gameplay.kernel cimport Kernel

cdef class Retrograde:
    cdef readonly Kernel kernel
    cdef readonly int own_count         # slices to solve; the slices that they lead to follow
    cdef int count                      # all slices
    cdef int last_found                 # index of the slice that find() returned last
    cdef int[512] slices
    cdef readonly list spans            # by slice: its count of numbers
    cdef long long[512] starts          # by slice: where its codes begin
    cdef readonly object codes          # array of unsigned short: the code of each number
    cdef readonly object remaining      # bytearray: successors that are not known to be won for the opponent
    cdef unsigned short* code
    cdef unsigned char* counters
    cdef long long[1024] neighbours     # scratch: indices of neighbours
    cdef readonly int max_code          # greatest code assigned
    cdef readonly int error             # index of ERRORS
    cdef int find(self, int slice) noexcept nogil
    cdef int examine_successors(self, Kernel kernel, int own_index, int number, bint include_own) noexcept nogil
    cdef int init_numbers(self, Kernel kernel, int own_index, int first, int stop) noexcept nogil
    cdef long long propagate(self, Kernel kernel, int own_index, int first, int stop, int level) noexcept nogil
    cdef int verify_range(self, Kernel kernel, int own_index, int first, int stop) noexcept nogil
    cdef void count_up(self, Kernel kernel, int own_index, int first, int stop, long long* totals) noexcept nogil
    cdef int min_lost, max_won, neighbour_count
    cdef bint has_drawn
