cimport cython

from gameplay.games.go.bitboard cimport GoBitboard, Points

@cython.final
cdef class GoSolver(GoBitboard):
    cdef readonly long long nodes       # positions visited, ever
    cdef public bint stopped            # setting it ends the search
    cdef public object control          # polled whether to stop, see capabilities.StopSignal
    cdef public long long most          # `nodes` at which it stops; 0: none
    cdef long long next_poll            # `nodes` at which that is looked at again

    # the table: buckets of four, each a key with the work it took, and two numbers
    cdef readonly object table
    cdef unsigned long long* entries
    cdef int size                       # 2**size entries
    cdef public bint path_results       # whether it has results that hold on one path only
    cdef public bint cut                # whether a line was longer than PLIES since it was cleared

    # how far new positions are judged to be
    cdef unsigned int[512] proofs       # by the sum that they weigh
    cdef unsigned int[512] disproofs

    # what is to be shown, and the line that is being searched
    cdef object asked                   # by which side and how much
    cdef int first                      # 1 if the other side moves first
    cdef int margin
    cdef bint superko
    cdef int need                       # points that the attacker has to keep
    cdef int past                       # boards before the root
    cdef Points[512] past_attackers
    cdef Points[512] past_defenders
    cdef Points[128] attackers          # the attacker's stones, by ply
    cdef Points[128] defenders
    cdef Points[128] ko                 # where ko forbids recapture
    cdef bint[128] passed               # whether the last move was a pass
    cdef unsigned long long[128] here   # the position's key
    cdef unsigned long long[128] path_hash  # of the positions before it
    cdef Points[128] pruned             # stones that the other side keeps after all moves that were left out
    cdef unsigned long long[4096] next_key  # of the position after each move
    cdef int[4096] next_symmetry
    cdef unsigned int[4096] one         # after each, how far the side to move is from its goal
    cdef unsigned int[4096] two         # ... and how far the other side
    cdef bint[4096] settled             # whether one of them is 0
    cdef int[4096] low                  # ... and the lowest ply that this hangs on
    cdef Points[4096] kept              # ... and the stones that the winner keeps
    cdef unsigned int found_one         # the same of the position that was searched last
    cdef unsigned int found_two
    cdef int found_low
    cdef Points found_kept
    cdef int[32] threats

    cdef unsigned long long path_key(self, int ply, Points attackers, Points defenders, Points ko, bint passed) noexcept nogil
    cdef long find(self, unsigned long long key) noexcept nogil
    cdef void note(self, unsigned long long key, unsigned int one, unsigned int two, long long work) noexcept nogil
    cdef void judge(self, int number, bint mover) noexcept nogil
    cdef void decide(self, int number, bint won, int low) noexcept nogil
    cdef int gather(self, int ply, bint mover) noexcept nogil
    cdef void copy(self, int source, int target) noexcept nogil
    cdef int since(self, int ply, int number) noexcept nogil
    cdef int repeated(self, int ply, int number, bint mover) noexcept nogil
    cdef bint clashes(self, int ply, Points kept, int side) noexcept nogil
    cdef bint stands(self, int ply, int number, int side) noexcept nogil
    cdef void poll(self) noexcept nogil
    cdef void look(self, int ply, int number, bint mover, bint new) noexcept nogil
    cdef void visit(self, int ply, unsigned int most_one, unsigned int most_two) noexcept nogil
