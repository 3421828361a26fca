cdef class PolledSolver:
    cdef readonly long long nodes       # positions visited so far
    cdef public object control          # polled for a stop; None: none
    cdef public long long most          # `nodes` at which to stop; 0: no limit
    cdef long long next_poll
    cdef long long interval             # maximum nodes between polls
    cdef bint stopped
    cdef bint poll(self) noexcept nogil
    cdef bint stop_requested(self) noexcept nogil
