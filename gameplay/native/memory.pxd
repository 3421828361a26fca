cdef void* address_of(owner) except NULL
