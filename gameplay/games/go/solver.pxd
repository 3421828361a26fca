cimport cython

from gameplay.games.go.bitboard cimport GoBitboard, Points

@cython.final
cdef class GoSolver(GoBitboard):
    cdef readonly long long nodes       # positions visited in total
    cdef public bint stopped            # set to end the search
    cdef public object control          # polled whether to stop, see capabilities.StopSignal
    cdef public long long node_limit    # `nodes` at which to stop; 0: no limit
    cdef long long next_poll            # `nodes` at the next poll

    # the table: buckets of four entries, each a key with its work, and phi and delta
    cdef readonly object table
    cdef unsigned long long* entries
    cdef int size                       # 2**size entries
    cdef public bint path_results       # the table has results valid on one path only
    cdef public bint line_too_long      # a line has exceeded MAX_PLIES since it was cleared

    # initial numbers of new positions
    cdef unsigned int[512] proofs       # by the weighted sum of features
    cdef unsigned int[512] disproofs

    # the question, and the line that is searched
    cdef object question                # attacker, margin, superko
    cdef int first                      # 1 if the other side moves first
    cdef int margin
    cdef bint superko
    cdef int required_points            # points that the attacker needs
    cdef int past_count                 # boards before the root
    cdef Points[512] past_attackers
    cdef Points[512] past_defenders
    cdef Points[128] attackers          # the attacker's stones, by ply
    cdef Points[128] defenders
    cdef Points[128] ko                 # where ko forbids recapture
    cdef bint[128] passed               # whether the last move was a pass
    cdef unsigned long long[128] line_keys  # the keys of its positions
    cdef unsigned long long[128] path_hash  # of the positions before it
    cdef Points[128] pruned             # stones that the other side keeps after all pruned moves
    cdef unsigned long long[4096] next_key  # of the position after each move
    cdef int[4096] next_symmetry
    cdef unsigned int[4096] phi         # after each move: the proof number of the side to move
    cdef unsigned int[4096] delta       # ... of the other side
    cdef bint[4096] solved              # whether one of them is 0
    cdef int[4096] dependency_ply       # ... then: the lowest ply that the result depends on
    cdef Points[4096] kept_stones       # ... and the stones that the winner keeps
    cdef unsigned int result_phi        # the same for the position visited last
    cdef unsigned int result_delta
    cdef int result_ply
    cdef Points result_stones
    cdef int[32] threats

    cdef unsigned long long path_key(self, int ply, Points attackers, Points defenders, Points ko, bint passed) noexcept nogil
    cdef long probe(self, unsigned long long key) noexcept nogil
    cdef void store(self, unsigned long long key, unsigned int phi, unsigned int delta, long long work) noexcept nogil
    cdef void init_proof_numbers(self, int number, bint mover) noexcept nogil
    cdef void mark_solved(self, int number, bint won, int dependency_ply) noexcept nogil
    cdef int generate_moves(self, int ply, bint mover) noexcept nogil
    cdef void copy(self, int source, int target) noexcept nogil
    cdef int position_repetition(self, int ply, int number) noexcept nogil
    cdef int board_repetition(self, int ply, int number, bint mover) noexcept nogil
    cdef bint may_repeat(self, int ply, Points kept_stones, int side) noexcept nogil
    cdef bint is_sound(self, int ply, int number, int side) noexcept nogil
    cdef void poll(self) noexcept nogil
    cdef void probe_child(self, int ply, int number, bint mover, bint new) noexcept nogil
    cdef void visit(self, int ply, unsigned int phi_limit, unsigned int delta_limit) noexcept nogil
