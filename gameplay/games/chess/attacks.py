# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Which squares the pieces of chess attack.  C types, and the functions for compiled modules: attacks.pxd.

A square is a number, a set of squares 64 bits, White at the bottom:

    8   56 57 58 59 60 61 62 63
    7   48 49 50 51 52 53 54 55
    6   40 41 42 43 44 45 46 47       knight(s)       king(s)       pawn(colour, s)
    5   32 33 34 35 36 37 38 39       bishop(s, o)    rook(s, o)    queen(s, o)      o: the squares occupied
    4   24 25 26 27 28 29 30 31       between(a, b)   the squares strictly between two on one line, else none
    3   16 17 18 19 20 21 22 23       through(a, b)   all squares of the line through both, else none
    2    8  9 10 11 12 13 14 15
    1    0  1  2  3  4  5  6  7       A slider's attack ends on the first occupied square, included.
         a  b  c  d  e  f  g  h

Compiled, sliders look their attacks up by a magic multiplication, which gathers the occupied squares that
matter into an index (after Lasse Hansen and Pradyumna Kannan); the tables, 840 KB, are filled on import in
3 ms. Uncompiled, each answer is worked out when first asked for, and remembered.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.gameplay.native.bits import ONE, popcount
else:
    from gameplay.games.chess.layout import FILE_A, FILE_H
    from gameplay.native.bits import M64, ONE


# Found by trial, each the first of a stream of random numbers with few bits that keeps its attacks apart.
# fmt: off
_ROOK_MAGIC = (
    0x0080001020804000, 0x0140011000200040, 0x2080081000200081, 0x0480100080842801, 0x0080080080040002,
    0x0100020400080100, 0x5280220031000080, 0x0200008203284D04, 0x0048800040068021, 0x0002400040201000,
    0x0086801000A00080, 0x1000808008001000, 0x0240800402800801, 0x0100800200040080, 0x004A000200048108,
    0x2002000100805402, 0x42A0208000804000, 0x2A00404000201001, 0x0040410020010812, 0x2010808010000801,
    0x1010818004002800, 0x0002008004000280, 0x8000040082011008, 0x2A001A0001054384, 0x8404400380022090,
    0xE0100040C0112000, 0x0110088080102000, 0x2408080080801000, 0x0000108500080100, 0x0002000200041008,
    0x0000820400010890, 0x0000004200010084, 0x0000400082800023, 0x001000E003400240, 0x1002001042002081,
    0x0030010125000810, 0x01494801010004B0, 0x4010800400800200, 0x1000023004008108, 0x4040800040800100,
    0x0184269040018001, 0x4101020020820040, 0x0288200100410011, 0x001A0108C1920020, 0x0020080100650010,
    0x0002000904020010, 0x0240010208040010, 0x6001000880410012, 0x01010040802A0200, 0x4520088040042880,
    0x4120010410244100, 0x0040420020081200, 0x0000080100100500, 0x0002000410080200, 0x0026000401080200,
    0x0000086884010200, 0x0200528001250041, 0x9204104009008221, 0x0904088022001042, 0x2100200410000901,
    0x100200082090540E, 0x0226000130046842, 0x0008008841021004, 0x4200064021041482,
)
_BISHOP_MAGIC = (
    0x8108600404003020, 0x0010048800902000, 0x00101400A0280008, 0x01040420800242C4, 0x20421210011048A0,
    0x910208040560408C, 0x0001010860840880, 0x0020840082108200, 0x2066403004410056, 0x00B0035014008085,
    0x0804080091220001, 0x4000044404802AA0, 0x0705241CA02000C2, 0x2002020984200022, 0x8000040A08050401,
    0x0004028401211000, 0x8204082021024200, 0x0048008468280051, 0x8108000102040210, 0x12442058020120C0,
    0x001A801408A00020, 0x0600200200900840, 0x00CC040904220200, 0x0044220A0B01180A, 0x4020900108020801,
    0x0108020048105100, 0x24009001C8004010, 0x4011080001004100, 0x8000820044010409, 0x00004A0001050102,
    0x0008105402020208, 0xC024010000808093, 0x0004200800A00209, 0x0084100200451402, 0x0490180400020C00,
    0x0010020082080080, 0x0080440440040100, 0x0001010600010804, 0x040A220D48040400, 0x0101184200050101,
    0x00221D2098142080, 0x0404020210080210, 0x4821001082041000, 0x0000A96018000500, 0x9000080104000040,
    0x0320200400400820, 0x20889801C1800404, 0x0084008082080900, 0x218A0201200A0CC0, 0x0209012119200000,
    0x0261890088040080, 0x0000200242020420, 0x00484064608A0008, 0x0009400842442402, 0x8022080101040000,
    0x20C210C400838010, 0x00005048081C1028, 0x02A0014404540200, 0x4840080042009040, 0x0000A00004840402,
    0x0000040010020210, 0x8600004009215500, 0x420190100288144D, 0x0040010252044102,
)
# fmt: on

