# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""English draughts (American checkers) on bitboards.  C types: game.pxd.

The squares have the numbers of the game's books, black at the top. Each is a bit; after every eight squares
one bit stays free, so that the neighbours of a square are always 4 and 5 bits away and nothing wraps round
an edge (A. L. Samuel, Some Studies in Machine Learning Using the Game of Checkers, 1959):

       square                            bit                               way from a square
          1   2   3   4                     0   1   2   3
        5   6   7   8                     4   5   6   7                    -5     -4
          9  10  11  12                     9  10  11  12                    \\   /
       13  14  15  16                    13  14  15  16                       sq        3   2
         17  18  19  20                    18  19  20  21                    /   \\       way
       21  22  23  24                    22  23  24  25                    +4     +5    0   1
         25  26  27  28                    27  28  29  30
       29  30  31  32                    31  32  33  34

A move is the square it leaves and the ways it goes, a jump over 9 pieces (there is no longer one) being

    bits 0-4    square - 1
    bits 5-23   a slide: its way, 0 to 3
                jumps: the way of the first in the lowest two bits, then the second, ..., then a one

Two ways round to the same end, taking the same pieces, are two moves, as in published counts.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import re

from gameplay import kernel
from gameplay.board import Board
from gameplay.errors import BadInput, IllegalMove, nearest
from gameplay.games.checkers.evaluation import EVALUATIONS
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free, PyMem_Realloc
    from cython.cimports.gameplay.games.checkers.evaluation import CheckersEvaluation
    from cython.cimports.gameplay.games.checkers.samuel import SamuelTerms
    from cython.cimports.gameplay.native.bits import M64, ONE, lowest, popcount
    from cython.cimports.gameplay.native.hashing import GOLDEN, MIX_1, MIX_2, finalize
    from cython.cimports.gameplay.native.subsets import choose, number_of, numbered
else:
    from gameplay.games.checkers.evaluation import CheckersEvaluation
    from gameplay.games.checkers.samuel import SamuelTerms
    from gameplay.native.bits import M64, ONE, lowest, popcount
    from gameplay.native.hashing import GOLDEN, MIX_1, MIX_2, finalize
    from gameplay.native.subsets import choose, number_of, numbered

ASKED = cython.declare(cython.int, kernel.ASKED)
M32 = cython.declare(cython.ulonglong, 0xFFFFFFFF)
LAST = cython.declare(cython.ulonglong, 0xFF000000)  # the last eight of 32 squares
ALL = cython.declare(cython.ulonglong, 0x7FBFDFEFF)
NUMBERED = cython.declare(cython.int, 8)  # pieces of a side: positions of more have no numbers in tables
NORTH = cython.declare(cython.ulonglong, 0x00000000F)  # squares 1 to 4: white men become kings
SOUTH = cython.declare(cython.ulonglong, 0x780000000)  # squares 29 to 32: black men do
BLACK = cython.declare(cython.ulonglong, 0x000001EFF)  # where the men stand at the start
WHITE = cython.declare(cython.ulonglong, 0x7FBC00000)

# Ways that a piece may go, a bit each.
DOWN, UP, BOTH = cython.declare(cython.int, 3), cython.declare(cython.int, 12), cython.declare(cython.int, 15)

# Steps of the finaliser of SplitMix64 (Steele, Lea and Flood 2014): each is one to one, and mixes well.

# What score() makes of a man, a king and a crown, about; for gain().
MAN, KING, CROWN = (
    cython.declare(cython.int, 100),
    cython.declare(cython.int, 140),
    cython.declare(cython.int, 40),
)

SPARE = 1024  # plies that a search may look ahead
WORDS = cython.declare(cython.int, 4)  # of a position in `past`
PATIENCE = cython.declare(cython.int, 80)  # plies without progress that make a draw
LASTING = cython.declare(cython.int, 1 << 20)  # plies that a game may go on where no draw ends it

STEPS = (4, 5, -4, -5)
EXAMPLE = "B:W18,24,K10:B12,K22"


