# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Exact Othello endgame search.  Types: endgame.pxd.

The search is fail-soft alpha-beta in whole discs, in layers by the number of empty squares. With many: moves
ordered by the fewest replies ("fastest first"), a transposition table, and a bound from the opponent's stable
discs. With few: squares in quadrants with an odd number of empty squares first, since moving last in a region
gains (parity: Rose, "Othello: A Minute to Learn... A Lifetime to Master", 2005). The last two are unrolled.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.games.othello.discs import flips, reach, stable
    from cython.cimports.gameplay.native.allocation import zeroed
    from cython.cimports.gameplay.native.bits import M64, ONE, highest, lowest, popcount
    from cython.cimports.gameplay.native.hashing import GOLDEN, MIX_1, MIX_2
else:
    from gameplay.games.othello.discs import flips, reach, stable
    from gameplay.native.bits import M64, ONE, highest, lowest, popcount
    from gameplay.native.hashing import GOLDEN, MIX_1, MIX_2

UNIT = cython.declare(cython.int, 100)

NOTED = cython.declare(cython.int, 8)  # empty squares from which on results are stored in the table
SHALLOW = cython.declare(cython.int, 6)  # empty squares up to which moves are ordered by parity only
WIDTH = cython.declare(cython.int, 34)  # more moves than any position has (33)
NO = cython.declare(cython.int, -1000)  # below every difference
MEMORY = cython.declare(cython.int, 12)  # log2 entries of the table of a search inside another
LARGE = cython.declare(cython.int, 21)  # ... of a search from any position

if not cython.compiled:
    BESIDE = [0] * 64
    QUARTER = [0] * 64
    QUARTERS = [0] * 16


