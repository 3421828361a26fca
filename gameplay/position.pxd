cdef enum:
    CHANCE = -1
