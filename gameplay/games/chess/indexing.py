# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Indexes of chess positions, for endgame tables.  C types: indexing.pxd.

A slice encodes the numbers of pieces of both sides, without kings, three bits each:

    bit   27 24 21 18 15   12  9  6  3  0
           Q  R  B  N  P    Q  R  B  N  P
           the mover's      the other's

The side to move plays up the board. The board is mirrored so that its king stands on files a to d or, without
pawns, in the triangle a1, d1, d4; with that king on the diagonal, the other king is not above it. Positions
with castling rights have no index. A pawn that may be captured en passant is encoded on its own first rank.
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
    from cython.cimports.gameplay.native.subsets import choose, subset_from_index, subset_index
else:
    from gameplay.games.chess.attacks import bishop, king, knight, pawn, rook
    from gameplay.games.chess.board import FILES, ZOBRIST
    from gameplay.games.chess.layout import *
    from gameplay.native.bits import ONE, lowest, popcount
    from gameplay.native.subsets import choose, subset_from_index, subset_index

MAX_PIECES = cython.declare(cython.int, 8)  # of a side; positions with more have no index
DIAGONAL = cython.declare(cython.int, 4)  # the symmetry that mirrors the long diagonal
PAWN_OFFSET = cython.declare(cython.int, 4096)  # offset of positions with pawns in KING_PAIR_INDEX
PAIRS_WITHOUT_PAWNS = cython.declare(cython.int, 462)  # in KING_PAIRS
PAIRS_WITH_PAWNS = cython.declare(cython.int, 1806)

if not cython.compiled:
    TRANSFORMED, TO_TRIANGLE, KING_PAIR_INDEX, KING_PAIRS = [0] * 512, [0] * 64, [0] * 8192, [0] * 2268


def _number_kings():
    """Index the legal pairs of kings, the first on files a to d or in the triangle."""
    symmetry: cython.int
    king_a: cython.int
    for symmetry in range(8):
        for king_a in range(64):
            king_b: cython.int = king_a ^ (7 if symmetry & 1 else 0) ^ (56 if symmetry & 2 else 0)
            TRANSFORMED[64 * symmetry + king_a] = (
                ((king_b & 7) << 3) | (king_b >> 3) if symmetry & DIAGONAL else king_b
            )
    for king_a in range(64):
        TO_TRIANGLE[king_a] = (1 if king_a & 4 else 0) | (2 if king_a & 32 else 0)
        king_b = TRANSFORMED[64 * TO_TRIANGLE[king_a] + king_a]
        if king_b >> 3 > king_b & 7:
            TO_TRIANGLE[king_a] |= DIAGONAL
    count: cython.int = 0
    for symmetry in (0, PAWN_OFFSET):
        for king_a in range(64):
            for king_b in range(64):
                apart = king_a != king_b and not (king(king_a) >> king_b) & 1
                if symmetry:
                    fits = not king_a & 4
                else:  # with the first king on the diagonal, the second is not above it
                    fits = TO_TRIANGLE[king_a] == 0 and (king_a % 9 or king_b >> 3 <= king_b & 7)
                KING_PAIR_INDEX[symmetry + 64 * king_a + king_b] = -1
                if apart and fits:
                    KING_PAIR_INDEX[symmetry + 64 * king_a + king_b] = count - (
                        PAIRS_WITHOUT_PAWNS if symmetry else 0
                    )
                    KING_PAIRS[count] = 64 * king_a + king_b
                    count += 1


_number_kings()


