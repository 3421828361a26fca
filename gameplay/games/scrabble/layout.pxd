# The values of layout.py as constants of C.

cdef enum:
    SIDE = 15
    AREA = 225
    CENTRE = 112
    RACK = 7
    KINDS = 27
    BLANK = 32
    UNIT = 100
    LINES = 30
    HELD = 14400
    MOVING = 15264
    SCORELESS_LIMIT = 6
    FAR = 10000
    SOLO_RACK = 4
    FIRST = 5379617
