cdef float* floats(object held) except NULL
cdef short* shorts(object held) except NULL