class IndexedChess(ChessMoves):
    """Chess with indexed positions."""

    def rank(self):
        if self.rights or popcount(self.colours[0]) > MAX_PIECES or popcount(self.colours[1]) > MAX_PIECES:
            return -1
        us: cython.int = self.turn
        flip: cython.int = 56 if us else 0
        own_king: cython.int = lowest(self.kinds[KING] & self.colours[us]) ^ flip
        other_king: cython.int = lowest(self.kinds[KING] & self.colours[us ^ 1]) ^ flip
        if self.kinds[PAWN]:
            symmetry: cython.int = 1 if own_king & 4 else 0
            if symmetry:
                own_king ^= 7
                other_king ^= 7
            return self.encode(symmetry, flip, KING_PAIR_INDEX[PAWN_OFFSET + 64 * own_king + other_king])
        symmetry = TO_TRIANGLE[own_king]
        own_king = TRANSFORMED[64 * symmetry + own_king]
        other_king = TRANSFORMED[64 * symmetry + other_king]
        if own_king % 9 == 0:
            if other_king >> 3 > other_king & 7:
                symmetry ^= DIAGONAL
                other_king = TRANSFORMED[64 * DIAGONAL + other_king]
            elif other_king % 9 == 0:
                number: cython.int = self.encode(symmetry, flip, KING_PAIR_INDEX[64 * own_king + other_king])
                other: cython.int = self.encode(
                    symmetry ^ DIAGONAL, flip, KING_PAIR_INDEX[64 * own_king + other_king]
                )
                return number if number < other else other
        return self.encode(symmetry, flip, KING_PAIR_INDEX[64 * own_king + other_king])

    @cython.final
    def encode(self, symmetry, flip, number):
        """The index of the position under a symmetry; `number` is the index of the kings. Sets `slice`."""
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
                    turned |= ONE << TRANSFORMED[64 * symmetry + (at ^ flip)]
                room: cython.int = 64
                if kind == PAWN and not both:
                    turned >>= 8
                    room = 48
                number = number * choose(room, count) + subset_index(turned)
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
        self.clock = self.reversible_plies = self.ply = self.start_ply = 0
        self.has_check_info = False

        # 2. The pieces, the last ones of the slice first.
        both: cython.bint = slice & 7 != 0 and (slice >> 15) & 7 != 0
        occupied: cython.ulonglong = 0
        for i in range(10):
            count: cython.int = (slice >> (3 * i)) & 7
            if not count:
                continue
            kind: cython.int = i % 5
            size: cython.longlong = choose(48 if kind == PAWN and not both else 64, count)
            pieces: cython.ulonglong = subset_from_index(number % size, count)
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
        pair: cython.int = KING_PAIRS[number + (PAIRS_WITHOUT_PAWNS if self.kinds[PAWN] else 0)]
        pieces = (ONE << (pair >> 6)) | (ONE << (pair & 63))
        if pieces & occupied:
            return False
        occupied |= pieces
        self.kinds[KING] = pieces
        self.colours[0] |= ONE << (pair >> 6)
        self.colours[1] |= ONE << (pair & 63)

        # 3. The side that moved is not in check; a pawn that may be captured en passant has just moved there.
        if not self.is_safe(pair & 63, 0, occupied):
            return False
        if self.en_passant >= 0:
            pieces = (ONE << self.en_passant) | (ONE << (self.en_passant + 8))
            if pieces & occupied or not self.can_capture_en_passant(0):
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
    def can_capture_en_passant(self, us):
        """True if a pawn of a side can capture on the en passant square."""
        pawns: cython.ulonglong = pawn(us ^ 1, self.en_passant) & self.kinds[PAWN] & self.colours[us]
        while pawns:
            if self.is_legal_en_passant(lowest(pawns), us):
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
        if self.en_passant >= 0:  # the double step is the only such move
            return self.add_predecessors(base, PAWN, self.en_passant ^ 8, (self.en_passant ^ 8) + 2 * up)
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
                    base = self.add_predecessors(base, kind, at, lowest(targets))
                    targets &= targets - 1
        pieces = self.kinds[PAWN] & self.colours[them]
        while pieces:
            at = lowest(pieces)
            pieces &= pieces - 1
            if (at + up) & 56 in (0, 56) or (occupied >> (at + up)) & 1:
                continue
            base = self.add_predecessors(base, PAWN, at, at + up)
            if at >> 3 == (4 if them else 3) and not (occupied >> (at + 2 * up)) & 1:
                self.en_passant = at ^ 8
                taken: cython.bint = self.can_capture_en_passant(us)
                self.en_passant = -1
                if not taken:  # else it leads to the position with the en passant square
                    base = self.add_predecessors(base, PAWN, at, at + 2 * up)
        return base

    @cython.final
    def add_predecessors(self, base, kind, at, start):
        """Write the position before the piece on `at` moved there from `start`.

        Also write it with each pawn of the other side that could have been captured en passant then.
        """
        us: cython.int = self.turn
        them: cython.int = us ^ 1
        en_passant: cython.int = self.en_passant
        change: cython.ulonglong = (ONE << at) | (ONE << start)
        self.kinds[kind] ^= change
        self.colours[them] ^= change
        self.en_passant = -1
        occupied: cython.ulonglong = self.colours[0] | self.colours[1]
        if self.is_safe(lowest(self.kinds[KING] & self.colours[us]), them, occupied):
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
                if not behind & occupied and self.can_capture_en_passant(them):
                    self.stack[base] = self.rank()
                    self.weight[base] = self.slice
                    base += 1
            self.turn = us
        self.kinds[kind] ^= change
        self.colours[them] ^= change
        self.en_passant = en_passant
        return base

    def orbit_size(self):
        if self.kinds[PAWN]:
            return 2
        own_king: cython.int = lowest(self.kinds[KING] & self.colours[self.turn])
        other_king: cython.int = lowest(self.kinds[KING] & self.colours[self.turn ^ 1])
        flip: cython.int = 56 if self.turn else 0
        symmetry: cython.int = TO_TRIANGLE[own_king ^ flip]
        own_king = TRANSFORMED[64 * symmetry + (own_king ^ flip)]
        other_king = TRANSFORMED[64 * symmetry + (other_king ^ flip)]
        if own_king % 9 or other_king % 9:
            return 8
        return 8 if self.encode(symmetry, flip, 0) != self.encode(symmetry ^ DIAGONAL, flip, 0) else 4

    def slices(self, pieces):
        """The slices with so many pieces, those without pawns first."""
        sides = [side for count in range(pieces - 1) for side in material_counts(count)]
        pairs = [(one, two) for one in sides for two in sides if sum(one) + sum(two) == pieces - 2]
        pairs = [(one, two) for one, two in pairs if (sum(one), one) >= (sum(two), two)]
        pairs.sort(key=lambda pair: (pair[0][4] + pair[1][4], pair))
        return [tuple(dict.fromkeys([pack_slice(one, two), pack_slice(two, one)])) for one, two in pairs]

    def slice_name(self, slice):
        """Its pieces, the mover's first: `KQvK`."""
        own, other = unpack_slice(slice)
        letters = [
            "K" + "".join([a * b for a, b in zip("QRBNP", side, strict=True)]) for side in (own, other)
        ]
        return "v".join(letters)

    def span(self, slice):
        """The numbers in a slice."""
        own, other = unpack_slice(slice)
        size: cython.longlong = PAIRS_WITH_PAWNS if own[4] or other[4] else PAIRS_WITHOUT_PAWNS
        rooms = [64] * 4 + [64 if own[4] and other[4] else 48]
        for side in (own, other):
            for room, count in zip(rooms, side, strict=True):
                size *= choose(room, count)
        return size

    def leads(self, slice):
        """The slices that captures and promotions lead to, where the other side is to move."""
        own, other = unpack_slice(slice)
        own_sides = [own, *[adjust_count(adjust_count(own, 4, -1), kind, 1) for kind in range(4) if own[4]]]
        other_sides = [other, *[adjust_count(other, kind, -1) for kind in range(5) if other[kind]]]
        same_material = (pack_slice(other, own), slice)
        leads = [pack_slice(two, one) for one in own_sides for two in other_sides]
        return [lead for lead in dict.fromkeys(leads) if lead not in same_material]


def material_counts(count):
    """All tuples (queens, rooks, bishops, knights, pawns) with `count` pieces, at most seven of each."""
    counts = [(a, b, c, d) for a in range(8) for b in range(8) for c in range(8) for d in range(8)]
    return [(*four, count - sum(four)) for four in counts if 0 <= count - sum(four) < 8]


def pack_slice(own, other):
    """Encode a slice from the piece counts of the mover and of the other side."""
    slice = 0
    for count in (*own, *other):
        slice = slice << 3 | count
    return slice


def unpack_slice(slice):
    """The piece counts of the mover and of the other side in a slice."""
    counts = tuple([slice >> shift & 7 for shift in range(27, -1, -3)])
    return counts[:5], counts[5:]


def adjust_count(side, kind, by):
    """Piece counts with one of them changed by `by`."""
    return (*side[:kind], side[kind] + by, *side[kind + 1 :])
