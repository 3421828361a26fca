from gameplay.kernel cimport Kernel

cdef class Reached:
    cdef readonly Kernel kernel
    cdef readonly long long memory      # bytes that all may take
    cdef readonly long long count       # positions found
    cdef readonly long long links       # moves found
    cdef readonly long long most        # plies of the longest win or loss
    cdef readonly dict arrays           # the memory behind the pointers, by name
    cdef unsigned long long* keys       # by place: of the position
    cdef unsigned int* starts           # ... where its successors begin
    cdef unsigned char* states          # ... see the head of the module
    cdef unsigned int* parents          # ... from where it was found first
    cdef unsigned int* after            # successors: 2 * place, + 1 if the same player moves again
    cdef unsigned int* slots            # by hash: place + 1, 0 empty
    cdef unsigned int* way              # four words of each position on the way from the start
    cdef unsigned int* heads            # by place: where its predecessors begin
    cdef unsigned int* before           # predecessors, as successors
    cdef unsigned int* queue            # decided positions, in the order of their plies; then the places by key
    cdef unsigned short* left           # successors that have not yet won for the other side
    cdef unsigned short* plies
    cdef unsigned char* results
    cdef long long room, link_room, mask, depth, deep
    cdef bint pending
    cdef long long here
    cdef long long find(self, unsigned long long key) noexcept nogil
    cdef int walk(self, Kernel kernel, long long steps) noexcept nogil
    cdef int expand(self, Kernel kernel, int base) noexcept nogil
    cdef void spread(self) noexcept nogil
    cdef void sort(self, unsigned int* order, unsigned int* spare, unsigned int* counts) noexcept nogil
