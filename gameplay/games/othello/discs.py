# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Flipped, movable and stable Othello discs on bitboards.  Types: discs.pxd.

A square is a bit, a1 (0) on the upper left, h8 (63) on the lower right; see game.py for a picture.
Discs are flipped along the eight rays of a square. Towards higher bits, adding one to everything but the ray
carries over the opponent's discs to the first other square of the ray; towards lower bits that is the
highest bit.
Legal moves are found for all squares at once by parallel prefix (Kogge and Stone 1973).
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M64, ONE, highest
else:
    from gameplay.native.bits import M64, ONE, highest

INNER = cython.declare(cython.ulonglong, 0x7E7E7E7E7E7E7E7E)  # all but the files a and h
SIDES = cython.declare(cython.ulonglong, 0x8181818181818181)  # the files a and h
ENDS = cython.declare(cython.ulonglong, 0xFF000000000000FF)  # the rows 1 and 8
BORDER = cython.declare(cython.ulonglong, 0xFF818181818181FF)
FILE_A = cython.declare(cython.ulonglong, 0x0101010101010101)
# Squares from which 1, 2, 4 steps up-left (UP), down-right (DOWN), up-right (EAST), down-left (WEST) leave
# the board.
UP_1 = cython.declare(cython.ulonglong, 0x01010101010101FF)
UP_2 = cython.declare(cython.ulonglong, 0x030303030303FFFF)
UP_4 = cython.declare(cython.ulonglong, 0x0F0F0F0FFFFFFFFF)
DOWN_1 = cython.declare(cython.ulonglong, 0xFF80808080808080)
DOWN_2 = cython.declare(cython.ulonglong, 0xFFFFC0C0C0C0C0C0)
DOWN_4 = cython.declare(cython.ulonglong, 0xFFFFFFFFF0F0F0F0)
EAST_1 = cython.declare(cython.ulonglong, 0x80808080808080FF)
EAST_2 = cython.declare(cython.ulonglong, 0xC0C0C0C0C0C0FFFF)
EAST_4 = cython.declare(cython.ulonglong, 0xF0F0F0F0FFFFFFFF)
WEST_1 = cython.declare(cython.ulonglong, 0xFF01010101010101)
WEST_2 = cython.declare(cython.ulonglong, 0xFFFF030303030303)
WEST_4 = cython.declare(cython.ulonglong, 0xFFFFFFFF0F0F0F0F)

if not cython.compiled:
    RAYS = [0] * 512


@cython.cfunc
def init_rays():
    """Fill the table of rays."""
    square: cython.int
    i: cython.int
    x: object
    y: object
    down: object
    right: object
    steps = ((0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1))
    for square in range(64):
        row: object = square >> 3
        column: object = square & 7
        for i in range(8):
            down, right = steps[i]
            ray: cython.ulonglong = 0
            y, x = row + down, column + right
            while 0 <= y < 8 and 0 <= x < 8:
                ray |= ONE << (8 * y + x)
                y, x = y + down, x + right
            RAYS[8 * square + i] = ray


init_rays()


def flips(square, p, o):
    """The discs of `o` that `p` flips with a move to an empty square."""
    r: cython.int = 8 * square
    i: cython.int
    flipped: cython.ulonglong = 0
    for i in range(r, r + 4):
        ray: cython.ulonglong = RAYS[i]
        end: cython.ulonglong = ((o | ~ray) + 1) & ray & p
        flipped |= (end - (end != 0)) & ray
    for i in range(r + 4, r + 8):
        ray = RAYS[i]
        end = (ONE << highest((ray & ~o) | 1)) & ray & p
        flipped |= -(end << 1) & ray
    return flipped


def shift_through_runs(x, mask, step):
    """The squares behind runs of `mask` next to `x`, in the two directions of `step`."""
    up: cython.ulonglong = mask & (x << step)
    down: cython.ulonglong = mask & (x >> step)
    up |= mask & (up << step)
    down |= mask & (down >> step)
    high: cython.ulonglong = mask & (mask << step)
    low: cython.ulonglong = mask & (mask >> step)
    up |= high & (up << (2 * step))
    down |= low & (down >> (2 * step))
    up |= high & (up << (2 * step))
    down |= low & (down >> (2 * step))
    return (up << step) | (down >> step)


def move_targets(p, o):
    """The squares that `p` can move to, if they are empty; may set bits of squares that are not."""
    inner: cython.ulonglong = o & INNER
    return (
        shift_through_runs(p, inner, 1)
        | shift_through_runs(p, o, 8)
        | shift_through_runs(p, inner, 7)
        | shift_through_runs(p, inner, 9)
    )


def stable(p, o):
    """Discs of `p` that can never be flipped (a subset), on the 8x8 board.

    Along each of its four lines such a disc has the border or a stable disc of its own side beside it, or
    the line is full.
    """
    filled: cython.ulonglong = p | o
    rows: cython.ulonglong = filled & (filled >> 1)
    rows &= rows >> 2
    rows = ((rows & (rows >> 4)) & FILE_A) * 0xFF
    files: cython.ulonglong = filled & ((filled >> 8) | (filled << 56))
    files &= (files >> 16) | (files << 48)
    files &= ((files >> 32) | (files << 32)) & M64
    # A square of `falling` has its diagonal filled as far as 2, 4, 8 squares; beyond the border all is.
    falling: cython.ulonglong = filled & ((filled << 9) | UP_1) & ((filled >> 9) | DOWN_1)
    falling &= ((falling << 18) | UP_2) & ((falling >> 18) | DOWN_2)
    falling &= ((falling << 36) | UP_4) & ((falling >> 36) | DOWN_4)
    rising: cython.ulonglong = filled & ((filled << 7) | EAST_1) & ((filled >> 7) | WEST_1)
    rising &= ((rising << 14) | EAST_2) & ((rising >> 14) | WEST_2)
    rising &= ((rising << 28) | EAST_4) & ((rising >> 28) | WEST_4)
    rows |= SIDES
    files |= ENDS
    falling |= BORDER
    rising |= BORDER
    before: cython.ulonglong = 0
    discs: cython.ulonglong = p & rows & files & falling & rising
    while discs != before:
        before = discs
        discs = (
            p
            & (rows | (before << 1) | (before >> 1))
            & (files | (before << 8) | (before >> 8))
            & (falling | (before << 9) | (before >> 9))
            & (rising | (before << 7) | (before >> 7))
        )
    return discs
