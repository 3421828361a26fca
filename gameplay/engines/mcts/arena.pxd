from gameplay.search.control cimport Control

ctypedef struct Tally:                  # the part of a node that selection reads: small, to fit in the cache
    double mean                         # mean payoff of the player who moved here, minus the floor
    double inv_sqrt                     # 1 / sqrt(visits), 1 before the first
    int visits                          # simulations through the node, including those in progress
    bint dominated                      # proved to be no better than another move

ctypedef struct Node:
    int move                            # the move that leads here
    int mover                           # the player to move here, once it has children
    int first, count                    # its children are nodes[first:first + count]; first 0: none
    int amaf_visits                     # simulations that played the move later: see mcts/backup.py;
                                        # ismcts: in which it was legal, see InfosetSearch.ensure_children
    bint proven                         # its value is known exactly
    double amaf_sum                     # sum of payoffs in amaf_visits of the player who moved here, less the
                                        # floor; ismcts: sum of squared payoffs in the visits
    double odds                         # after chance its probability, else its prior, 0 to 1
    double low, high                    # bounds of the first player's payoff

cdef class Arena:
    cdef readonly long long memory      # bytes, including the copy
    cdef readonly int players           # numbers per node in `shares`, 0: none
    cdef readonly int trims             # number of times it was trimmed
    cdef readonly int min_visits        # a node with fewer visits gets no children: set by trimming
    cdef readonly bint full
    cdef public long long claimed       # simulations of this search that its threads have claimed
    cdef readonly int node_count, capacity, copy_capacity
    cdef object owner, tally_owner      # keep the memory of `nodes` and `tallies` alive
    cdef Tally* tallies
    cdef Node* nodes                    # the root first
    cdef Node* copy                     # `copy_capacity` nodes, and their tallies
    cdef Tally* copied_tallies
    cdef double* shares                 # by node and player: sum of payoffs
    cdef double* copied_shares
    cdef int allocate(self, int count) noexcept nogil
    cdef void clear(self, int node, int move) noexcept nogil
    cdef bint compact(self, int root, int min_visits, Control control) except -1
    cdef int copy_subtree(self, int root, int min_visits, Control control) noexcept nogil
    cdef void copy_node(self, int to, int node) noexcept nogil
