# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The board of English draughts as bitboards, and its moves.  C types: board.pxd.

The squares have the numbers of the game's books, black at the top. Each is a bit; after every eight squares
one bit stays free, so that the neighbours of a square are always 4 and 5 bits away and nothing wraps round
an edge (A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers, 1959):

       square                            bit                               direction from a square
          1   2   3   4                     0   1   2   3
        5   6   7   8                     4   5   6   7                    -5     -4
          9  10  11  12                     9  10  11  12                    \\   /
       13  14  15  16                    13  14  15  16                       sq        3   2
         17  18  19  20                    18  19  20  21                    /   \\      number
       21  22  23  24                    22  23  24  25                    +4     +5    0   1
         25  26  27  28                    27  28  29  30
       29  30  31  32                    31  32  33  34

A move is its start square and its directions; a jump takes at most 9 pieces:

    bits 0-4    square - 1
    bits 5-23   a slide: its direction, 0 to 3
                jumps: the direction of the first in the lowest two bits, then the second, ..., then a one

Two paths to the same end with the same captures are two moves, as in published perft counts.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.checkers.notation import ENGLISH
from gameplay.games.shared.draughts.pieces import DraughtsPieces

if cython.compiled:
    from cython.cimports.gameplay.games.shared.draughts.pieces import push_undo
    from cython.cimports.gameplay.native.bits import ONE, lowest, popcount
else:
    from gameplay.games.shared.draughts.pieces import push_undo
    from gameplay.native.bits import ONE, lowest, popcount

ALL = cython.declare(cython.ulonglong, 0x7FBFDFEFF)
NORTH = cython.declare(cython.ulonglong, 0x00000000F)  # squares 1 to 4: white men become kings
SOUTH = cython.declare(cython.ulonglong, 0x780000000)  # squares 29 to 32: black men do

# Directions that a piece may go, a bit each.
DOWN, UP, BOTH = cython.declare(cython.int, 3), cython.declare(cython.int, 12), cython.declare(cython.int, 15)

if not cython.compiled:

    def shift_squares(squares, direction):
        """The neighbours of squares in a direction, modulo 4."""
        bits = 4 + (direction & 1)
        return squares >> bits if direction & 2 else squares << bits