if not cython.compiled:
    KNIGHT, KING, PAWN = [0] * 64, [0] * 64, [0] * 128
    BETWEEN, THROUGH = [0] * 4096, [0] * 4096
    _ROOK, _BISHOP = [{} for _ in range(64)], [{} for _ in range(64)]
    _ROOK_MASK, _BISHOP_MASK = [0] * 64, [0] * 64

    def forward(squares, us):
        """The squares one step ahead."""
        return squares >> 8 if us else (squares << 8) & M64

    def left(squares, us):
        """The squares ahead on the left, where a pawn takes."""
        squares &= ~FILE_A
        return squares >> 9 if us else (squares << 7) & M64

    def right(squares, us):
        """The squares ahead on the right."""
        squares &= ~FILE_H
        return squares >> 7 if us else (squares << 9) & M64

    def knight(square):
        """The squares a knight attacks."""
        return KNIGHT[square]

    def king(square):
        """The squares a king attacks."""
        return KING[square]

    def pawn(colour, square):
        """The squares a pawn of a colour (0 White, 1 Black) attacks."""
        return PAWN[64 * colour + square]

    def rook(square, occupied):
        """The squares a rook attacks."""
        return _reach(_ROOK, square, occupied & _ROOK_MASK[square], False)

    def bishop(square, occupied):
        """The squares a bishop attacks."""
        return _reach(_BISHOP, square, occupied & _BISHOP_MASK[square], True)

    def _reach(known, square, occupied, diagonal):
        squares = known[square].get(occupied)
        if squares is None:
            squares = known[square][occupied] = _slide(square, occupied, diagonal, False)
        return squares

    def queen(square, occupied):
        """The squares a queen attacks."""
        return rook(square, occupied) | bishop(square, occupied)

    def between(a, b):
        """The squares strictly between two that lie on one line, else none."""
        return BETWEEN[64 * a + b]

    def through(a, b):
        """All squares of the line through two, themselves and the edges included, else none."""
        return THROUGH[64 * a + b]


def _step(square, across, up):
    """The square beside, or -1 beyond the edge."""
    file: cython.int = (square & 7) + across
    rank: cython.int = (square >> 3) + up
    return 8 * rank + file if 0 <= file <= 7 and 0 <= rank <= 7 else -1


def _slide(square, occupied, slanted, inner):
    """The attacks of a rook or bishop; `inner`: only the squares where a piece stands in the way of more."""
    found: cython.ulonglong = 0
    k: cython.int
    for k in range(4):
        # along a file or rank, or slanted: (0, 1) (1, 0) (0, -1) (-1, 0), or (1, 1) (1, -1) (-1, -1) (-1, 1)
        across: cython.int = (1 if k < 2 else -1) if slanted else (k & 1) * (2 - k)
        up: cython.int = (1 if k == 0 or k == 3 else -1) if slanted else ((k + 1) & 1) * (1 - k)
        at: cython.int = _step(square, across, up)
        while at >= 0 and not (inner and _step(at, across, up) < 0):
            found |= ONE << at
            if (occupied >> at) & 1:
                break
            at = _step(at, across, up)
    return found


def _steps(square, knight):
    """The squares a knight's leap away, or a king's step."""
    found: cython.ulonglong = 0
    across: cython.int
    up: cython.int
    at: cython.int
    for across in range(-2, 3):
        for up in range(-2, 3):
            far: cython.int = across * across + up * up
            if far == 5 if knight else 0 < far <= 2:
                at = _step(square, across, up)
                if at >= 0:
                    found |= ONE << at
    return found


def _fill():
    """Fill the small tables, by walking from each square."""
    a: cython.int
    b: cython.int
    up: cython.int
    across: cython.int
    on: cython.int
    way: cython.ulonglong
    for a in range(64):
        KNIGHT[a] = _steps(a, True)
        KING[a] = _steps(a, False)
        for up in range(-1, 2):
            for across in range(-1, 2):
                b = _step(a, across, up)
                if b < 0 or (across == 0 and up == 0):
                    continue
                if across and up:
                    PAWN[a if up > 0 else 64 + a] |= ONE << b
                line: cython.ulonglong = ONE << a
                for on in range(-7, 8):
                    b = _step(a, on * across, on * up)
                    if b >= 0:
                        line |= ONE << b
                way = 0
                b = _step(a, across, up)
                while b >= 0:
                    BETWEEN[64 * a + b] = way
                    THROUGH[64 * a + b] = line
                    way |= ONE << b
                    b = _step(b, across, up)


def _prepare():
    """Fill the tables of the sliders (compiled) or what they are looked up by (plain Python)."""
    square: cython.int
    if not cython.compiled:
        for square in range(64):
            _ROOK_MASK[square] = _slide(square, 0, False, True)
            _BISHOP_MASK[square] = _slide(square, 0, True, True)
        return
    at: cython.int = 0
    for square in range(64):
        ROOKS[square].magic = _ROOK_MAGIC[square]
        at = _slider(cython.address(ROOKS[square]), square, False, at)
        BISHOPS[square].magic = _BISHOP_MAGIC[square]
        at = _slider(cython.address(BISHOPS[square]), square, True, at)


if cython.compiled:

    def _slider(lookup, square, slanted, at):
        """Fill the table of one square, which begins at SLIDES[at]; returns where it ends."""
        mask: cython.ulonglong = _slide(square, 0, slanted, True)
        size: cython.int = popcount(mask)
        lookup.mask = mask
        lookup.shift = 64 - size
        lookup.table = cython.address(SLIDES[at])
        occupied: cython.ulonglong = 0
        while True:  # every subset of the mask
            lookup.table[(occupied * lookup.magic) >> lookup.shift] = _slide(square, occupied, slanted, False)
            occupied = (occupied - mask) & mask
            if not occupied:
                return at + (1 << size)


def attacks(piece, square, occupied=0, colour=0):
    """The squares that a piece ("P", "N", "B", "R", "Q", "K") attacks, as bits; for Python."""
    at: cython.int = square
    others: cython.ulonglong = occupied
    if piece == "P":
        return pawn(colour, at)
    if piece == "N":
        return knight(at)
    if piece == "K":
        return king(at)
    found: cython.ulonglong = 0
    if piece in "RQ":
        found |= rook(at, others)
    if piece in "BQ":
        found |= bishop(at, others)
    return found


_fill()
_prepare()
