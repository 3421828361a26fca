cdef class Control:
    cdef public bint stop
    cdef public long long nodes
    cdef public double deadline
    cdef public str reason
    cdef object look
    cdef readonly bint looking
    cdef double due
    cdef public object error
