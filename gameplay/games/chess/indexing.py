# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Positions of chess by number, for endgame tables.  C types: indexing.pxd.

A slice is the pieces of the mover and of the other side beside their kings, three bits each:

    bit   27 24 21 18 15   12  9  6  3  0
           Q  R  B  N  P    Q  R  B  N  P
           the mover's      the other's

The side to move plays up the board. It is turned so that its king stands on the left, or without pawns in the
triangle a1, d1, d4 and, if it is on the diagonal there, the other king not above it. No side may castle. A
pawn that may be captured en passant counts as standing on its own first rank.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.chess.movegen import ChessMoves

if cython.compiled:
    from cython.cimports.gameplay.games.chess.attacks import bishop, king, knight, pawn, rook
    from cython.cimports.gameplay.games.chess.board import FILES, ZOBRIST
    from cython.cimports.gameplay.native.bits import ONE, lowest, popcount
    from cython.cimports.gameplay.native.subsets import choose, number_of, numbered
else:
    from gameplay.games.chess.attacks import bishop, king, knight, pawn, rook
    from gameplay.games.chess.board import FILES, ZOBRIST
    from gameplay.games.chess.layout import *
    from gameplay.native.bits import ONE, lowest, popcount
    from gameplay.native.subsets import choose, number_of, numbered

NUMBERED = cython.declare(cython.int, 8)  # pieces of a side: positions of more have no numbers in tables
DIAGONAL = cython.declare(cython.int, 4)  # the way to turn the board that mirrors its long diagonal
PAWNED = cython.declare(cython.int, 4096)  # where the pairs of kings with pawns begin in PAIRS,
WITHOUT = cython.declare(cython.int, 462)  # ... in KINGS: how many there are without
WITH = cython.declare(cython.int, 1806)  # ... and with pawns

if not cython.compiled:
    TURNED, FOLDING, PAIRS, KINGS = [0] * 512, [0] * 64, [0] * 8192, [0] * 2268


def _number_kings():
    """Number the pairs of kings apart from each other, the first on the left or in the triangle."""
    way: cython.int
    one: cython.int
    for way in range(8):
        for one in range(64):
            two: cython.int = one ^ (7 if way & 1 else 0) ^ (56 if way & 2 else 0)
            TURNED[64 * way + one] = ((two & 7) << 3) | (two >> 3) if way & DIAGONAL else two
    for one in range(64):
        FOLDING[one] = (1 if one & 4 else 0) | (2 if one & 32 else 0)
        two = TURNED[64 * FOLDING[one] + one]
        if two >> 3 > two & 7:
            FOLDING[one] |= DIAGONAL
    found: cython.int = 0
    for way in (0, PAWNED):
        for one in range(64):
            for two in range(64):
                apart = one != two and not (king(one) >> two) & 1
                if way:
                    fits = not one & 4
                else:  # on the diagonal the first king leaves it to the second not to be above it
                    fits = FOLDING[one] == 0 and (one % 9 or two >> 3 <= two & 7)
                PAIRS[way + 64 * one + two] = -1
                if apart and fits:
                    PAIRS[way + 64 * one + two] = found - (WITHOUT if way else 0)
                    KINGS[found] = 64 * one + two
                    found += 1


_number_kings()


