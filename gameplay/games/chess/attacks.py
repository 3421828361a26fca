# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Attack tables of chess pieces.  C types, and the functions for compiled modules: attacks.pxd.

A square is a number, a set of squares 64 bits, White at the bottom:

    8   56 57 58 59 60 61 62 63
    7   48 49 50 51 52 53 54 55
    6   40 41 42 43 44 45 46 47       knight(s)       king(s)       pawn(colour, s)
    5   32 33 34 35 36 37 38 39       bishop(s, o)    rook(s, o)      o: the squares occupied
    4   24 25 26 27 28 29 30 31       between(a, b)   the squares strictly between two on one line, else none
    3   16 17 18 19 20 21 22 23       through(a, b)   all squares of the line through both, else none
    2    8  9 10 11 12 13 14 15
    1    0  1  2  3  4  5  6  7       A slider's attack ends on the first occupied square, included.
         a  b  c  d  e  f  g  h

Compiled, sliders look their attacks up by a magic multiplication, which gathers the occupied squares that
matter into an index (Lasse Hansen, Pradyumna Kannan); the tables, 840 KB, are filled on import in
3 ms. Uncompiled, attacks are computed on first use and cached.
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


def _numbers(text):
    """The numbers of a table in hexadecimal digits."""
    return tuple([int(word, 16) for word in text.split()])


# Magic numbers, found by trying sparse random numbers until no two attack sets collide.
_ROOK_MAGIC = _numbers(
    """
    0080001020804000 0140011000200040 2080081000200081 0480100080842801 0080080080040002 0100020400080100
    5280220031000080 0200008203284D04 0048800040068021 0002400040201000 0086801000A00080 1000808008001000
    0240800402800801 0100800200040080 004A000200048108 2002000100805402 42A0208000804000 2A00404000201001
    0040410020010812 2010808010000801 1010818004002800 0002008004000280 8000040082011008 2A001A0001054384
    8404400380022090 E0100040C0112000 0110088080102000 2408080080801000 0000108500080100 0002000200041008
    0000820400010890 0000004200010084 0000400082800023 001000E003400240 1002001042002081 0030010125000810
    01494801010004B0 4010800400800200 1000023004008108 4040800040800100 0184269040018001 4101020020820040
    0288200100410011 001A0108C1920020 0020080100650010 0002000904020010 0240010208040010 6001000880410012
    01010040802A0200 4520088040042880 4120010410244100 0040420020081200 0000080100100500 0002000410080200
    0026000401080200 0000086884010200 0200528001250041 9204104009008221 0904088022001042 2100200410000901
    100200082090540E 0226000130046842 0008008841021004 4200064021041482
    """
)
_BISHOP_MAGIC = _numbers(
    """
    8108600404003020 0010048800902000 00101400A0280008 01040420800242C4 20421210011048A0 910208040560408C
    0001010860840880 0020840082108200 2066403004410056 00B0035014008085 0804080091220001 4000044404802AA0
    0705241CA02000C2 2002020984200022 8000040A08050401 0004028401211000 8204082021024200 0048008468280051
    8108000102040210 12442058020120C0 001A801408A00020 0600200200900840 00CC040904220200 0044220A0B01180A
    4020900108020801 0108020048105100 24009001C8004010 4011080001004100 8000820044010409 00004A0001050102
    0008105402020208 C024010000808093 0004200800A00209 0084100200451402 0490180400020C00 0010020082080080
    0080440440040100 0001010600010804 040A220D48040400 0101184200050101 00221D2098142080 0404020210080210
    4821001082041000 0000A96018000500 9000080104000040 0320200400400820 20889801C1800404 0084008082080900
    218A0201200A0CC0 0209012119200000 0261890088040080 0000200242020420 00484064608A0008 0009400842442402
    8022080101040000 20C210C400838010 00005048081C1028 02A0014404540200 4840080042009040 0000A00004840402
    0000040010020210 8600004009215500 420190100288144D 0040010252044102
    """
)

if not cython.compiled:
    KNIGHT, KING, PAWN = [0] * 64, [0] * 64, [0] * 128
    BETWEEN, THROUGH = [0] * 4096, [0] * 4096
    _ROOK, _BISHOP = [{} for _ in range(64)], [{} for _ in range(64)]
    _ROOK_MASK, _BISHOP_MASK = [0] * 64, [0] * 64

    def forward(squares, us):
        """The squares one step ahead."""
        return squares >> 8 if us else (squares << 8) & M64

    def left(squares, us):
        """The squares attacked by pawns on the left."""
        squares &= ~FILE_A
        return squares >> 9 if us else (squares << 7) & M64

    def right(squares, us):
        """The squares attacked by pawns on the right."""
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
        return _cached_attacks(_ROOK, square, occupied & _ROOK_MASK[square], False)

    def bishop(square, occupied):
        """The squares a bishop attacks."""
        return _cached_attacks(_BISHOP, square, occupied & _BISHOP_MASK[square], True)

    def _cached_attacks(known, square, occupied, diagonal):
        squares = known[square].get(occupied)
        if squares is None:
            squares = known[square][occupied] = _slider_attacks(square, occupied, diagonal, False)
        return squares

    def between(a, b):
        """The squares strictly between two squares on a common line, else none."""
        return BETWEEN[64 * a + b]

    def through(a, b):
        """All squares of the line through two squares, from edge to edge, else none."""
        return THROUGH[64 * a + b]


