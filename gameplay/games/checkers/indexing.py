# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Indexing of checkers positions for endgame tables.  C types: indexing.pxd.

A slice is a material balance: the men and kings of the mover, then of the other side, four bits each. The
side to move plays down the board, so the other side's men are on squares 5 to 32. A position's index in its
slice is composed of the ranks of the square sets of each kind of piece.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.checkers.board import CheckersBoard

if cython.compiled:
    from cython.cimports.gameplay.native.bits import popcount, reversed_bits
    from cython.cimports.gameplay.native.subsets import choose, subset_from_index, subset_index
else:
    from gameplay.native.bits import popcount, reversed_bits
    from gameplay.native.subsets import choose, subset_from_index, subset_index

ALL = cython.declare(cython.ulonglong, 0x7FBFDFEFF)
LAST = cython.declare(cython.ulonglong, 0xFF000000)  # the last eight of 32 squares
MAX_PIECES = cython.declare(cython.int, 8)  # of a side; positions with more have no index


class IndexedCheckers(CheckersBoard):
    """A board that indexes positions with few pieces."""

    def pieces(self):
        return popcount(self.black | self.white)

    def unrank(self, slice, number):
        men: cython.int = (slice >> 8) & 15
        crowned: cython.int = slice >> 12
        count: cython.longlong = choose(32, crowned)
        kings: cython.ulonglong = subset_from_index(number % count, crowned)
        number //= count
        count = choose(28, men)
        white: cython.ulonglong = subset_from_index(number % count, men) << 4
        number //= count
        if white & kings:
            return False
        white |= kings
        crowned = (slice >> 4) & 15
        count = choose(32, crowned)
        queens: cython.ulonglong = subset_from_index(number % count, crowned)
        number //= count
        black: cython.ulonglong = subset_from_index(number, slice & 15)
        if black & queens or (black | queens) & white:
            return False
        self.black = expand(black | queens)
        self.white = expand(white)
        self.kings = expand(kings | queens)
        self.turn = 0
        self.clock = 0
        self.ply = 0
        self.root = 0
        return True

    def rank(self):
        own: cython.ulonglong = self.white if self.turn else self.black
        other: cython.ulonglong = self.black if self.turn else self.white
        men: cython.ulonglong = compress(own & ~self.kings)
        kings: cython.ulonglong = compress(own & self.kings)
        others: cython.ulonglong = compress(other & ~self.kings)
        crowned: cython.ulonglong = compress(other & self.kings)
        if self.turn:
            men, kings, others, crowned = rotate(men), rotate(kings), rotate(others), rotate(crowned)
        if not own or not other or popcount(own) > MAX_PIECES or popcount(other) > MAX_PIECES:
            return -1
        a: cython.int = popcount(kings)
        b: cython.int = popcount(others)
        c: cython.int = popcount(crowned)
        self.slice = popcount(men) | (a << 4) | (b << 8) | (c << 12)
        number: cython.longlong = subset_index(men)
        number = number * choose(32, a) + subset_index(kings)
        number = number * choose(28, b) + subset_index(others >> 4)
        return number * choose(32, c) + subset_index(crowned)

    def gen_before(self, base):
        """Retract the steps of the side that has just moved. It had no jump, since jumps are mandatory."""
        other: cython.ulonglong = self.black if self.turn else self.white
        empty: cython.ulonglong = ALL & ~(self.black | self.white)
        crowned: cython.ulonglong = self.kings
        direction: cython.int
        self.turn ^= 1
        while other:
            bit: cython.ulonglong = other & (~other + 1)
            other ^= bit
            for direction in range(4):
                if not crowned & bit and (direction < 2) != (self.turn == 1):
                    continue  # men only move forward
                to: cython.ulonglong = bit << (4 + direction) if direction < 2 else bit >> (2 + direction)
                if not to & empty:
                    continue
                self.step_back(bit, to)
                if not self.can_capture():
                    self.stack[base] = self.rank()
                    self.weight[base] = self.slice
                    base += 1
                self.step_back(to, bit)
        self.turn ^= 1
        return base

    def step_back(self, bit, to):
        """Move a piece of the side to move to another square."""
        if self.turn:
            self.white ^= bit | to
        else:
            self.black ^= bit | to
        if self.kings & bit:
            self.kings ^= bit | to

    def slices(self, pieces):
        """The slices with `pieces` pieces, successors by crowning first."""
        sides = [(men, count - men) for count in range(1, min(pieces, 13)) for men in range(count + 1)]
        pairs = [(one, two) for one in sides for two in sides if sum(one) + sum(two) == pieces]
        pairs = [(one, two) for one, two in pairs if (sum(one), one[1]) >= (sum(two), two[1])]
        pairs.sort(key=lambda pair: (pair[0][0] + pair[1][0], pair))
        return [tuple(dict.fromkeys([pack_slice(one, two), pack_slice(two, one)])) for one, two in pairs]

    def slice_name(self, slice):
        """The name of a slice, the mover's pieces first: `MKvK`."""
        a, b, c, d = [slice >> shift & 15 for shift in (0, 4, 8, 12)]
        return "K" * b + "M" * a + "v" + "K" * d + "M" * c

    def span(self, slice):
        """The size of a slice."""
        a: cython.longlong = choose(28, slice & 15)
        b: cython.longlong = choose(32, slice >> 4 & 15)
        c: cython.longlong = choose(28, slice >> 8 & 15)
        d: cython.longlong = choose(32, slice >> 12)
        return a * b * c * d

    def leads(self, slice):
        """The successor slices by crowning and jumping, with the other side to move."""
        a, b, c, d = [slice >> shift & 15 for shift in (0, 4, 8, 12)]
        movers = [(a, b)] + [(a - 1, b + 1)] * (a > 0)
        slices = [
            pack_slice((men, kings), own) for own in movers for men in range(c + 1) for kings in range(d + 1)
        ]
        stays = (pack_slice((c, d), (a, b)), slice)
        return [packed for packed in slices if packed & 255 and packed not in stays]


def pack_slice(own, other):
    """The slice of the mover's and the other side's (men, kings)."""
    return own[0] | own[1] << 4 | other[0] << 8 | other[1] << 12


def compress(bits):
    """Compress a board to 32 bits, without the unused bits."""
    return (bits & 0xFF) | ((bits >> 1) & 0xFF00) | ((bits >> 2) & 0xFF0000) | ((bits >> 3) & LAST)


def expand(squares):
    """The inverse of `compress`."""
    return (
        (squares & 0xFF) | ((squares & 0xFF00) << 1) | ((squares & 0xFF0000) << 2) | ((squares & LAST) << 3)
    )


def rotate(squares):
    """The 32 squares as seen from the other side of the board."""
    return reversed_bits(squares) >> 32