class CheckersBoard(DraughtsPieces):
    """Pieces and move generation; draws and values are in game.py."""

    cell_shape = (8, 8)
    cell_letters = ("", "b", "w", "B", "W")

    def __init__(self, automatic):
        # At most 12 kings with their steps; there are at most 40 jumps.
        DraughtsPieces.__init__(self, ENGLISH, automatic, 48)

    # -- moves ---------------------------------------------------------------------------------

    def gen(self, base):
        own: cython.ulonglong = self.white if self.turn else self.black
        end: cython.int = self.gen_captures(base)
        if end > base:
            return end
        empty: cython.ulonglong = ALL & ~(self.black | self.white)
        down: cython.ulonglong = own & self.kings if self.turn else own
        up: cython.ulonglong = own if self.turn else own & self.kings
        direction: cython.int
        for direction in range(4):
            pieces: cython.ulonglong = shift_squares(empty, direction ^ 2) & (up if direction & 2 else down)
            while pieces:
                bit: cython.int = lowest(pieces)
                self.stack[end] = (bit - bit // 9) | (direction << 5)
                end += 1
                pieces &= pieces - 1
        return end

    def gen_captures(self, base):
        """Write every jump to stack[base:], return the end."""
        own: cython.ulonglong = self.white if self.turn else self.black
        other: cython.ulonglong = self.black if self.turn else self.white
        empty: cython.ulonglong = ALL & ~(own | other)
        down: cython.ulonglong = own & self.kings if self.turn else own
        up: cython.ulonglong = own if self.turn else own & self.kings
        pieces: cython.ulonglong = jumpers(down, up, other, empty)
        while pieces:
            bit: cython.ulonglong = pieces & (~pieces + 1)
            pieces ^= bit
            at: cython.int = lowest(bit)
            directions: cython.int = BOTH if bit & self.kings else UP if self.turn else DOWN
            base = self.extend_jumps(base, bit, at - at // 9, 0, other, empty | bit, directions)
        return base

    def extend_jumps(self, base, bit, path, jumps, other, empty, directions):
        """Write all continuations of the jump `path` that has reached `bit`, or `path` if it must stop.

        Captured pieces are removed from `other`; a man stops on the last row.
        """
        start: cython.int = base
        shift: cython.int = 5 + 2 * jumps
        direction: cython.int
        for direction in range(4):
            over: cython.ulonglong = shift_squares(bit, direction) & other
            land: cython.ulonglong = shift_squares(over, direction) & empty
            if land and directions >> direction & 1:
                base = self.extend_jumps(
                    base, land, path | (direction << shift), jumps + 1, other ^ over, empty, directions
                )
        if base == start:
            self.stack[base] = path | (1 << shift)
            base += 1
        return base

    def read_cells(self, codes):
        place: cython.int
        square: cython.int = 0
        for place in range(64):
            codes[place] = 0
            if place + (place >> 3) & 1:  # a dark square: numbered in the same order
                bit: cython.ulonglong = ONE << (square + square // 8)
                square += 1
                if (self.black | self.white) & bit:
                    codes[place] = (1 if self.black & bit else 2) + (2 if self.kings & bit else 0)

    def push(self, move):
        push_undo(self)
        square: cython.int = move & 31
        bit: cython.ulonglong = ONE << (square + (square >> 3))
        land: cython.ulonglong = bit
        taken: cython.ulonglong = 0
        path: cython.int = move >> 5
        self.clock += 1
        if path < 4:
            land = shift_squares(land, path)
        else:
            self.clock = 0
            while path > 1:
                over: cython.ulonglong = shift_squares(land, path)
                land = shift_squares(over, path)
                taken |= over
                path >>= 2
        if self.turn:
            self.white = (self.white ^ bit) | land
            self.black ^= taken
        else:
            self.black = (self.black ^ bit) | land
            self.white ^= taken
        if self.kings & bit:
            self.kings = (self.kings ^ bit) | land
        else:
            self.clock = 0
            self.kings |= land & (NORTH if self.turn else SOUTH)
        self.kings &= ~taken
        self.turn ^= 1

    # -- counting moves without writing them ---------------------------------------------------

    def leaves(self, base, depth):
        if depth <= 1:
            return self.count()
        total: cython.longlong = 0
        end: cython.int = self.gen(base)
        i: cython.int
        for i in range(base, end):
            self.push(self.stack[i])
            total += self.leaves(end, depth - 1)
            self.pop(self.stack[i])
        return total

    def count(self):
        """The number of moves."""
        own: cython.ulonglong = self.white if self.turn else self.black
        other: cython.ulonglong = self.black if self.turn else self.white
        empty: cython.ulonglong = ALL & ~(own | other)
        down: cython.ulonglong = own & self.kings if self.turn else own
        up: cython.ulonglong = own if self.turn else own & self.kings
        total: cython.int = 0
        pieces: cython.ulonglong = jumpers(down, up, other, empty)
        if pieces:
            while pieces:
                bit: cython.ulonglong = pieces & (~pieces + 1)
                pieces ^= bit
                directions: cython.int = BOTH if bit & self.kings else UP if self.turn else DOWN
                total += self.count_jumps(bit, other, empty | bit, directions)
            return total
        total = popcount(down & (empty >> 4)) + popcount(down & (empty >> 5)) if down else 0
        if up:
            total += popcount(up & (empty << 4)) + popcount(up & (empty << 5))
        return total

    def count_jumps(self, bit, other, empty, directions):
        """The number of paths on which the piece at `bit` can continue jumping, 0 if it must stop."""
        total: cython.int = 0
        if directions & 1 and (bit << 4) & other and (bit << 8) & empty:
            more: cython.int = self.count_jumps(bit << 8, other ^ (bit << 4), empty, directions)
            total += more if more else 1
        if directions & 2 and (bit << 5) & other and (bit << 10) & empty:
            more = self.count_jumps(bit << 10, other ^ (bit << 5), empty, directions)
            total += more if more else 1
        if directions & 4 and (bit >> 4) & other and (bit >> 8) & empty:
            more = self.count_jumps(bit >> 8, other ^ (bit >> 4), empty, directions)
            total += more if more else 1
        if directions & 8 and (bit >> 5) & other and (bit >> 10) & empty:
            more = self.count_jumps(bit >> 10, other ^ (bit >> 5), empty, directions)
            total += more if more else 1
        return total

    def can_capture(self):
        own: cython.ulonglong = self.white if self.turn else self.black
        other: cython.ulonglong = self.black if self.turn else self.white
        down: cython.ulonglong = own & self.kings if self.turn else own
        up: cython.ulonglong = own if self.turn else own & self.kings
        return jumpers(down, up, other, ALL & ~(own | other)) != 0

    def can_move(self):
        """True if the side to move has a move."""
        own: cython.ulonglong = self.white if self.turn else self.black
        empty: cython.ulonglong = ALL & ~(self.black | self.white)
        down: cython.ulonglong = own & self.kings if self.turn else own
        up: cython.ulonglong = own if self.turn else own & self.kings
        if (down & ((empty >> 4) | (empty >> 5))) | (up & ((empty << 4) | (empty << 5))):
            return True
        return self.can_capture()


def jumpers(down, up, other, empty):
    """The pieces that can jump; `down`, `up`: those that move down and up the board."""
    return (down & ((((empty >> 4) & other) >> 4) | (((empty >> 5) & other) >> 5))) | (
        up & ((((empty << 4) & other) << 4) | (((empty << 5) & other) << 5))
    )