class Checkers(Kernel):
    """English draughts: men step and jump forwards, kings both ways; who cannot move has lost.

    Black begins, from squares 1 to 12. A piece steps diagonally to an empty square ahead, or jumps over an
    opponent's piece to the empty square behind and takes it. Who can jump must, and jumps on with the same
    piece as long as it can; which jump, they may choose. A man that comes to the last row is a king from the
    next move on. A game is drawn if a position occurs for the third time with the same side to move, or if
    both sides have made 40 moves without taking a piece or moving a man; with `automatic=off` it goes on, as
    in records that were played on beyond a draw.

    A move is squares: `11-15`; a jump `22x15`, with every landing `22x15x8`. The ends are enough where only
    one jump has them: `22x8`. A position is a PDN FEN: the side to move, then the pieces, K before a king:
    `B:W18,24,K10:B12,K22`; ranges are fine, as is `:H12` at the end for 12 plies without progress. Moves
    may follow, or stand alone from the start: `11-15 23-19`.
    """

    sides = ("black", "white")
    records = ".pdn"  # the format of its files
    aliases = {"red": 0, "dark": 0, "b": 0, "light": 1, "w": 1}
    evaluations = EVALUATIONS
    unit = 100
    unit_names = ("man", "men")
    swing = 60  # selective search with it beat the plain one by 58 Elo (60 games, 4000 nodes a move)
    has_noisy = True
    draw_offers = True
    remembers = True

    def __init__(self, automatic: cython.bint = True):
        Kernel.__init__(self, 48)  # 12 kings that step; jumps are never more than 40
        self.exhausts = True
        self.automatic = automatic
        self.sums = CheckersEvaluation()
        self.terms = SamuelTerms()
        self.room = 0
        if not cython.compiled:
            self.past = []
        self.place_pieces(BLACK, WHITE, 0, 0, 0)

    def __dealloc__(self):
        PyMem_Free(self.past)

    @property
    def finite(self):
        """False where only want of moves ends a game."""
        return bool(self.automatic)

    @staticmethod
    def fits(automatic=True):
        """True: there is one board."""
        return True

    def place_pieces(self, black, white, kings, turn, clock):
        """Begin here, with no past."""
        self.black = black
        self.white = white
        self.kings = kings
        self.turn = turn
        self.clock = clock
        self.ply = 0
        self.root = 0
        self.made.clear()
        self.widen()

    def widen(self):
        """Make room in `past` for all that a search may play from here."""
        if self.ply + SPARE <= self.room:
            return
        room: cython.int = 2 * (self.ply + SPARE)
        if cython.compiled:
            past: cython.p_ulonglong = cython.cast(
                cython.p_ulonglong,
                PyMem_Realloc(self.past, room * WORDS * cython.sizeof(cython.ulonglong)),
            )
            if past == cython.NULL:
                raise MemoryError
            self.past = past
        else:
            self.past = self.past + [0] * (room * WORDS - len(self.past))
        self.room = room

    # -- moves ---------------------------------------------------------------------------------

    def gen(self, base):
        own: cython.ulonglong = self.white if self.turn else self.black
        end: cython.int = self.jumps(base)
        if end > base:
            return end
        empty: cython.ulonglong = ALL & ~(self.black | self.white)
        down: cython.ulonglong = own & self.kings if self.turn else own
        up: cython.ulonglong = own if self.turn else own & self.kings
        found: cython.ulonglong
        bit: cython.int
        way: cython.int
        for way in range(4):
            if way == 0:
                found = down & (empty >> 4)
            elif way == 1:
                found = down & (empty >> 5)
            elif way == 2:
                found = up & (empty << 4)
            else:
                found = up & (empty << 5)
            while found:
                bit = lowest(found)
                self.stack[end] = (bit - bit // 9) | (way << 5)
                end += 1
                found &= found - 1
        return end

    def jumps(self, base):
        """Write every jump to stack[base:], return the end."""
        own: cython.ulonglong = self.white if self.turn else self.black
        other: cython.ulonglong = self.black if self.turn else self.white
        empty: cython.ulonglong = ALL & ~(own | other)
        down: cython.ulonglong = own & self.kings if self.turn else own
        up: cython.ulonglong = own if self.turn else own & self.kings
        found: cython.ulonglong = (down & ((((empty >> 4) & other) >> 4) | (((empty >> 5) & other) >> 5))) | (
            up & ((((empty << 4) & other) << 4) | (((empty << 5) & other) << 5))
        )
        bit: cython.ulonglong
        at: cython.int
        ways: cython.int
        while found:
            bit = found & (~found + 1)
            found ^= bit
            at = lowest(bit)
            ways = BOTH if bit & self.kings else UP if self.turn else DOWN
            base = self.leap(base, bit, at - at // 9, 0, other, empty | bit, ways)
        return base

    def leap(self, base, bit, path, jumps, other, empty, ways):
        """Write all jumps of the piece at `bit`, which got there by `path`, or that path if it must stop.

        A piece that was jumped over is gone from `other`; a man on the last row has no way left by itself.
        """
        begun: cython.int = base
        if ways & 1 and (bit << 4) & other and (bit << 8) & empty:
            base = self.leap(base, bit << 8, path, jumps + 1, other ^ (bit << 4), empty, ways)
        if ways & 2 and (bit << 5) & other and (bit << 10) & empty:
            base = self.leap(
                base, bit << 10, path | (1 << (5 + 2 * jumps)), jumps + 1, other ^ (bit << 5), empty, ways
            )
        if ways & 4 and (bit >> 4) & other and (bit >> 8) & empty:
            base = self.leap(
                base, bit >> 8, path | (2 << (5 + 2 * jumps)), jumps + 1, other ^ (bit >> 4), empty, ways
            )
        if ways & 8 and (bit >> 5) & other and (bit >> 10) & empty:
            base = self.leap(
                base, bit >> 10, path | (3 << (5 + 2 * jumps)), jumps + 1, other ^ (bit >> 5), empty, ways
            )
        if base == begun:
            self.stack[base] = path | (1 << (5 + 2 * jumps))
            base += 1
        return base

    def push(self, move):
        i: cython.int = self.ply * WORDS
        self.past[i] = self.black
        self.past[i + 1] = self.white
        self.past[i + 2] = self.kings
        self.past[i + 3] = self.clock
        self.ply += 1
        square: cython.int = move & 31
        bit: cython.ulonglong = ONE << (square + (square >> 3))
        land: cython.ulonglong = bit
        over: cython.ulonglong
        taken: cython.ulonglong = 0
        path: cython.int = move >> 5
        self.clock += 1
        if path < 4:
            land = land << (4 + path) if path < 2 else land >> (2 + path)
        else:
            self.clock = 0
            while path > 1:
                if path & 2:
                    over = land >> 5 if path & 1 else land >> 4
                    land = over >> 5 if path & 1 else over >> 4
                else:
                    over = land << 5 if path & 1 else land << 4
                    land = over << 5 if path & 1 else over << 4
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

    def pop(self, move):
        self.ply -= 1
        i: cython.int = self.ply * WORDS
        self.black = self.past[i]
        self.white = self.past[i + 1]
        self.kings = self.past[i + 2]
        self.clock = self.past[i + 3]
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
        """How many moves there are."""
        own: cython.ulonglong = self.white if self.turn else self.black
        other: cython.ulonglong = self.black if self.turn else self.white
        empty: cython.ulonglong = ALL & ~(own | other)
        down: cython.ulonglong = own & self.kings if self.turn else own
        up: cython.ulonglong = own if self.turn else own & self.kings
        total: cython.int = 0
        found: cython.ulonglong = (down & ((((empty >> 4) & other) >> 4) | (((empty >> 5) & other) >> 5))) | (
            up & ((((empty << 4) & other) << 4) | (((empty << 5) & other) << 5))
        )
        bit: cython.ulonglong
        ways: cython.int
        if found:
            while found:
                bit = found & (~found + 1)
                found ^= bit
                ways = BOTH if bit & self.kings else UP if self.turn else DOWN
                total += self.trails(bit, other, empty | bit, ways)
            return total
        total = popcount(down & (empty >> 4)) + popcount(down & (empty >> 5)) if down else 0
        if up:
            total += popcount(up & (empty << 4)) + popcount(up & (empty << 5))
        return total

    def trails(self, bit, other, empty, ways):
        """How many ways there are to jump on from `bit`, with all that follows."""
        total: cython.int = 0
        more: cython.int
        if ways & 1 and (bit << 4) & other and (bit << 8) & empty:
            more = self.trails(bit << 8, other ^ (bit << 4), empty, ways)
            total += more if more else 1
        if ways & 2 and (bit << 5) & other and (bit << 10) & empty:
            more = self.trails(bit << 10, other ^ (bit << 5), empty, ways)
            total += more if more else 1
        if ways & 4 and (bit >> 4) & other and (bit >> 8) & empty:
            more = self.trails(bit >> 8, other ^ (bit >> 4), empty, ways)
            total += more if more else 1
        if ways & 8 and (bit >> 5) & other and (bit >> 10) & empty:
            more = self.trails(bit >> 10, other ^ (bit >> 5), empty, ways)
            total += more if more else 1
        return total

    # -- the end -------------------------------------------------------------------------------

    def can_jump(self):
        """Can the side to move jump?"""
        own: cython.ulonglong = self.white if self.turn else self.black
        other: cython.ulonglong = self.black if self.turn else self.white
        empty: cython.ulonglong = ALL & ~(own | other)
        down: cython.ulonglong = own & self.kings if self.turn else own
        up: cython.ulonglong = own if self.turn else own & self.kings
        return (
            (down & ((((empty >> 4) & other) >> 4) | (((empty >> 5) & other) >> 5)))
            | (up & ((((empty << 4) & other) << 4) | (((empty << 5) & other) << 5)))
        ) != 0

    def can_move(self):
        """Can the side to move move at all?"""
        own: cython.ulonglong = self.white if self.turn else self.black
        empty: cython.ulonglong = ALL & ~(self.black | self.white)
        down: cython.ulonglong = own & self.kings if self.turn else own
        up: cython.ulonglong = own if self.turn else own & self.kings
        if (down & ((empty >> 4) | (empty >> 5))) | (up & ((empty << 4) | (empty << 5))):
            return True
        return self.can_jump()

    def result(self):
        if not self.can_move():
            return 1
        if self.automatic and self.clock >= 8 and (self.clock >= PATIENCE or self.times(0) >= 2):
            return 2
        return 0

    def ending(self):
        """By what a drawn game ended; a won one always by leaving the other side no move."""
        if self.result() != 2:
            return ""
        return (
            "40 moves of each side without progress"
            if self.clock >= PATIENCE
            else "the position for the third time"
        )

    def times(self, since):
        """How often the position occurred before, from the ply `since` on."""
        first: cython.int = self.ply - self.clock
        if first < since:
            first = since
        found: cython.int = 0
        i: cython.int = self.ply - 4
        while i >= first:
            if self.alike(i):
                found += 1
            i -= 2
        return found

    def alike(self, ply):
        """Are the pieces where they were at that ply?"""
        i: cython.int = ply * WORDS
        return (
            self.past[i] == self.black and self.past[i + 1] == self.white and self.past[i + 2] == self.kings
        )

    def repeated(self):
        return self.clock >= 4 and self.times(self.root) > 0

    # -- for search ----------------------------------------------------------------------------

    def hash(self):
        h: cython.ulonglong = (self.black * MIX_1 + GOLDEN) & M64
        h = ((h ^ (h >> 30)) + self.white * MIX_2) & M64
        h = ((h ^ (h >> 27)) * MIX_1) & M64
        h = ((h ^ (h >> 31)) + self.kings * GOLDEN + self.turn) & M64
        return finalize(h)

    def score(self):
        if self.form:
            if self.form == ASKED:
                return self.ask()
            return self.terms.value(self.black, self.white, self.kings, self.turn)
        return self.sums.strong(self.black, self.white, self.kings, self.turn)

    def weigh(self, evaluation):
        """Take the tables of other weights."""
        if evaluation.name == "samuel":
            self.terms = SamuelTerms(evaluation.weights)
        else:
            self.sums = CheckersEvaluation(evaluation)

    def gain(self, move):
        square: cython.int = move & 31
        land: cython.ulonglong = ONE << (square + (square >> 3))
        path: cython.int = move >> 5
        value: cython.int = CROWN
        if self.kings & land or (self.turn and square > 7) or (not self.turn and square < 24):
            value = 0
        if path < 4:
            return value
        # A jump comes from further away, and what it takes counts more than a crown.
        value = 0
        over: cython.ulonglong
        while path > 1:
            if path & 2:
                over = land >> 5 if path & 1 else land >> 4
                land = over >> 5 if path & 1 else over >> 4
            else:
                over = land << 5 if path & 1 else land << 4
                land = over << 5 if path & 1 else over << 4
            value += KING if over & self.kings else MAN
            path >>= 2
        return value

    def hint(self, move):
        return self.gain(move)

    def gen_noisy(self, base):
        end: cython.int = self.jumps(base)
        self.is_forced = end > base
        return end

    def threatened(self):
        return self.can_jump()

    def history_index(self, move):
        """A slide: its square and way, and whether a king makes it; a jump: its square and first ways."""
        square: cython.int = move & 31
        if move < 128:
            return move | (128 if self.kings >> (square + (square >> 3)) & 1 else 0)
        return 256 | square | ((move >> 5) & 15) << 5 | (2048 if move >= 2048 else 0)

    # -- positions by number -------------------------------------------------------------------
    #
    # A slice is the pieces of the mover and of the other side, four bits each: men, kings, men, kings. The
    # side to move plays down the board, so that the other side's men stand on the squares 5 to 32.

    def patience(self):
        return PATIENCE - self.clock if self.automatic else LASTING

    def pieces(self):
        return popcount(self.black | self.white)

    def unranked(self, slice, number):
        men: cython.int = (slice >> 8) & 15
        crowned: cython.int = slice >> 12
        count: cython.longlong = choose(32, crowned)
        kings: cython.ulonglong = numbered(number % count, crowned)
        number //= count
        count = choose(28, men)
        white: cython.ulonglong = numbered(number % count, men) << 4
        number //= count
        if white & kings:
            return False
        white |= kings
        crowned = (slice >> 4) & 15
        count = choose(32, crowned)
        queens: cython.ulonglong = numbered(number % count, crowned)
        number //= count
        black: cython.ulonglong = numbered(number, slice & 15)
        if black & queens or (black | queens) & white:
            return False
        self.black = spread(black | queens)
        self.white = spread(white)
        self.kings = spread(kings | queens)
        self.turn = 0
        self.clock = 0
        self.ply = 0
        self.root = 0
        return True

    def ranked(self):
        own: cython.ulonglong = self.white if self.turn else self.black
        other: cython.ulonglong = self.black if self.turn else self.white
        men: cython.ulonglong = pressed(own & ~self.kings)
        kings: cython.ulonglong = pressed(own & self.kings)
        others: cython.ulonglong = pressed(other & ~self.kings)
        crowned: cython.ulonglong = pressed(other & self.kings)
        if self.turn:
            men, kings, others, crowned = turned(men), turned(kings), turned(others), turned(crowned)
        if not own or not other or popcount(own) > NUMBERED or popcount(other) > NUMBERED:
            return -1
        a: cython.int = popcount(kings)
        b: cython.int = popcount(others)
        c: cython.int = popcount(crowned)
        self.slice = popcount(men) | (a << 4) | (b << 8) | (c << 12)
        number: cython.longlong = number_of(men)
        number = number * choose(32, a) + number_of(kings)
        number = number * choose(28, b) + number_of(others >> 4)
        return number * choose(32, c) + number_of(crowned)

    def gen_before(self, base):
        """Retract the steps of the side that has just moved. It could not jump before: jumps are forced."""
        other: cython.ulonglong = self.black if self.turn else self.white
        empty: cython.ulonglong = ALL & ~(self.black | self.white)
        crowned: cython.ulonglong = self.kings
        way: cython.int
        to: cython.ulonglong
        self.turn ^= 1
        while other:
            bit: cython.ulonglong = other & (~other + 1)
            other ^= bit
            for way in range(4):
                if not crowned & bit and (way < 2) != (self.turn == 1):
                    continue  # a man came from behind it
                to = bit << (4 + way) if way < 2 else bit >> (2 + way)
                if not to & empty:
                    continue
                self.step_back(bit, to)
                if not self.can_jump():
                    self.stack[base] = self.ranked()
                    self.weight[base] = self.slice
                    base += 1
                self.step_back(to, bit)
        self.turn ^= 1
        return base

    def step_back(self, bit, to):
        """Put the piece of the side to move on another square."""
        if self.turn:
            self.white ^= bit | to
        else:
            self.black ^= bit | to
        if self.kings & bit:
            self.kings ^= bit | to

    def slices(self, pieces):
        """The slices with so many pieces, those that crowning leads to first."""
        sides = [(men, count - men) for count in range(1, min(pieces, 13)) for men in range(count + 1)]
        pairs = [(one, two) for one in sides for two in sides if sum(one) + sum(two) == pieces]
        pairs = [(one, two) for one, two in pairs if (sum(one), one[1]) >= (sum(two), two[1])]
        pairs.sort(key=lambda pair: (pair[0][0] + pair[1][0], pair))
        return [tuple(dict.fromkeys([packed(one, two), packed(two, one)])) for one, two in pairs]

    def called(self, slice):
        """Its pieces, the mover's first: `MKvK`."""
        a, b, c, d = [slice >> shift & 15 for shift in (0, 4, 8, 12)]
        return "K" * b + "M" * a + "v" + "K" * d + "M" * c

    def span(self, slice):
        """The numbers in a slice."""
        a: cython.longlong = choose(28, slice & 15)
        b: cython.longlong = choose(32, slice >> 4 & 15)
        c: cython.longlong = choose(28, slice >> 8 & 15)
        d: cython.longlong = choose(32, slice >> 12)
        return a * b * c * d

    def leads(self, slice):
        """The slices that crowning and jumping lead to, where the other side is to move."""
        a, b, c, d = [slice >> shift & 15 for shift in (0, 4, 8, 12)]
        mine = [(a, b)] + [(a - 1, b + 1)] * (a > 0)
        found = [packed((men, kings), own) for own in mine for men in range(c + 1) for kings in range(d + 1)]
        stays = (packed((c, d), (a, b)), slice)
        return [one for one in found if one & 255 and one not in stays]

    # -- the contract --------------------------------------------------------------------------

    def make(self, move):
        """Play a legal move. Raises IllegalMove for any other, before anything has changed."""
        self.widen()
        Kernel.make(self, move)
        self.root = self.ply

    def unmake(self):
        """Take back the last move made."""
        Kernel.unmake(self)
        self.root = self.ply

    def key(self):
        """The position; and, since draws are counted, the clock and what occurred since it started."""
        if not self.clock:
            return self.hash()
        before = []
        for i in range(max(0, self.ply - self.clock), self.ply):
            black, white, kings, _ = [self.past[i * WORDS + word] for word in range(4)]
            before.append((black, white, kings, (self.ply - i + self.turn) & 1))
        return (self.hash(), self.clock, *[number for each in sorted(before) for number in each])

    # -- words ---------------------------------------------------------------------------------

    def squares(self, move):
        """The squares, from 1, that a move touches: where it begins, lands, and lands again."""
        square: cython.int = move & 31
        bit: cython.int = square + (square >> 3)
        path: cython.int = move >> 5
        found = [square + 1]
        step: cython.int
        while path > 1 or len(found) == 1:
            step = (4, 5, -4, -5)[path & 3]
            bit += step if move < 128 else 2 * step
            found.append(bit - bit // 9 + 1)
            path >>= 2
            if move < 128:
                break
        return found

    def format(self, move):
        """A legal move in PDN's squares: `11-15`, `22x15`, `22x15x8`."""
        return ("-" if move < 128 else "x").join([str(square) for square in self.squares(move)])

    def parse(self, text):
        """The legal move that `text` names: every square, or its ends where they are enough."""
        word = text.strip().lower()
        moves = {self.format(move): move for move in self.moves()}
        if word in moves:
            return moves[word]
        if not moves:
            raise IllegalMove(f"'{text.strip()}': {self.sides[self.turn]} has no move; the game is over")
        if not re.fullmatch("[0-9]{1,4}([-x][0-9]{1,4})+", word):
            raise IllegalMove(
                f"'{text.strip()}' is not a move; a move is two squares, as {next(iter(moves))}"
            )
        given = [int(number) for number in re.split("[-x]", word)]
        for square in given:
            if not 1 <= square <= 32:
                raise IllegalMove(f"'{word}': there is no square {square}; they go from 1 to 32")
        paths = {name: self.squares(move) for name, move in moves.items()}
        whole = [name for name, path in paths.items() if path == given]
        ends = [name for name, path in paths.items() if [path[0], path[len(path) - 1]] == given]
        jump: cython.bint = "x" in next(iter(moves))
        sign: cython.bint = "x" in word
        if (whole or ends) and sign != jump:
            right = (whole or ends)[0]
            why = "takes a piece" if jump else "takes nothing"
            raise IllegalMove(f"'{word}' {why}: write {right}")
        if len(ends) == 1:
            return moves[ends[0]]
        listed = ", ".join(sorted(moves, key=paths.__getitem__)[:12])
        if ends:
            raise IllegalMove(f"'{word}' can go more than one way: {', '.join(sorted(ends))}")
        longer = [name for name, path in paths.items() if path[: len(given)] == given]
        if longer:
            raise IllegalMove(f"'{word}' has to jump on: {', '.join(sorted(longer))}")
        if jump and not sign:
            raise IllegalMove(f"'{word}' is not possible: who can jump must (legal: {listed})")
        raise IllegalMove(f"'{word}' is not a legal move here{nearest(word, moves)} (legal: {listed})")

    def fen(self):
        """The pieces and the side to move as a PDN FEN, without the past: `B:W18,24,K10:B12,K22`."""
        return fen(self.black, self.white, self.kings, self.turn)

    def diagram(self):
        """The FEN without counter and past."""
        return self.fen()

    def text(self):
        """A FEN; where moves without progress count toward a draw, from before them, then these moves."""
        count = min(self.clock, len(self.made))
        i = (self.ply - count) * WORDS
        if not count:
            return fen(self.black, self.white, self.kings, self.turn, self.clock)
        black, white, kings, clock = [self.past[i + word] for word in range(4)]
        words = [self.format(move) for move in self.made[len(self.made) - count :]]
        return " ".join([fen(black, white, kings, (self.turn + count) & 1, clock), *words])

    def setup(self, text):
        """Set this position from a FEN, moves, or a FEN followed by moves."""
        text = re.sub(" ?([:,]) ?", r"\1", " ".join(text.split()))
        first, _, rest = text.partition(" ")
        if ":" in first:
            self.place_pieces(*read_fen(first))
            self.start = first
        else:
            rest = text
            self.place_pieces(BLACK, WHITE, 0, 0, 0)
            self.start = None
        Kernel.setup(self, " ".join([re.sub("^[0-9]+[.]+", "", word) for word in rest.split()]))

    # -- drawing -------------------------------------------------------------------------------

    def letter(self, square):
        """What stands on a square, from 1: b, w, B, W or nothing."""
        bit: cython.ulonglong = ONE << ((square - 1) + (square - 1) // 8)
        if self.black & bit:
            return "B" if self.kings & bit else "b"
        if self.white & bit:
            return "W" if self.kings & bit else "w"
        return ""

    def captured(self):
        """For each player the letters of the pieces they took, kings first."""
        taken = {0: "", 1: ""}
        now = (self.black, self.white, self.kings)
        for i in range(self.ply - 1, -1, -1):
            black, white, kings, _ = [self.past[i * WORDS + word] for word in range(4)]
            mover = (self.turn + self.ply - i) & 1
            theirs, left = (black, now[0]) if mover else (white, now[1])
            gone = theirs & ~left
            taken[mover] += "bw"[1 - mover] * popcount(gone & ~kings) + "BW"[1 - mover] * popcount(
                gone & kings
            )
            now = (black, white, kings)
        return {player: "".join(sorted(letters)) for player, letters in taken.items()}

    def board(self, viewer=None, last=None):
        """How to draw the position, black at the top."""
        legal = self.moves() if not self.result() else []
        moves = {}
        for move in legal:
            moves.setdefault(cell(self.squares(move)[0]), []).append(move)
        cells = [[""] * 8 for _ in range(8)]
        for square in range(1, 33):
            row, column = cell(square)
            cells[row][column] = self.letter(square)
        ends = self.squares(last) if last is not None else []
        return Board(
            cells=tuple([tuple(row) for row in cells]),
            columns=("",) * 8,
            rows=("",) * 8,
            owners={"b": 0, "B": 0, "w": 1, "W": 1},
            last=(cell(ends[0]), cell(ends[len(ends) - 1])) if ends else (),
            moves={at: tuple(found) for at, found in moves.items()},
            paths={move: tuple([cell(square) for square in self.squares(move)[1:]]) for move in legal},
            names={cell(square): str(square) for square in range(1, 33)},
            ground="chequered",
            white=1,
            glyphs={"b": "●", "B": "♚", "w": "○", "W": "♔"},
            taken=self.captured(),
            notes={0: strength(self.black, self.kings), 1: strength(self.white, self.kings)},
        )

    def __str__(self):
        rows = [" ".join([letter or "." for letter in row]) for row in self.board().cells]
        return "\n".join(rows)


def packed(own, other):
    """A slice, of the men and kings of the mover and of the other side."""
    return own[0] | own[1] << 4 | other[0] << 8 | other[1] << 12


def pressed(bits):
    """Squares as 32 bits, without the ones that stay free."""
    return (bits & 0xFF) | ((bits >> 1) & 0xFF00) | ((bits >> 2) & 0xFF0000) | ((bits >> 3) & LAST)


def spread(squares):
    """... and back."""
    return (
        (squares & 0xFF) | ((squares & 0xFF00) << 1) | ((squares & 0xFF0000) << 2) | ((squares & LAST) << 3)
    )


def turned(squares):
    """The 32 squares as seen from the other side of the board."""
    squares = ((squares >> 1) & 0x55555555) | ((squares & 0x55555555) << 1)
    squares = ((squares >> 2) & 0x33333333) | ((squares & 0x33333333) << 2)
    squares = ((squares >> 4) & 0x0F0F0F0F) | ((squares & 0x0F0F0F0F) << 4)
    squares = ((squares >> 8) & 0x00FF00FF) | ((squares & 0x00FF00FF) << 8)
    return ((squares >> 16) | (squares << 16)) & M32


def cell(square):
    """The row from the top and the column from the left of a square."""
    row, column = divmod(square - 1, 4)
    return row, 2 * column + 1 - row % 2


def strength(pieces, kings):
    """`9 men, 1 king`, what there is of both."""
    men, crowned = (pieces & ~kings).bit_count(), (pieces & kings).bit_count()
    words = [f"{men} {'man' if men == 1 else 'men'}"] if men or not crowned else []
    return ", ".join(words + [f"{crowned} king{'s' if crowned > 1 else ''}"] * (crowned > 0))


def fen(black, white, kings, turn, clock=0):
    """A PDN FEN; `clock`, the plies without progress, only if there are any."""

    def listed(pieces):
        bits = [bit for bit in range(35) if pieces >> bit & 1]
        return ",".join([f"{'K' if kings >> bit & 1 else ''}{bit - bit // 9 + 1}" for bit in bits])

    return f"{'BW'[turn]}:W{listed(white)}:B{listed(black)}" + (f":H{clock}" if clock else "")


def read_fen(text):
    """Black, white, kings, turn and clock of a PDN FEN. Raises BadInput saying what is wrong in it."""
    turn, *fields = text.strip("\"'").rstrip(".").split(":")
    if turn.upper() not in ("B", "W"):
        raise BadInput(f"'{text}': a FEN begins with the side to move, B or W, not '{turn}' ({EXAMPLE})")
    pieces = {}
    kings = clock = 0
    for field in fields:
        colour, squares = field[:1].upper(), field[1:]
        if re.fullmatch("[HF][0-9]{1,4}", field.upper()):  # F: the number of the move, which is ignored
            clock = int(squares) if colour == "H" else clock
            continue
        if colour not in ("B", "W"):
            raise BadInput(f"'{text}': a list of pieces begins with B or W, not '{field}' ({EXAMPLE})")
        if colour in pieces:
            raise BadInput(f"'{text}': {field[0]} has two lists of pieces; it has one ({EXAMPLE})")
        pieces[colour] = 0
        for word in filter(None, squares.split(",")):
            crowned, first, last = numbers(text, word)
            for square in range(first, last + 1):
                bit = 1 << (square - 1 + (square - 1) // 8)
                if any(bit & other for other in pieces.values()):
                    raise BadInput(f"'{text}': square {square} is given twice")
                if not crowned and bit & (SOUTH if colour == "B" else NORTH):
                    raise BadInput(f"'{text}': a man on square {square} would be a king: write K{square}")
                pieces[colour] |= bit
                kings |= bit if crowned else 0
        if pieces[colour].bit_count() > 12:
            raise BadInput(f"'{text}': {field[0]} has {pieces[colour].bit_count()} pieces; 12 are the most")
    if len(pieces) < 2:
        missing = "W" if "B" in pieces else "B"
        raise BadInput(f"'{text}': the list of {missing}'s pieces is missing ({EXAMPLE})")
    if not any(pieces.values()):
        raise BadInput(f"'{text}': there is no piece on the board")
    if clock >= PATIENCE:
        raise BadInput(f"'{text}': after {clock} plies without progress the game is over; H is less than 80")
    return pieces["B"], pieces["W"], kings, "BW".index(turn.upper()), clock


def numbers(text, word):
    """Whether a word in a list of pieces names kings, and its first and last square: `K1-4`."""
    crowned, first, last = re.fullmatch(r"(K?)(.*?)(?:-(.*))?", word, re.IGNORECASE).groups()
    for number in (first, first if last is None else last):
        if not re.fullmatch("[0-9]{1,4}", number) or not 1 <= int(number) <= 32:
            raise BadInput(f"'{text}': '{word}' is not a square from 1 to 32, K before it for a king")
    if last is not None and int(last) < int(first):
        raise BadInput(f"'{text}': the squares '{word}' should go up")
    return bool(crowned), int(first), int(last or first)
