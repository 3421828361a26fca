ctypedef struct Node:
    int move                            # that leads here
    int mover                           # who moves here, once it has children
    int first, count                    # its children are nodes[first:first + count]; first 0: it has none
    int visits                          # simulations that came here, those under way among them
    int hearsay                         # simulations that played the move later: see MonteCarloSearch.echo
    bint sure                           # its value is known exactly
    double total                        # what whoever moved here got in all its visits, less the floor
    double heard                        # ... and in all of hearsay
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
    cdef Node* nodes                    # the root first
    cdef Node* copy                     # room for `spare` nodes
    cdef double* shares                 # of each node, what each player got in all its visits
    cdef double* copied
    cdef int take(self, int count) noexcept nogil
    cdef void clear(self, int node, int move) noexcept nogil
    cdef int gather(self, int root, int least)
    cdef void put(self, int to, int node)
