cimport cython

ctypedef unsigned long long Owners      # owners of the highest cards of two suits: 2 bits a card, 32 bits a suit

cdef struct Pattern:
    Owners first, second                # of clubs and diamonds, of hearts and spades; zero where not covered
    Owners cover, cover_second          # ones where they count
    int children                        # index of the first child
    int count                           # number of children
    signed char log2_capacity           # of the block of children; -1: no block
    signed char lower, upper            # bounds of the tricks of players 0 and 2

@cython.final
cdef class TrickBounds:
    cdef Pattern* entries
    cdef int* buckets                   # by hash of the shape: the first root of its chain
    cdef object owner                   # of the memory of both
    cdef object buckets_owner
    cdef int[32] free_blocks            # by size: a linked list of free blocks (`children` is the next)
    cdef int size                       # 2**size patterns
    cdef readonly int used              # patterns allocated so far
    cdef bint full                      # a pattern was left out

    cdef void clear(self) noexcept nogil
    cdef int find_root(self, Owners shape) noexcept nogil
    cdef int add_root(self, Owners shape) noexcept nogil
    cdef int probe(self, Owners shape, Owners first, Owners second, int need) noexcept nogil
    cdef int match(self, int parent, Owners first, Owners second, int need) noexcept nogil
    cdef void store(self, Owners shape, Owners first, Owners second, Owners cover, Owners cover_second, int lower, int upper) noexcept nogil
    cdef bint is_contained(self, int i, int j) noexcept nogil
    cdef void insert(self, int parent) noexcept nogil
    cdef void narrow(self, int i, int lower, int upper) noexcept nogil
    cdef bint same_bounds(self, int i, int j) noexcept nogil
    cdef void append(self, int parent, int i) noexcept nogil
    cdef void remove(self, int parent, int i) noexcept nogil
    cdef void move_children(self, int parent, int i) noexcept nogil
    cdef void copy(self, int to, int i) noexcept nogil
    cdef int allocate_block(self, int log2_capacity) noexcept nogil
    cdef void free_block(self, int block, int log2_capacity) noexcept nogil
