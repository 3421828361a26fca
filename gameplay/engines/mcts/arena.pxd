from gameplay.search.control cimport Control

ctypedef struct Tally:                  # of each node, what selection looks at: small, for it waits for memory
    double mean                         # payoff of the player who moved here in its visits, less the floor
    double inv_sqrt                     # 1 / sqrt(visits), 1 before the first
    int visits                          # simulations that came here, those under way among them
    bint dominated                      # it brings no more than what another move is sure to bring

ctypedef struct Node:
    int move                            # that leads here
    int mover                           # who moves here, once it has children
    int first, count                    # its children are nodes[first:first + count]; first 0: it has none
    int amaf_visits                     # simulations that played the move later: see mcts/backup.py;
                                        # of infosets: in which it was legal, see InfosetSearch.admit
    bint proven                         # its value is known exactly
    double amaf_sum                     # payoff of the player who moved here in all of these, less the floor; of
                                        # infosets: the sum of the squares of what they got in the visits
    double odds                         # of the move where chance made it; else what is thought of it, 0 to 1
    double low, high                    # between these lies what the first player gets

cdef class Arena:
    cdef readonly long long memory      # bytes, with the room to copy what is kept
    cdef readonly int players           # that `shares` holds numbers for, 0: none
    cdef readonly int trims             # how often it was full
    cdef readonly int least             # visits below which a node gets no children: set when it was full
    cdef readonly bint full
    cdef public long long claimed       # simulations of this search that its threads have begun or will
    cdef readonly int used, room, spare
    cdef object owner, tallied          # the memory of `nodes` and of `tallies`
    cdef Tally* tallies
    cdef Node* nodes                    # the root first
    cdef Node* copy                     # room for `spare` nodes, and their tallies
    cdef Tally* copied_tallies
    cdef double* shares                 # of each node, what each player got in all its visits
    cdef double* copied
    cdef int allocate(self, int count) noexcept nogil
    cdef void clear(self, int node, int move) noexcept nogil
    cdef bint keep(self, int root, int least, Control control) except -1
    cdef int gather(self, int root, int least, Control control) noexcept nogil
    cdef void put(self, int to, int node) noexcept nogil
