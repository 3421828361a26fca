cdef class PolledSolver:
    cdef readonly long long nodes       # positions visited in all
    cdef public object control          # polled whether to stop; None: never
    cdef public long long node_limit    # `nodes` at which to stop; 0: no limit
    cdef long long next_poll
    cdef long long interval             # maximum number of nodes between two polls
    cdef bint stopped
    cdef bint poll(self) noexcept nogil
    cdef bint stop_requested(self) noexcept nogil
