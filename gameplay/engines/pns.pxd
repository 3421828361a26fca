cimport cython
from gameplay.kernel cimport Kernel
from gameplay.search.root cimport RootSearch

cdef unsigned long long mixed(unsigned long long here) noexcept nogil

@cython.final
cdef class PnsSearch(RootSearch):
    cdef unsigned long long* entries    # pairs: key, numbers
    cdef object owner                   # of their memory
    cdef int size                       # 2**size pairs
    cdef unsigned int* one              # beside each move on the stack: what its mover has left to prove after it
    cdef unsigned int* two              # ... and to disprove
    cdef unsigned int* more             # ... of what is decided, see `more` below
    cdef list owners                    # of their memory
    cdef int attacker                   # who is to be shown to win
    cdef unsigned long long salt        # so that answers to one question are none to the other
    cdef unsigned long long[256] line   # the positions on the path, by ply
    cdef unsigned short[4096] met       # how many of them have keys that end alike
    cdef unsigned long long way         # the sum of their keys, mixed
    cdef bint ways                      # something depends on the path
    cdef bint counts                    # the game draws by counting moves
    cdef bint narrowed                  # the root has not all its moves
    cdef bint broken                    # the search came deeper than it goes
    cdef int deepest                    # plies to look ahead at most
    cdef int leading                    # the move of the root that counts
    cdef bint mobility, weak            # options
    cdef int free                       # where the move stack is free
    cdef double margin                  # the least that the attacker gets where they were seen to win
    cdef int reason                     # why the numbers found last are what they are, see `search.trace`
    cdef int width                      # moves of the root that were looked at
    cdef unsigned int proof, disproof   # of the position that was visited or found last
    cdef unsigned int rest              # what is `more` of it
    cdef readonly int claimant          # what watchers read: who is to be shown to win, and how much is left
    cdef readonly long long left_to_prove, left_to_disprove
    cdef bint find(self, unsigned long long key) noexcept nogil
    cdef void keep(self, unsigned long long key, long long work) noexcept nogil
    cdef int since(self, unsigned long long here, int ply) noexcept nogil
    cdef void decide(self, bint won, unsigned int rest) noexcept nogil
    cdef void judge(self, Kernel kernel, int ply) noexcept nogil
    cdef void look(self, Kernel kernel, int i, int ply, bint attacking) noexcept nogil
    cdef void visit(self, Kernel kernel, int base, int ply, unsigned int most_proof, unsigned int most_disproof) noexcept nogil
    cdef void emit(self, int what, int ply, int move, int mover, int why, unsigned int proof, unsigned int disproof, unsigned int second) noexcept nogil
    cdef void emit_generated(self, Kernel kernel, int ply, int move) noexcept nogil
    cdef void emit_left(self, Kernel kernel, int ply, int move) noexcept nogil
