# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Othello (Reversi) on bitboards, on boards of 8x8, 6x6 and 4x4.  Types: othello.pxd.

A square is a bit, a1 on the upper left; the smaller boards lie in the same corner:

             a  b  c  d  e  f  g  h
        1    0  1  2  3  4  5  6  7        `pos` holds the discs of the side to move, `opp` the other's.
        2    8  9 10 11 12 13 14 15
        3   16 17 18 19 20 21 22 23        A move is a square, or 64: a pass.
        4   24 25 26 ...
        ...
        8   56 57 58 59 60 61 62 63

Discs turn over along the eight rays of a square. Upwards in bits, adding one to everything but the ray runs
over the other side's discs to the first other square of the ray; downwards that square is the highest bit.
Where one can move at all is found for all squares at once by doubling steps (Kogge and Stone 1973).

The exact search of the end is alpha-beta, fail-soft, in whole discs, in layers by the number of empty
squares. While there are many: the move first that leaves the other side the fewest replies ("fastest first"
among Othello programmers), a memory, and a bound from the discs that the other side cannot lose. While there
are few: squares of quarters of the board with an odd number first, for who moves last in a region gains by it
(parity: Rose, "Othello: A Minute to Learn... A Lifetime to Master", 2005). The last two are written out.
"""

try:
    import cython
except ImportError:
    from gameplay import nocython as cython

from gameplay.errors import BadInput, IllegalMove
from gameplay.evaluations import othello as guesses
from gameplay.kernel import Kernel
from gameplay.position import Board

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Calloc, PyMem_Free
    from cython.cimports.gameplay.bits import highest, lowest, popcount
    from cython.cimports.gameplay.evaluations.othello import around, classic, patterns
else:
    from gameplay.bits import highest, lowest, popcount
    from gameplay.evaluations.othello import around, classic, patterns

PASS = cython.declare(cython.int, 64)
UNIT = cython.declare(cython.int, 100)
ONE = cython.declare(cython.ulonglong, 1)
M64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
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
MIX_A = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)  # odd numbers of Stafford's mix 13
MIX_B = cython.declare(cython.ulonglong, 0x94D049BB133111EB)
WHITE = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)

NEAR = cython.declare(cython.int, 10)  # empty squares from which on solve() tells the value at once
NOTED = cython.declare(cython.int, 8)  # from so many on, results are kept in memory
SHALLOW = cython.declare(cython.int, 6)  # up to so many, parity alone orders the moves
WIDTH = cython.declare(cython.int, 34)  # more moves than any position has (33)
NO = cython.declare(cython.int, -1000)  # below every difference
MEMORY = cython.declare(cython.int, 12)  # bits of the memory of a search from NEAR empty squares
LARGE = cython.declare(cython.int, 21)  # the most, for a search from any position

# How good a square is to take, 0 the best, by its distances from the nearest borders.
RANKS = ((0, 4, 1, 1), (4, 5, 3, 3), (1, 3, 1, 2), (1, 3, 2, 2))

if not cython.compiled:
    RAYS = [0] * 512
    BESIDE = [0] * 64
    QUARTER = [0] * 64
    QUARTERS = [0] * 16


@cython.cfunc
def draw_rays():
    """Fill the tables of the squares."""
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
        BESIDE[square] = 0
        for i in range(8):
            down, right = steps[i]
            ray: cython.ulonglong = 0
            y, x = row + down, column + right
            while 0 <= y < 8 and 0 <= x < 8:
                ray |= ONE << (8 * y + x)
                y, x = y + down, x + right
            RAYS[8 * square + i] = ray
            y, x = row + down, column + right
            if 0 <= y < 8 and 0 <= x < 8:
                BESIDE[square] |= ONE << (8 * y + x)
        QUARTER[square] = 1 << (2 * (row // 4) + column // 4)
    for i in range(16):
        QUARTERS[i] = 0
        for square in range(64):
            if i & QUARTER[square]:
                QUARTERS[i] |= ONE << square


draw_rays()


def flips(square, p, o):
    """The discs of `o` that `p` turns over with a move to an empty square."""
    r: cython.int = 8 * square
    i: cython.int
    found: cython.ulonglong = 0
    ray: cython.ulonglong
    end: cython.ulonglong
    for i in range(r, r + 4):
        ray = RAYS[i]
        end = ((o | ~ray) + 1) & ray & p
        found |= (end - (end != 0)) & ray
    for i in range(r + 4, r + 8):
        ray = RAYS[i]
        end = (ONE << highest((ray & ~o) | 1)) & ray & p
        found |= -(end << 1) & ray
    return found


def swap(x, mask, step):
    """What lies on the far side of a run of `mask` beside `x`, in the two directions of `step`."""
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


def reach(p, o):
    """The squares that `p` can move to, if they are empty; may set bits of squares that are not."""
    inner: cython.ulonglong = o & INNER
    return swap(p, inner, 1) | swap(p, o, 8) | swap(p, inner, 7) | swap(p, inner, 9)


def stable(p, o):
    """Discs of `p` that can never turn over again (not all of them): on the board of 8x8.

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
    known: cython.ulonglong = 0
    found: cython.ulonglong = p & rows & files & falling & rising
    while found != known:
        known = found
        found = (
            p
            & (rows | (known << 1) | (known >> 1))
            & (files | (known << 8) | (known >> 8))
            & (falling | (known << 9) | (known >> 9))
            & (rising | (known << 7) | (known >> 7))
        )
    return found


