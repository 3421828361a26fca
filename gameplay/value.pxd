cdef extern from *:
    """
    #define gameplay_HUGE 1e300
    """
    double HUGE "gameplay_HUGE"

cdef enum:
    INF = 2000000, WIN = 1000000, TB_WIN = 999744, MAX_EVAL = 999488, MAX_PLY = 255, KILLER = 268435456
    ENDLESS = 4096, NEVER = -1000000

cdef enum:
    EXACT = 1, LOWER = 2, UPPER = 3

cdef enum:
    ONGOING = 0, LOST = 1, DRAWN = 2, WON = 3, SCORED = 4

cdef enum:
    USER_DEFINED = -1
