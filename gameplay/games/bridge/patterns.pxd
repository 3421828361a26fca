cimport cython

ctypedef unsigned long long Owners      # who has the highest cards of two suits, 2 bits a card, 32 bits a suit

cdef struct Pattern:
    Owners first, second                # of clubs and diamonds, of hearts and spades; zero where not covered
    Owners cover, cover_second          # ones where they count
    int below                           # where the block of the narrower patterns begins
    int count                           # how many they are
    signed char room                    # the block has room for 2**room; -1: there is none
    signed char low, high               # the tricks of players 0 and 2, at least and at most

@cython.final
cdef class TrickBounds:
    cdef Pattern* at
    cdef int* heads                     # by hash of the shape: its root, or another one
    cdef object owner                   # of the memory of both
    cdef object heads_owner
    cdef int[32] spare                  # by room: a block not used any more, and from each the next in `below`
    cdef int size                       # 2**size patterns
    cdef readonly int used              # the first so many have been used
    cdef bint full                      # a pattern was left out

    cdef void wipe(self) noexcept nogil
    cdef int root(self, Owners shape) noexcept nogil
    cdef int add_root(self, Owners shape) noexcept nogil
    cdef int find(self, Owners shape, Owners first, Owners second, int need) noexcept nogil
    cdef int match(self, int parent, Owners first, Owners second, int need) noexcept nogil
    cdef void keep(self, Owners shape, Owners first, Owners second, Owners cover, Owners cover_second, int low, int high) noexcept nogil
    cdef bint fits(self, int i, int j) noexcept nogil
    cdef void insert(self, int parent) noexcept nogil
    cdef void narrow(self, int i, int low, int high) noexcept nogil
    cdef bint same(self, int i, int j) noexcept nogil
    cdef void append(self, int parent, int i) noexcept nogil
    cdef void remove(self, int parent, int i) noexcept nogil
    cdef void hoist(self, int parent, int i) noexcept nogil
    cdef void copy(self, int to, int i) noexcept nogil
    cdef int block(self, int room) noexcept nogil
    cdef void release(self, int block, int room) noexcept nogil