def whole(x):
    """Hundredths as whole discs, rounded down."""
    return -((UNIT - 1 - x) // UNIT) if x < 0 else x // UNIT


class Othello(Kernel):
    """Place a disc so that it flanks a line of the other side's discs; all that it flanks turn over.

    A move is a square, `f5`, a1 on the upper left; who cannot turn over any disc must `pass`. The game ends
    when neither side can move, and counts the difference of discs; on the board of 8x8 the winner has the
    empty squares too, as in tournaments. Black's discs are X, white's O, and black begins. A position is
    the moves so far, `f5d6c3` (a pass need not be written), or the squares from a1, b1 to h8 and the side
    to move: 64 of X, O and -, then X or O (also * and ., and B, W). size: 8, 6 or 4.
    """

    sides = ("black", "white")
    records = ".txt"  # the format of its files
    aliases = {"x": 0, "o": 1}
    scored = True
    solves = True
    swing = 300  # a disc is 100
    unit = 100
    stake = property(lambda self: self.size * self.size)  # who gives up loses every disc
    evaluations = guesses.NAMES
    levels = (  # plies, and the share of moves made without looking: see players/level.py
        (1, 0.7), (2, 0.45), (3, 0.28), (4, 0.18), (5, 0.12), (6, 0.07),
        (7, 0.045), (8, 0.025), (9, 0.0), (None, 0.0),
    )  # fmt: skip

    def __init__(self, size: cython.int = 8):
        if size not in (4, 6, 8):
            raise BadInput(f"size is 4, 6 or 8, not {size}")
        Kernel.__init__(self, WIDTH)
        self.exhausts = True
        self.size = size
        self.area = size * size
        self.bonus = size == 8
        if not cython.compiled:
            self.undo = [0] * 132
            self.rank = [0] * 6
            self.squares = [0] * 2176
            self.worth = [0] * 2176
            self.turned = [0] * 2176
            self.index = [0] * 40
        self.stamp = 0
        self.memorize(MEMORY)
        if size == 8:
            guesses.load()
        self.cells = 0
        i: cython.int
        x: cython.int
        y: cython.int
        for i in range(6):
            self.rank[i] = 0
        for y in range(size):
            for x in range(size):
                i = RANKS[min(y, size - 1 - y)][min(x, size - 1 - x)]
                self.rank[i] |= ONE << (8 * y + x)
                self.cells |= ONE << (8 * y + x)
        self.begin()

    def __dealloc__(self):
        PyMem_Free(self.memory)

    @staticmethod
    def fits(size=8):
        """True: every board has at most 64 squares."""
        return True

    def begin(self):
        """Set up the four discs of the start."""
        h: cython.int = self.size // 2
        white: cython.ulonglong = (ONE << (9 * h - 9)) | (ONE << (9 * h))
        black: cython.ulonglong = (ONE << (9 * h - 8)) | (ONE << (9 * h - 1))
        self.place_discs(black, white, 0)

    def place_discs(self, black, white, turn):
        """Any position, with nothing to take back."""
        self.pos = white if turn else black
        self.opp = black if turn else white
        self.turn = turn
        self.ply = 0
        self.start = None
        self.made.clear()

    # -- slots ---------------------------------------------------------------------------------

    def legal(self, p, o):
        """The squares that `p` can move to."""
        return reach(p, o) & ~(p | o) & self.cells

    def gen(self, base):
        left: cython.ulonglong = self.legal(self.pos, self.opp)
        if not left:
            if self.legal(self.opp, self.pos):
                self.stack[base] = PASS
                base += 1
            return base
        i: cython.int
        found: cython.ulonglong
        for i in range(6):
            found = left & self.rank[i]
            while found:
                self.stack[base] = lowest(found)
                base += 1
                found &= found - 1
        return base

    def push(self, move):
        p: cython.ulonglong = self.pos
        turned: cython.ulonglong = 0
        if move != PASS:
            turned = flips(move, p, self.opp)
            p |= turned | (ONE << move)
        self.undo[self.ply] = turned
        self.ply += 1
        self.pos = self.opp ^ turned
        self.opp = p
        self.turn ^= 1

    def pop(self, move):
        self.ply -= 1
        turned: cython.ulonglong = self.undo[self.ply]
        p: cython.ulonglong = self.opp ^ turned
        if move != PASS:
            p ^= ONE << move
        self.opp = self.pos | turned
        self.pos = p
        self.turn ^= 1

    def result(self):
        if self.legal(self.pos, self.opp) or self.legal(self.opp, self.pos):
            return 0
        return 4

    def difference(self, p, o):
        """Discs of `p` less those of `o`, the empty squares with the winner's if they count."""
        mine: cython.int = popcount(p)
        theirs: cython.int = popcount(o)
        if self.bonus and mine > theirs:
            return self.area - 2 * theirs
        if self.bonus and mine < theirs:
            return 2 * mine - self.area
        return mine - theirs

    def points(self):
        return UNIT * self.difference(self.pos, self.opp)

    def score(self):
        p: cython.ulonglong = self.pos
        o: cython.ulonglong = self.opp
        mine: cython.int = popcount(self.legal(p, o))
        theirs: cython.int = popcount(self.legal(o, p))
        if self.size < 8:
            return classic(p, o, self.cells, self.size, mine, theirs, 0)
        if self.evaluation:
            return classic(p, o, self.cells, 8, mine, theirs, popcount(stable(p, o)) - popcount(stable(o, p)))
        return patterns(p, o, mine, theirs, self.index)

    def hash(self):
        x: cython.ulonglong = (self.pos * MIX_A) & M64
        x = ((x ^ (x >> 32)) + self.opp) & M64
        x = ((x ^ (x >> 29)) * MIX_B) & M64
        x ^= x >> 32
        return x ^ WHITE if self.turn else x

    def hint(self, move):
        if move == PASS:
            return 0
        p: cython.ulonglong = self.pos
        o: cython.ulonglong = self.opp
        turned: cython.ulonglong = flips(move, p, o)
        p |= turned | (ONE << move)
        o ^= turned
        empty: cython.ulonglong = ~(p | o) & self.cells
        replies: cython.ulonglong = reach(o, p) & empty
        value: cython.int = 300 - 4 * (popcount(replies) + popcount(replies & self.rank[0]))
        value -= popcount(around(p) & empty)
        if self.rank[0] & (ONE << move):
            value += 12
        return value

    def leaves(self, base, depth):
        return self.count(self.pos, self.opp, depth)

    def count(self, p, o, depth):
        """How many lines of `depth` plies there are; a game that ends before counts too, as in the tables."""
        left: cython.ulonglong = self.legal(p, o)
        if not left:
            if not self.legal(o, p):
                return 1
            return self.count(o, p, depth - 1) if depth > 1 else 1
        if depth <= 1:
            return popcount(left)
        total: cython.longlong = 0
        square: cython.int
        turned: cython.ulonglong
        while left:
            square = lowest(left)
            left &= left - 1
            turned = flips(square, p, o)
            total += self.count(o ^ turned, p | turned | (ONE << square), depth - 1)
        return total

    # -- the exact search ----------------------------------------------------------------------

    def one(self, p, o, x):
        """The difference that `p`, to move, ends with when only `x` is empty."""
        self.effort += 1
        mine: cython.int = popcount(p)
        turned: cython.int = popcount(flips(x, p, o))
        if turned:
            return 2 * (mine + turned + 1) - self.area
        turned = popcount(flips(x, o, p))
        if turned:
            return 2 * (mine - turned) - self.area
        mine = 2 * mine - self.area + 1  # the difference, with nobody on x
        if self.bonus:
            return mine + 1 if mine > 0 else mine - 1
        return mine

    def two(self, p, o, alpha, beta, x, y):
        """The same with two empty squares, fail-soft."""
        self.effort += 1
        best: cython.int = NO
        value: cython.int
        turned: cython.ulonglong
        if BESIDE[x] & o:
            turned = flips(x, p, o)
            if turned:
                best = -self.one(o ^ turned, p | turned | (ONE << x), y)
                if best >= beta:
                    return best
        if BESIDE[y] & o:
            turned = flips(y, p, o)
            if turned:
                value = -self.one(o ^ turned, p | turned | (ONE << y), x)
                return value if value > best else best
        if best > NO:
            return best
        # A pass: the other side has the same choice, and if it has none all is over.
        if BESIDE[x] & p:
            turned = flips(x, o, p)
            if turned:
                best = self.one(p ^ turned, o | turned | (ONE << x), y)
                if best <= alpha:
                    return best
        if BESIDE[y] & p:
            turned = flips(y, o, p)
            if turned:
                value = self.one(p ^ turned, o | turned | (ONE << y), x)
                return value if best == NO or value < best else best
        return best if best > NO else self.difference(p, o)

    def few(self, p, o, alpha, beta, empty, n, odd, passed):
        """The same with 3 to SHALLOW empty squares: first those of the quarters with an odd number."""
        self.effort += 1
        best: cython.int = NO
        value: cython.int
        square: cython.int
        rest: cython.ulonglong
        turned: cython.ulonglong
        bit: cython.ulonglong
        left: cython.ulonglong = empty & QUARTERS[odd]
        later: cython.ulonglong = empty & ~left
        while True:
            if not left:
                left = later
                later = 0
                if not left:
                    break
            square = lowest(left)
            bit = left & -left
            left ^= bit
            if not BESIDE[square] & o:
                continue
            turned = flips(square, p, o)
            if not turned:
                continue
            rest = empty ^ bit
            bit |= p | turned
            turned = o ^ turned
            if n == 3:
                value = -self.two(turned, bit, -beta, -alpha, lowest(rest), highest(rest))
            else:
                value = -self.few(turned, bit, -beta, -alpha, rest, n - 1, odd ^ QUARTER[square], False)
            if value > best:
                best = value
                if value > alpha:
                    if value >= beta:
                        return value
                    alpha = value
        if best > NO:
            return best
        if passed:
            return self.difference(p, o)
        return -self.few(o, p, -beta, -alpha, empty, n, odd, True)

    def deep(self, p, o, alpha, beta, n, odd):
        """The same with more empty squares: the move first that leaves the other side the fewest."""
        self.effort += 1
        empty: cython.ulonglong = ~(p | o) & self.cells
        value: cython.int
        # 1. No more than what the other side's stable discs leave.
        if self.size == 8 and alpha >= 2 * n - 2:
            value = 64 - 2 * popcount(stable(o, p))
            if value <= alpha:
                return value
        # 2. What is known of the position.
        low: cython.int = -64
        high: cython.int = 64
        first: cython.int = -1
        i: cython.size_t = 0
        noted: cython.bint = n >= NOTED
        data: cython.ulonglong
        if noted:
            i = self.slot(p, o)
            if self.memory[i] == p and self.memory[i + 1] == o and self.memory[i + 2] >> 32 == self.stamp:
                data = self.memory[i + 2]
                low = cython.cast(cython.int, data & 255) - 64
                high = cython.cast(cython.int, (data >> 8) & 255) - 64
                first = cython.cast(cython.int, (data >> 16) & 255)
                if low >= beta or low == high:
                    return low
                if high <= alpha:
                    return high
        # 3. The moves, each with its worth: few replies, few of them corners, an odd quarter.
        left: cython.ulonglong = reach(p, o) & empty
        if not left:
            if not reach(o, p) & empty:
                return self.difference(p, o)
            return -self.deep(o, p, -beta, -alpha, n, odd)
        base: cython.int = n * WIDTH
        end: cython.int = base
        k: cython.int
        square: cython.int
        turned: cython.ulonglong
        replies: cython.ulonglong
        q: cython.ulonglong
        r: cython.ulonglong
        while left:
            square = lowest(left)
            left &= left - 1
            turned = flips(square, p, o)
            q = o ^ turned
            if not q:
                return 64 if self.size == 8 else self.difference(p | turned | (ONE << square), q)
            r = p | turned | (ONE << square)
            if square == first:
                value = -1000
            else:
                replies = reach(q, r) & empty & ~(ONE << square)
                value = 4 * (popcount(replies) + popcount(replies & self.rank[0]))
                if odd & QUARTER[square]:
                    value -= 2
            self.squares[end] = square
            self.turned[end] = turned
            self.worth[end] = value
            end += 1
        # 4. The best first; the others need only be shown to be no better.
        best: cython.int = NO
        best_move: cython.int = 0
        floor: cython.int = alpha
        j: cython.int
        for k in range(base, end):
            j = k
            for square in range(k + 1, end):
                if self.worth[square] < self.worth[j]:
                    j = square
            square = self.squares[j]
            turned = self.turned[j]
            self.squares[j] = self.squares[k]
            self.turned[j] = self.turned[k]
            self.worth[j] = self.worth[k]
            q = o ^ turned
            r = p | turned | (ONE << square)
            if n - 1 <= SHALLOW:
                value = -self.few(
                    q, r, -beta, -alpha, empty ^ (ONE << square), n - 1, odd ^ QUARTER[square], False
                )
            elif k == base or beta - alpha <= 1:
                value = -self.deep(q, r, -beta, -alpha, n - 1, odd ^ QUARTER[square])
            else:
                value = -self.deep(q, r, -alpha - 1, -alpha, n - 1, odd ^ QUARTER[square])
                if alpha < value < beta:
                    value = -self.deep(q, r, -beta, -value, n - 1, odd ^ QUARTER[square])
            if value > best:
                best = value
                best_move = square
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        break
        # 5. Note it.
        if noted:
            if best < beta and best < high:
                high = best
            if best > floor and best > low:
                low = best
            self.memory[i] = p
            self.memory[i + 1] = o
            self.memory[i + 2] = (
                cython.cast(cython.ulonglong, low + 64)
                | (cython.cast(cython.ulonglong, high + 64) << 8)
                | (cython.cast(cython.ulonglong, best_move) << 16)
                | (self.stamp << 32)
            )
        return best

    def ending(self, p, o, alpha, beta):
        """The difference that `p`, to move, ends with: in whole discs, fail-soft."""
        empty: cython.ulonglong = ~(p | o) & self.cells
        n: cython.int = popcount(empty)
        odd: cython.int = 0
        i: cython.int
        for i in range(4):
            if popcount(empty & QUARTERS[1 << i]) & 1:
                odd |= 1 << i
        if n > SHALLOW:
            return self.deep(p, o, alpha, beta, n, odd)
        if n > 2:
            return self.few(p, o, alpha, beta, empty, n, odd, False)
        if n == 2:
            return self.two(p, o, alpha, beta, lowest(empty), highest(empty))
        return self.one(p, o, lowest(empty)) if n else self.difference(p, o)

    def slot(self, p, o):
        """Where the memory has its place for a position."""
        x: cython.ulonglong = ((p * MIX_A) & M64) ^ ((o * MIX_B) & M64)
        x = ((x ^ (x >> 32)) * WHITE) & M64
        return cython.cast(cython.size_t, x >> (64 - self.bits)) * 3

    def near(self):
        n: cython.int = self.area - popcount(self.pos | self.opp)
        return n if n <= NEAR else -n

    def solve(self, alpha, beta):
        """In hundredths of a disc: the window's ends are rounded outwards to whole discs."""
        self.stamp += 1
        low: cython.int = whole(alpha)
        high: cython.int = -whole(-beta)
        return UNIT * self.ending(self.pos, self.opp, low, high)

    def memorize(self, bits):
        """Take memory for 2**bits positions, and forget what was there."""
        size: cython.size_t = 3 << bits
        if cython.compiled:
            PyMem_Free(self.memory)
            self.memory = cython.cast(cython.p_ulonglong, PyMem_Calloc(size, 8))
            if self.memory == cython.NULL:
                raise MemoryError
        else:
            self.memory = [0] * size
        self.bits = bits

    def exact(self, alpha=-64, beta=64):
        """The difference in the end if both play best, for the last 20 squares or so, and the positions seen.

        In whole discs, from the mover's view; a result outside `alpha` to `beta` is a bound.
        """
        before: cython.longlong = self.effort
        low: cython.int = alpha
        high: cython.int = beta
        value: cython.int
        self.memorize(max(MEMORY, min(LARGE, self.area - popcount(self.pos | self.opp))))
        self.stamp += 1
        with cython.nogil:
            value = self.ending(self.pos, self.opp, low, high)
        self.memorize(MEMORY)
        return value, self.effort - before

    # -- for people ----------------------------------------------------------------------------

    def format(self, move):
        """A square in words, `f5`, or `pass`."""
        return "pass" if move == 64 else "abcdefgh"[move & 7] + str((move >> 3) + 1)

    def text(self):
        """The squares from a1, b1 on, row by row, and the side to move."""
        return "".join([self.disc(y, x) or "-" for y in range(self.size) for x in range(self.size)]) + (
            " O" if self.turn else " X"
        )

    def setup(self, text):
        """Set up the squares and the side to move as `text()` gives them, or play moves: `f5d6c3`."""
        letters = "".join(text.split())
        if any(letter.isdigit() for letter in letters) or letters[:4].lower() in ("", "pass"):
            self.begin()
            self.replay(text)
            return
        black: cython.ulonglong = 0
        white: cython.ulonglong = 0
        seen: cython.int = 0
        turn = -1
        for place, letter in enumerate(text, 1):
            if letter.isspace():
                continue
            side = 0 if letter in "Xx*Bb" else 1 if letter in "OoWw" else -1
            if turn >= 0:
                raise BadInput(f"character {place}: '{letter}' after the side to move")
            if side < 0 and (letter not in "-." or seen == self.area):
                right = "X or O, the side to move" if seen == self.area else "X, O or -"
                raise BadInput(f"character {place}: '{letter}' is not {right}")
            if seen == self.area:
                turn = side
                continue
            bit: cython.ulonglong = ONE << (seen // self.size * 8 + seen % self.size)
            if side == 0:
                black |= bit
            elif side == 1:
                white |= bit
            seen += 1
        if seen < self.area:
            raise BadInput(f"'{text}' has {seen} squares; the board has {self.area}")
        if turn < 0:
            whole = f"'{text}' has {seen} squares and does not say who moves"
            raise BadInput(f"{whole}: add X or O, or the square that is missing")
        self.place_discs(black, white, turn)
        self.start = text

    def replay(self, text):
        """Play the moves of a transcript; passes are played also where they are not written."""
        place = 0
        while place < len(text):
            if text[place].isspace():
                place += 1
                continue
            word = text[place : place + 4].lower()
            word = word if word == "pass" else word[:2].strip()
            where = f"character {place + 1}"
            if self.result():
                raise IllegalMove(f"{where}: the game is over before '{word}'")
            if word != "pass":
                files, ranks = "abcdefgh"[: self.size], "12345678"[: self.size]
                if len(word) < 2 or word[0] not in files or word[1] not in ranks:
                    last = files[self.size - 1] + ranks[self.size - 1]
                    raise BadInput(f"{where}: '{word}' is not a square from a1 to {last}, or pass")
                if self.moves() == [64]:
                    self.make(64)
            move = 64 if word == "pass" else ord(word[0]) - 97 + 8 * (int(word[1]) - 1)
            if move not in self.moves():
                raise IllegalMove(f"{where}: {self.complaint(move)}")
            self.make(move)
            place += len(word)

    def complaint(self, move):
        """Why a move is not legal here."""
        side = self.sides[self.turn]
        if move == 64:
            return f"{side} cannot pass while there is a move, such as {self.format(self.moves()[0])}"
        if (self.pos | self.opp) & (ONE << move):
            return f"there is a disc on {self.format(move)} already"
        return f"{side} turns over no disc on {self.format(move)}"

    def disc(self, y, x):
        """X, O or nothing on a square, the row from the top and the file from the left."""
        bit: cython.ulonglong = ONE << (8 * y + x)
        if not (self.pos | self.opp) & bit:
            return ""
        return "XO"[self.turn if self.pos & bit else 1 - self.turn]

    def board(self, viewer=None, last=None):
        """How to draw the position, row 1 on top."""
        over = self.result() != 0
        shown = self.text()[: self.area]
        return Board(
            cells=tuple([tuple([self.disc(y, x) for x in range(self.size)]) for y in range(self.size)]),
            columns=tuple("abcdefgh"[: self.size]),
            rows=tuple("12345678"[: self.size]),
            owners={"X": 0, "O": 1},
            last=() if last is None or last == 64 else (divmod(last, 8),),
            moves={} if over else {divmod(move, 8): (move,) for move in self.moves() if move != 64},
            ground="felt",
            white=1,
            glyphs={"X": "●", "O": "○"},
            notes={0: discs(shown.count("X")), 1: discs(shown.count("O"))},
        )

    def __str__(self):
        rows = [
            " ".join([str(y + 1), *[self.disc(y, x) or "." for x in range(self.size)]])
            for y in range(self.size)
        ]
        return "\n".join(["  " + " ".join("abcdefgh"[: self.size]), *rows])


def discs(count):
    """A number of discs in words."""
    return f"{count} disc{'' if count == 1 else 's'}"