@cython.cfunc
def draw_quarters():
    """Fill the tables of the squares."""
    square: cython.int
    i: cython.int
    x: object
    y: object
    for square in range(64):
        row: object = square >> 3
        column: object = square & 7
        BESIDE[square] = 0
        for y in range(max(row - 1, 0), min(row + 2, 8)):
            for x in range(max(column - 1, 0), min(column + 2, 8)):
                if (y, x) != (row, column):
                    BESIDE[square] |= ONE << (8 * y + x)
        QUARTER[square] = 1 << (2 * (row // 4) + column // 4)
    for i in range(16):
        QUARTERS[i] = 0
        for square in range(64):
            if i & QUARTER[square]:
                QUARTERS[i] |= ONE << square


draw_quarters()


def whole(x):
    """Hundredths as whole discs, rounded down."""
    return -((UNIT - 1 - x) // UNIT) if x < 0 else x // UNIT


class OthelloEnd:
    """Solves positions of one board size; `solver_nodes` counts all positions visited."""

    def __init__(self, size: cython.int):
        if not cython.compiled:
            self.squares = [0] * 2176
            self.scores = [0] * 2176
            self.turned = [0] * 2176
        self.size = size
        self.area = size * size
        self.bonus = size == 8
        self.solver_nodes = 0
        self.stamp = 0
        self.cells = self.corners = 0
        x: cython.int
        y: cython.int
        for y in range(size):
            for x in range(size):
                self.cells |= ONE << (8 * y + x)
                if y % (size - 1) == 0 and x % (size - 1) == 0:
                    self.corners |= ONE << (8 * y + x)
        self.memorize(MEMORY)

    def __dealloc__(self):
        PyMem_Free(self.memory)

    def difference(self, p, o):
        """Discs of `p` minus those of `o`, with the empty squares for the winner if they count."""
        own: cython.int = popcount(p)
        opp: cython.int = popcount(o)
        if self.bonus and own > opp:
            return self.area - 2 * opp
        if self.bonus and own < opp:
            return 2 * own - self.area
        return own - opp

    def one(self, p, o, x):
        """The final difference for `p`, to move, when only `x` is empty."""
        self.solver_nodes += 1
        own: cython.int = popcount(p)
        turned: cython.int = popcount(flips(x, p, o))
        if turned:
            return 2 * (own + turned + 1) - self.area
        turned = popcount(flips(x, o, p))
        if turned:
            return 2 * (own - turned) - self.area
        value: cython.int = 2 * own - self.area + 1  # the difference, with x empty
        if self.bonus:
            return value + 1 if value > 0 else value - 1
        return value

    def two(self, p, o, alpha, beta, x, y):
        """The same with two empty squares, fail-soft."""
        self.solver_nodes += 1
        best: cython.int = NO
        if BESIDE[x] & o:
            turned: cython.ulonglong = flips(x, p, o)
            if turned:
                best = -self.one(o ^ turned, p | turned | (ONE << x), y)
                if best >= beta:
                    return best
        if BESIDE[y] & o:
            turned = flips(y, p, o)
            if turned:
                value: cython.int = -self.one(o ^ turned, p | turned | (ONE << y), x)
                return value if value > best else best
        if best > NO:
            return best
        # A pass: the other side has the same choice; if it has none, the game is over.
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
        """The same with 3 to SHALLOW empty squares: first those of quadrants with an odd number."""
        self.solver_nodes += 1
        best: cython.int = NO
        squares: cython.ulonglong = empty & QUARTERS[odd]
        later: cython.ulonglong = empty & ~squares
        while True:
            if not squares:
                squares = later
                later = 0
                if not squares:
                    break
            square: cython.int = lowest(squares)
            bit: cython.ulonglong = squares & -squares
            squares ^= bit
            if not BESIDE[square] & o:
                continue
            turned: cython.ulonglong = flips(square, p, o)
            if not turned:
                continue
            rest: cython.ulonglong = empty ^ bit
            bit |= p | turned
            turned = o ^ turned
            if n == 3:
                value: cython.int = -self.two(turned, bit, -beta, -alpha, lowest(rest), highest(rest))
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
        """The same with more empty squares: fastest first."""
        self.solver_nodes += 1
        empty: cython.ulonglong = ~(p | o) & self.cells
        # 1. An upper bound by the other side's stable discs.
        if self.size == 8 and alpha >= 2 * n - 2:
            value: cython.int = 64 - 2 * popcount(stable(o, p))
            if value <= alpha:
                return value
        # 2. Probe the table.
        low: cython.int = -64
        high: cython.int = 64
        first: cython.int = -1
        i: cython.size_t = 0
        noted: cython.bint = n >= NOTED
        if noted:
            i = self.slot(p, o)
            if self.memory[i] == p and self.memory[i + 1] == o and self.memory[i + 2] >> 32 == self.stamp:
                data: cython.ulonglong = self.memory[i + 2]
                low = cython.cast(cython.int, data & 255) - 64
                high = cython.cast(cython.int, (data >> 8) & 255) - 64
                first = cython.cast(cython.int, (data >> 16) & 255)
                if low >= beta or low == high:
                    return low
                if high <= alpha:
                    return high
        # 3. The moves with their ordering scores: few replies, few of them corners, an odd quadrant.
        moves: cython.ulonglong = reach(p, o) & empty
        if not moves:
            if not reach(o, p) & empty:
                return self.difference(p, o)
            return -self.deep(o, p, -beta, -alpha, n, odd)
        base: cython.int = n * WIDTH
        end: cython.int = base
        k: cython.int
        while moves:
            square: cython.int = lowest(moves)
            moves &= moves - 1
            turned: cython.ulonglong = flips(square, p, o)
            q: cython.ulonglong = o ^ turned
            if not q:
                return 64 if self.size == 8 else self.difference(p | turned | (ONE << square), q)
            r: cython.ulonglong = p | turned | (ONE << square)
            if square == first:
                value = -1000
            else:
                replies: cython.ulonglong = reach(q, r) & empty & ~(ONE << square)
                value = 4 * (popcount(replies) + popcount(replies & self.corners))
                if odd & QUARTER[square]:
                    value -= 2
            self.squares[end] = square
            self.turned[end] = turned
            self.scores[end] = value
            end += 1
        # 4. The best first, then null windows (principal variation search).
        best: cython.int = NO
        best_move: cython.int = 0
        floor: cython.int = alpha
        for k in range(base, end):
            j: cython.int = k
            for square in range(k + 1, end):
                if self.scores[square] < self.scores[j]:
                    j = square
            square = self.squares[j]
            turned = self.turned[j]
            self.squares[j] = self.squares[k]
            self.turned[j] = self.turned[k]
            self.scores[j] = self.scores[k]
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
        # 5. Store the bounds.
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
        """The final difference for `p`, to move, in whole discs, fail-soft."""
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
        """The index of a position's entry in the table."""
        x: cython.ulonglong = ((p * MIX_1) & M64) ^ ((o * MIX_2) & M64)
        x = ((x ^ (x >> 32)) * GOLDEN) & M64
        return cython.cast(cython.size_t, x >> (64 - self.bits)) * 3

    def solve(self, p, o, alpha, beta):
        """The same in hundredths of a disc: the window's ends are rounded outwards to whole discs."""
        self.stamp += 1
        low: cython.int = whole(alpha)
        high: cython.int = -whole(-beta)
        return UNIT * self.ending(p, o, low, high)

    def memorize(self, bits):
        """Allocate an empty table of 2**bits positions."""
        size: cython.size_t = 3 << bits
        if cython.compiled:
            PyMem_Free(self.memory)
            self.memory = cython.cast(cython.p_ulonglong, zeroed(size, 8))
        else:
            self.memory = [0] * size
        self.bits = bits

    def exact(self, p: cython.ulonglong, o: cython.ulonglong, alpha: cython.int, beta: cython.int):
        """The difference and the positions visited, with a table for a search from any position."""
        before: cython.longlong = self.solver_nodes
        self.memorize(max(MEMORY, min(LARGE, self.area - popcount(p | o))))
        self.stamp += 1
        with cython.nogil:
            value: cython.int = self.ending(p, o, alpha, beta)
        self.memorize(MEMORY)
        return value, self.solver_nodes - before