def _neighbour(square, across, up):
    """The neighbouring square in a direction, -1 beyond the edge."""
    file: cython.int = (square & 7) + across
    rank: cython.int = (square >> 3) + up
    return 8 * rank + file if 0 <= file <= 7 and 0 <= rank <= 7 else -1


def _slider_attacks(square, occupied, diagonal, inner):
    """The attacks of a rook or bishop; `inner`: only the squares where a piece would block the attack."""
    attacked: cython.ulonglong = 0
    k: cython.int
    for k in range(4):
        # a file, a rank or a diagonal: (0, 1) (1, 0) (0, -1) (-1, 0), or (1, 1) (1, -1) (-1, -1) (-1, 1)
        across: cython.int = (1 if k < 2 else -1) if diagonal else (k & 1) * (2 - k)
        up: cython.int = (1 if k == 0 or k == 3 else -1) if diagonal else ((k + 1) & 1) * (1 - k)
        at: cython.int = _neighbour(square, across, up)
        while at >= 0 and not (inner and _neighbour(at, across, up) < 0):
            attacked |= ONE << at
            if (occupied >> at) & 1:
                break
            at = _neighbour(at, across, up)
    return attacked


def _leaper_attacks(square, knight):
    """The squares that a knight, or a king, attacks."""
    attacked: cython.ulonglong = 0
    across: cython.int
    up: cython.int
    for across in range(-2, 3):
        for up in range(-2, 3):
            far: cython.int = across * across + up * up
            if far == 5 if knight else 0 < far <= 2:
                at: cython.int = _neighbour(square, across, up)
                if at >= 0:
                    attacked |= ONE << at
    return attacked


def _fill_tables():
    """Fill the tables of kings, knights, pawns and lines."""
    a: cython.int
    up: cython.int
    across: cython.int
    distance: cython.int
    for a in range(64):
        KNIGHT[a] = _leaper_attacks(a, True)
        KING[a] = _leaper_attacks(a, False)
        for up in range(-1, 2):
            for across in range(-1, 2):
                b: cython.int = _neighbour(a, across, up)
                if b < 0 or (across == 0 and up == 0):
                    continue
                if across and up:
                    PAWN[a if up > 0 else 64 + a] |= ONE << b
                line: cython.ulonglong = ONE << a
                for distance in range(-7, 8):
                    b = _neighbour(a, distance * across, distance * up)
                    if b >= 0:
                        line |= ONE << b
                path: cython.ulonglong = 0
                b = _neighbour(a, across, up)
                while b >= 0:
                    BETWEEN[64 * a + b] = path
                    THROUGH[64 * a + b] = line
                    path |= ONE << b
                    b = _neighbour(b, across, up)


def _fill_sliders():
    """Fill the tables of the sliders (compiled) or their masks (plain Python)."""
    square: cython.int
    if not cython.compiled:
        for square in range(64):
            _ROOK_MASK[square] = _slider_attacks(square, 0, False, True)
            _BISHOP_MASK[square] = _slider_attacks(square, 0, True, True)
        return
    at: cython.int = 0
    for square in range(64):
        ROOKS[square].magic = _ROOK_MAGIC[square]
        at = _fill_slider(cython.address(ROOKS[square]), square, False, at)
        BISHOPS[square].magic = _BISHOP_MAGIC[square]
        at = _fill_slider(cython.address(BISHOPS[square]), square, True, at)


if cython.compiled:

    def _fill_slider(lookup, square, diagonal, at):
        """Fill the table of one square, which begins at SLIDER_ATTACKS[at]; returns its end."""
        mask: cython.ulonglong = _slider_attacks(square, 0, diagonal, True)
        size: cython.int = popcount(mask)
        lookup.mask = mask
        lookup.shift = 64 - size
        lookup.table = cython.address(SLIDER_ATTACKS[at])
        occupied: cython.ulonglong = 0
        while True:  # every subset of the mask
            lookup.table[(occupied * lookup.magic) >> lookup.shift] = _slider_attacks(
                square, occupied, diagonal, False
            )
            occupied = (occupied - mask) & mask
            if not occupied:
                return at + (1 << size)


def attacks(piece, square, occupied=0, colour=0):
    """The squares that a piece ("P", "N", "B", "R", "Q", "K") attacks, as bits; for Python."""
    origin: cython.int = square
    others: cython.ulonglong = occupied
    if piece == "P":
        return pawn(colour, origin)
    if piece == "N":
        return knight(origin)
    if piece == "K":
        return king(origin)
    attacked: cython.ulonglong = 0
    if piece in "RQ":
        attacked |= rook(origin, others)
    if piece in "BQ":
        attacked |= bishop(origin, others)
    return attacked


_fill_tables()
_fill_sliders()
