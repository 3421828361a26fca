cdef class Control:
    cdef public bint stop
    cdef public long long nodes
    cdef public double deadline
    cdef public str reason
    cdef object callback
    cdef readonly bint has_callback
    cdef double next_call
    cdef public object error
