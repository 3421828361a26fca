cimport cython
from gameplay.kernel cimport Kernel
from gameplay.search.root cimport RootSearch

cdef unsigned long long mix_key(unsigned long long key) noexcept nogil

@cython.final
cdef class PnsSearch(RootSearch):
    cdef unsigned long long* entries    # pairs: key, numbers
    cdef object owner                   # keeps the memory of `entries` alive
    cdef int size                       # 2**size pairs
    # By index on the move stack; views of `owners`.
    cdef unsigned int* phi              # after the move, phi and delta for the player who makes it
    cdef unsigned int* delta
    cdef unsigned int* details          # ... and the detail of a decided position, see pns.py
    cdef list owners
    cdef int attacker                   # whose win is to be proved
    cdef unsigned long long salt        # separates the entries of the two attackers
    cdef unsigned long long[256] path   # keys of the positions on the path, by ply
    cdef unsigned short[4096] path_counts  # number of them by the low bits of the key
    cdef unsigned long long path_key    # the sum of their mixed keys
    cdef bint path_dependent            # a disproof of this search depends on the path
    cdef bint counts_moves              # a move counter can draw the game
    cdef bint restricted                # not all moves of the root are searched
    cdef bint truncated                 # a line was cut at the depth limit
    cdef int max_depth                  # plies
    cdef int best_index                 # most-proving move of the root
    cdef bint mobility, weak            # options
    cdef int stack_end                  # first free index of the move stack
    cdef double min_gain                # smallest gain of the attacker at a won leaf
    cdef int reason                     # of the numbers set last, see `search.trace`
    cdef int root_count                 # moves of the root that were searched
    cdef unsigned int proof, disproof, detail  # of the position visited or looked up last
    cdef long long root_proof, root_disproof
    cdef bint lookup(self, unsigned long long key) noexcept nogil
    cdef void store(self, unsigned long long key, long long work) noexcept nogil
    cdef int path_ply(self, unsigned long long key, int ply) noexcept nogil
    cdef void set_decided(self, bint won, unsigned int detail) noexcept nogil
    cdef void set_numbers(self, Kernel kernel, int ply) noexcept nogil
    cdef void init_child(self, Kernel kernel, int i, int ply, bint attacking) noexcept nogil
    cdef void visit(self, Kernel kernel, int base, int ply, unsigned int proof_limit, unsigned int disproof_limit) noexcept nogil
    cdef void emit(self, int what, int ply, int move, int mover, int why, unsigned int proof, unsigned int disproof, unsigned int second) noexcept nogil
    cdef void emit_generated(self, Kernel kernel, int ply, int move) noexcept nogil
    cdef void emit_leave(self, Kernel kernel, int ply, int move) noexcept nogil
