from gameplay.kernel cimport Kernel

cdef class ReachableGraph:
    cdef readonly Kernel kernel
    cdef readonly long long memory          # maximum bytes of all arrays
    cdef readonly long long count           # positions found
    cdef readonly long long links           # moves found
    cdef readonly long long max_plies       # plies of the longest win or loss
    cdef readonly dict arrays               # the memory behind the pointers, by name
    cdef unsigned long long* keys           # by index: key of the position
    cdef unsigned int* starts               # by index: where its successors begin
    cdef unsigned char* states              # by index: see the head of the module
    cdef unsigned int* parents              # by index: the position that led to it first
    cdef unsigned int* successors           # 2 * index, + 1 if the same player moves again
    cdef unsigned int* slots                # by hash: index + 1, 0 empty
    cdef unsigned int* frames               # four words for each position on the path from the start
    cdef unsigned int* predecessor_starts   # by index: where its predecessors begin
    cdef unsigned int* predecessors         # encoded as successors
    cdef unsigned int* queue                # decided positions in order of plies; then the indices by key
    cdef unsigned short* remaining          # by index: successors that are not known to be won for the opponent
    cdef unsigned short* plies
    cdef unsigned char* results
    cdef long long capacity, link_capacity, mask, depth, frame_capacity
    cdef bint pending
    cdef long long current
    cdef long long find(self, unsigned long long key) noexcept nogil
    cdef int walk(self, Kernel kernel, long long steps) noexcept nogil
    cdef int expand(self, Kernel kernel, int base) noexcept nogil
    cdef void propagate(self) noexcept nogil
    cdef void radix_sort(self, unsigned int* order, unsigned int* spare, unsigned int* counts) noexcept nogil