class IndexedChess(ChessMoves):
    """Chess whose positions have numbers."""

    def rank(self):
        if self.rights or popcount(self.colours[0]) > NUMBERED or popcount(self.colours[1]) > NUMBERED:
            return -1
        us: cython.int = self.turn
        flip: cython.int = 56 if us else 0
        one: cython.int = lowest(self.kinds[KING] & self.colours[us]) ^ flip
        two: cython.int = lowest(self.kinds[KING] & self.colours[us ^ 1]) ^ flip
        if self.kinds[PAWN]:
            way: cython.int = 1 if one & 4 else 0
            if way:
                one ^= 7
                two ^= 7
            return self.encoded(way, flip, PAIRS[PAWNED + 64 * one + two])
        way = FOLDING[one]
        one = TURNED[64 * way + one]
        two = TURNED[64 * way + two]
        if one % 9 == 0:
            if two >> 3 > two & 7:
                way ^= DIAGONAL
                two = TURNED[64 * DIAGONAL + two]
            elif two % 9 == 0:
                number: cython.int = self.encoded(way, flip, PAIRS[64 * one + two])
                other: cython.int = self.encoded(way ^ DIAGONAL, flip, PAIRS[64 * one + two])
                return number if number < other else other
        return self.encoded(way, flip, PAIRS[64 * one + two])

    @cython.final
    def encoded(self, way, flip, number):
        """The number of the position on a board turned this way, from that of the kings on."""
        us: cython.int = self.turn
        side: cython.int
        kind: cython.int
        slice: cython.int = 0
        both: cython.bint = (
            self.kinds[PAWN] & self.colours[0] != 0 and self.kinds[PAWN] & self.colours[1] != 0
        )
        for side in range(2):
            for kind in range(QUEEN, PAWN - 1, -1):
                pieces: cython.ulonglong = self.kinds[kind] & self.colours[us ^ side]
                slice <<= 3
                if not pieces:
                    continue
                count: cython.int = popcount(pieces)
                slice |= count
                turned: cython.ulonglong = 0
                while pieces:
                    at: cython.int = lowest(pieces)
                    pieces &= pieces - 1
                    if kind == PAWN and side and self.en_passant >= 0 and at == self.en_passant ^ 8:
                        at = 56 | (at & 7) if not flip else at & 7
                    turned |= ONE << TURNED[64 * way + (at ^ flip)]
                room: cython.int = 64
                if kind == PAWN and not both:
                    turned >>= 8
                    room = 48
                number = number * choose(room, count) + number_of(turned)
        self.slice = slice
        return number

    def unrank(self, slice, number):
        # 1. An empty board.
        i: cython.int
        for i in range(64):
            self.cells[i] = 0
        for i in range(6):
            self.kinds[i] = 0
        self.colours[0] = self.colours[1] = self.zobrist = self.rights = 0
        self.turn = 0
        self.en_passant = -1
        self.clock = self.since = self.ply = self.begun = 0
        self.surveyed = False

        # 2. The pieces, the last ones of the slice first.
        both: cython.bint = slice & 7 != 0 and (slice >> 15) & 7 != 0
        occupied: cython.ulonglong = 0
        for i in range(10):
            count: cython.int = (slice >> (3 * i)) & 7
            if not count:
                continue
            kind: cython.int = i % 5
            size: cython.longlong = choose(48 if kind == PAWN and not both else 64, count)
            pieces: cython.ulonglong = numbered(number % size, count)
            number //= size
            if kind == PAWN:
                if not both:
                    pieces <<= 8
                elif i:  # the mover's
                    if pieces & (RANK_1 | RANK_8):
                        return False
                elif pieces & RANK_1:
                    return False
                elif pieces & RANK_8:  # a pawn that may be captured en passant
                    at: cython.int = lowest(pieces & RANK_8)
                    self.en_passant = at - 16
                    bit: cython.ulonglong = ONE << (at - 24)
                    if pieces & bit or (pieces ^ (ONE << at)) & RANK_8:
                        return False
                    pieces ^= (ONE << at) | bit
            if pieces & occupied:
                return False
            occupied |= pieces
            self.kinds[kind] |= pieces
            self.colours[0 if i >= 5 else 1] |= pieces
        pair: cython.int = KINGS[number + (WITHOUT if self.kinds[PAWN] else 0)]
        pieces = (ONE << (pair >> 6)) | (ONE << (pair & 63))
        if pieces & occupied:
            return False
        occupied |= pieces
        self.kinds[KING] = pieces
        self.colours[0] |= ONE << (pair >> 6)
        self.colours[1] |= ONE << (pair & 63)

        # 3. The side that moved is not in check; a pawn that may be captured en passant has just moved there.
        if not self.safe(pair & 63, 0, occupied):
            return False
        if self.en_passant >= 0:
            pieces = (ONE << self.en_passant) | (ONE << (self.en_passant + 8))
            if pieces & occupied or not self.passed(0):
                return False
            self.zobrist ^= ZOBRIST[FILES + (self.en_passant & 7)]
        for i in range(6):
            pieces = self.kinds[i]
            while pieces:
                at = lowest(pieces)
                self.cells[at] = i + 1
                self.zobrist ^= ZOBRIST[(384 if (self.colours[1] >> at) & 1 else 0) + 64 * i + at]
                pieces &= pieces - 1
        return True

    @cython.final
    def passed(self, us):
        """True if a pawn of a side can capture on the en passant square."""
        pawns: cython.ulonglong = pawn(us ^ 1, self.en_passant) & self.kinds[PAWN] & self.colours[us]
        while pawns:
            if self.passes(lowest(pawns), us):
                return True
            pawns &= pawns - 1
        return False

    def gen_before(self, base):
        """Retract every move of the side that has just moved, except captures, promotions and castling."""
        us: cython.int = self.turn
        them: cython.int = us ^ 1
        up: cython.int = 8 if them else -8  # the way back of their pawns
        occupied: cython.ulonglong = self.colours[0] | self.colours[1]
        kind: cython.int
        if self.en_passant >= 0:  # there is but one such move
            return self.before(base, PAWN, self.en_passant ^ 8, (self.en_passant ^ 8) + 2 * up)
        for kind in range(KNIGHT, KING + 1):
            pieces: cython.ulonglong = self.kinds[kind] & self.colours[them]
            while pieces:
                at: cython.int = lowest(pieces)
                pieces &= pieces - 1
                if kind == KNIGHT:
                    targets: cython.ulonglong = knight(at)
                elif kind == KING:
                    targets = king(at)
                else:
                    targets = bishop(at, occupied) if kind != ROOK else 0
                    if kind != BISHOP:
                        targets |= rook(at, occupied)
                targets &= ~occupied
                while targets:
                    base = self.before(base, kind, at, lowest(targets))
                    targets &= targets - 1
        pieces = self.kinds[PAWN] & self.colours[them]
        while pieces:
            at = lowest(pieces)
            pieces &= pieces - 1
            if (at + up) & 56 in (0, 56) or (occupied >> (at + up)) & 1:
                continue
            base = self.before(base, PAWN, at, at + up)
            if at >> 3 == (4 if them else 3) and not (occupied >> (at + 2 * up)) & 1:
                self.en_passant = at ^ 8
                taken: cython.bint = self.passed(us)
                self.en_passant = -1
                if not taken:  # else it leads to the position where it can be
                    base = self.before(base, PAWN, at, at + 2 * up)
        return base

    @cython.final
    def before(self, base, kind, at, start):
        """Write the position in which a piece of the side that has moved was still where it started.

        Also write it with each pawn of the other side that could have been captured en passant there.
        """
        us: cython.int = self.turn
        them: cython.int = us ^ 1
        en_passant: cython.int = self.en_passant
        way: cython.ulonglong = (ONE << at) | (ONE << start)
        self.kinds[kind] ^= way
        self.colours[them] ^= way
        self.en_passant = -1
        occupied: cython.ulonglong = self.colours[0] | self.colours[1]
        if self.safe(lowest(self.kinds[KING] & self.colours[us]), them, occupied):
            self.turn = them
            self.stack[base] = self.rank()
            self.weight[base] = self.slice
            base += 1
            pawns: cython.ulonglong = self.kinds[PAWN] & self.colours[us] & (RANK_5 if us else RANK_4)
            while pawns:
                self.en_passant = lowest(pawns) ^ 8
                pawns &= pawns - 1
                behind: cython.ulonglong = (ONE << self.en_passant) | (
                    ONE << (self.en_passant + 8 if us else self.en_passant - 8)
                )
                if not behind & occupied and self.passed(them):
                    self.stack[base] = self.rank()
                    self.weight[base] = self.slice
                    base += 1
            self.turn = us
        self.kinds[kind] ^= way
        self.colours[them] ^= way
        self.en_passant = en_passant
        return base

    def orbit_size(self):
        if self.kinds[PAWN]:
            return 2
        one: cython.int = lowest(self.kinds[KING] & self.colours[self.turn])
        two: cython.int = lowest(self.kinds[KING] & self.colours[self.turn ^ 1])
        flip: cython.int = 56 if self.turn else 0
        way: cython.int = FOLDING[one ^ flip]
        one = TURNED[64 * way + (one ^ flip)]
        two = TURNED[64 * way + (two ^ flip)]
        if one % 9 or two % 9:
            return 8
        return 8 if self.encoded(way, flip, 0) != self.encoded(way ^ DIAGONAL, flip, 0) else 4

    def slices(self, pieces):
        """The slices with so many pieces, those without pawns first."""
        sides = [side for count in range(pieces - 1) for side in armies(count)]
        pairs = [(one, two) for one in sides for two in sides if sum(one) + sum(two) == pieces - 2]
        pairs = [(one, two) for one, two in pairs if (sum(one), one) >= (sum(two), two)]
        pairs.sort(key=lambda pair: (pair[0][4] + pair[1][4], pair))
        return [tuple(dict.fromkeys([packed(one, two), packed(two, one)])) for one, two in pairs]

    def called(self, slice):
        """Its pieces, the mover's first: `KQvK`."""
        own, other = unpacked(slice)
        letters = [
            "K" + "".join([a * b for a, b in zip("QRBNP", side, strict=True)]) for side in (own, other)
        ]
        return "v".join(letters)

    def span(self, slice):
        """The numbers in a slice."""
        own, other = unpacked(slice)
        size: cython.longlong = WITH if own[4] or other[4] else WITHOUT
        rooms = [64] * 4 + [64 if own[4] and other[4] else 48]
        for side in (own, other):
            for room, count in zip(rooms, side, strict=True):
                size *= choose(room, count)
        return size

    def leads(self, slice):
        """The slices that captures and promotions lead to, where the other side is to move."""
        own, other = unpacked(slice)
        mine = [own, *[changed(changed(own, 4, -1), kind, 1) for kind in range(4) if own[4]]]
        theirs = [other, *[changed(other, kind, -1) for kind in range(5) if other[kind]]]
        stays = (packed(other, own), slice)
        found = [packed(two, one) for one in mine for two in theirs]
        return [lead for lead in dict.fromkeys(found) if lead not in stays]


def armies(count):
    """All ways to have so many queens, rooks, bishops, knights and pawns, up to seven of each."""
    found = [(a, b, c, d) for a in range(8) for b in range(8) for c in range(8) for d in range(8)]
    return [(*four, count - sum(four)) for four in found if 0 <= count - sum(four) < 8]


def packed(own, other):
    """A slice, of the queens, rooks, bishops, knights and pawns of the mover and of the other side."""
    slice = 0
    for count in (*own, *other):
        slice = slice << 3 | count
    return slice


def unpacked(slice):
    """What is packed in a slice."""
    counts = tuple([slice >> shift & 7 for shift in range(27, -1, -3)])
    return counts[:5], counts[5:]


def changed(side, kind, by):
    """The pieces of a side with more or fewer of a kind."""
    return (*side[:kind], side[kind] + by, *side[kind + 1 :])
