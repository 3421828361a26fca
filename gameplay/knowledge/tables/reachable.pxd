from gameplay.kernel cimport Kernel

cdef class ReachableGraph:
    cdef readonly Kernel kernel
    cdef readonly long long memory          # maximum bytes of all arrays
    cdef readonly long long count           # positions found
    cdef readonly long long links           # moves found
    cdef readonly long long max_plies       # plies of the longest win or loss
    cdef readonly dict arrays               # the memory behind the pointers, by name
    cdef unsigned long long* keys           # by place: key of the position
    cdef unsigned int* starts               # by place: where its successors begin
    cdef unsigned char* states              # by place: see the head of the module
    cdef unsigned int* parents              # by place: the position that led to it first
    cdef unsigned int* successors           # 2 * place, + 1 if the same player moves again
    cdef unsigned int* slots                # by hash: place + 1, 0 empty
    cdef unsigned int* frames               # four words for each position on the path from the start
    cdef unsigned int* predecessor_starts   # by place: where its predecessors begin
    cdef unsigned int* predecessors         # encoded as successors
    cdef unsigned int* queue                # decided positions in order of plies; then the places by key
    cdef unsigned short* remaining          # by place: successors that are not known to be won for the opponent
    cdef unsigned short* plies
    cdef unsigned char* results
    cdef long long room, link_room, mask, depth, frame_room
    cdef bint pending
    cdef long long current
    cdef long long find(self, unsigned long long key) noexcept nogil
    cdef int walk(self, Kernel kernel, long long steps) noexcept nogil
    cdef int expand(self, Kernel kernel, int base) noexcept nogil
    cdef void propagate(self) noexcept nogil
    cdef void sort(self, unsigned int* order, unsigned int* spare, unsigned int* counts) noexcept nogil
