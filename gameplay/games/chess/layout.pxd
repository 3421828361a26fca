# The values of layout.py as constants of C.

cdef enum:
    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5
    CASTLE = 5
    EN_PASSANT = 6
    DOUBLE = 7

cdef extern from *:
    """
    #define gameplay_FILE_A 0x0101010101010101ULL
    #define gameplay_FILE_H 0x8080808080808080ULL
    #define gameplay_RANK_1 0xFFULL
    #define gameplay_RANK_3 0xFF0000ULL
    #define gameplay_RANK_4 0xFF000000ULL
    #define gameplay_RANK_5 0xFF00000000ULL
    #define gameplay_RANK_6 0xFF0000000000ULL
    #define gameplay_RANK_8 0xFF00000000000000ULL
    #define gameplay_DARK 0xAA55AA55AA55AA55ULL
    """
    unsigned long long FILE_A "gameplay_FILE_A"
    unsigned long long FILE_H "gameplay_FILE_H"
    unsigned long long RANK_1 "gameplay_RANK_1"
    unsigned long long RANK_3 "gameplay_RANK_3"
    unsigned long long RANK_4 "gameplay_RANK_4"
    unsigned long long RANK_5 "gameplay_RANK_5"
    unsigned long long RANK_6 "gameplay_RANK_6"
    unsigned long long RANK_8 "gameplay_RANK_8"
    unsigned long long DARK "gameplay_DARK"
