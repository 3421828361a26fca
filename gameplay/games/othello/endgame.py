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
    from cython.cimports.gameplay.games.othello.discs import flips, move_targets, stable
    from cython.cimports.gameplay.native.allocation import zeroed
    from cython.cimports.gameplay.native.bits import M64, ONE, highest, lowest, popcount
    from cython.cimports.gameplay.native.hashing import GOLDEN, MIX_1, MIX_2
else:
    from gameplay.games.othello.discs import flips, move_targets, stable
    from gameplay.native.bits import M64, ONE, highest, lowest, popcount
    from gameplay.native.hashing import GOLDEN, MIX_1, MIX_2

UNIT = cython.declare(cython.int, 100)

# Empty squares: results of positions with fewer are not stored.
MIN_TABLE_EMPTIES = cython.declare(cython.int, 8)
# Empty squares: with fewer or as many, moves are ordered by parity only.
MAX_PARITY_EMPTIES = cython.declare(cython.int, 6)
MAX_MOVES = cython.declare(cython.int, 34)  # more than the moves of any position (33)
NO_VALUE = cython.declare(cython.int, -1000)  # below every difference
INNER_TABLE_BITS = cython.declare(cython.int, 12)  # log2 entries of the table for solve() within a search
MAX_TABLE_BITS = cython.declare(cython.int, 21)  # ... for exact()

if not cython.compiled:
    NEIGHBOURS = [0] * 64
    QUADRANT = [0] * 64
    QUADRANT_SQUARES = [0] * 16


@cython.cfunc
def init_quadrants():
    """Fill the tables of the squares."""
    square: cython.int
    i: cython.int
    x: object
    y: object
    for square in range(64):
        row: object = square >> 3
        column: object = square & 7
        NEIGHBOURS[square] = 0
        for y in range(max(row - 1, 0), min(row + 2, 8)):
            for x in range(max(column - 1, 0), min(column + 2, 8)):
                if (y, x) != (row, column):
                    NEIGHBOURS[square] |= ONE << (8 * y + x)
        QUADRANT[square] = 1 << (2 * (row // 4) + column // 4)
    for i in range(16):
        QUADRANT_SQUARES[i] = 0
        for square in range(64):
            if i & QUADRANT[square]:
                QUADRANT_SQUARES[i] |= ONE << square


init_quadrants()


def floor_discs(x):
    """Hundredths as whole discs, rounded down."""
    return -((UNIT - 1 - x) // UNIT) if x < 0 else x // UNIT


class OthelloEndgame:
    """Solves positions of one board size; `solver_nodes` counts all positions visited."""

    def __init__(self, size: cython.int):
        if not cython.compiled:
            self.squares = [0] * 2176
            self.scores = [0] * 2176
            self.flipped = [0] * 2176
        self.size = size
        self.area = size * size
        self.winner_gets_empties = size == 8
        self.solver_nodes = 0
        self.generation = 0
        self.cells = self.corners = 0
        x: cython.int
        y: cython.int
        for y in range(size):
            for x in range(size):
                self.cells |= ONE << (8 * y + x)
                if y % (size - 1) == 0 and x % (size - 1) == 0:
                    self.corners |= ONE << (8 * y + x)
        self.allocate_table(INNER_TABLE_BITS)

    def __dealloc__(self):
        PyMem_Free(self.table)

    def difference(self, p, o):
        """Discs of `p` minus those of `o`, with the empty squares for the winner if they count."""
        own: cython.int = popcount(p)
        opp: cython.int = popcount(o)
        if self.winner_gets_empties and own > opp:
            return self.area - 2 * opp
        if self.winner_gets_empties and own < opp:
            return 2 * own - self.area
        return own - opp

    def solve_one(self, p, o, x):
        """The final difference for `p`, to move, when only `x` is empty."""
        self.solver_nodes += 1
        own: cython.int = popcount(p)
        flipped: cython.int = popcount(flips(x, p, o))
        if flipped:
            return 2 * (own + flipped + 1) - self.area
        flipped = popcount(flips(x, o, p))
        if flipped:
            return 2 * (own - flipped) - self.area
        value: cython.int = 2 * own - self.area + 1  # the difference, with x empty
        if self.winner_gets_empties:
            return value + 1 if value > 0 else value - 1
        return value

    def solve_two(self, p, o, alpha, beta, x, y):
        """As `solve_one`, with two empty squares, fail-soft."""
        self.solver_nodes += 1
        best: cython.int = NO_VALUE
        if NEIGHBOURS[x] & o:
            flipped: cython.ulonglong = flips(x, p, o)
            if flipped:
                best = -self.solve_one(o ^ flipped, p | flipped | (ONE << x), y)
                if best >= beta:
                    return best
        if NEIGHBOURS[y] & o:
            flipped = flips(y, p, o)
            if flipped:
                value: cython.int = -self.solve_one(o ^ flipped, p | flipped | (ONE << y), x)
                return value if value > best else best
        if best > NO_VALUE:
            return best
        # A pass: the other side has the same choice; if it has none, the game is over.
        if NEIGHBOURS[x] & p:
            flipped = flips(x, o, p)
            if flipped:
                best = self.solve_one(p ^ flipped, o | flipped | (ONE << x), y)
                if best <= alpha:
                    return best
        if NEIGHBOURS[y] & p:
            flipped = flips(y, o, p)
            if flipped:
                value = self.solve_one(p ^ flipped, o | flipped | (ONE << y), x)
                return value if best == NO_VALUE or value < best else best
        return best if best > NO_VALUE else self.difference(p, o)

    def solve_few(self, p, o, alpha, beta, empty, n, odd, passed):
        """As `solve_two`, with 3 to MAX_PARITY_EMPTIES empty squares: odd quadrants first."""
        self.solver_nodes += 1
        best: cython.int = NO_VALUE
        squares: cython.ulonglong = empty & QUADRANT_SQUARES[odd]
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
            if not NEIGHBOURS[square] & o:
                continue
            flipped: cython.ulonglong = flips(square, p, o)
            if not flipped:
                continue
            rest: cython.ulonglong = empty ^ bit
            bit |= p | flipped
            flipped = o ^ flipped
            if n == 3:
                value: cython.int = -self.solve_two(flipped, bit, -beta, -alpha, lowest(rest), highest(rest))
            else:
                value = -self.solve_few(
                    flipped, bit, -beta, -alpha, rest, n - 1, odd ^ QUADRANT[square], False
                )
            if value > best:
                best = value
                if value > alpha:
                    if value >= beta:
                        return value
                    alpha = value
        if best > NO_VALUE:
            return best
        if passed:
            return self.difference(p, o)
        return -self.solve_few(o, p, -beta, -alpha, empty, n, odd, True)

    def solve_many(self, p, o, alpha, beta, n, odd):
        """As `solve_few`, with more empty squares: fastest first."""
        self.solver_nodes += 1
        empty: cython.ulonglong = ~(p | o) & self.cells
        # 1. An upper bound by the other side's stable discs.
        if self.size == 8 and alpha >= 2 * n - 2:
            value: cython.int = 64 - 2 * popcount(stable(o, p))
            if value <= alpha:
                return value
        # 2. Probe the table.
        lower: cython.int = -64
        upper: cython.int = 64
        table_move: cython.int = -1
        i: cython.size_t = 0
        in_table: cython.bint = n >= MIN_TABLE_EMPTIES
        if in_table:
            i = self.table_index(p, o)
            if self.table[i] == p and self.table[i + 1] == o and self.table[i + 2] >> 32 == self.generation:
                data: cython.ulonglong = self.table[i + 2]
                lower = cython.cast(cython.int, data & 255) - 64
                upper = cython.cast(cython.int, (data >> 8) & 255) - 64
                table_move = cython.cast(cython.int, (data >> 16) & 255)
                if lower >= beta or lower == upper:
                    return lower
                if upper <= alpha:
                    return upper
        # 3. The moves with their ordering scores: few replies, few of them corners, an odd quadrant.
        moves: cython.ulonglong = move_targets(p, o) & empty
        if not moves:
            if not move_targets(o, p) & empty:
                return self.difference(p, o)
            return -self.solve_many(o, p, -beta, -alpha, n, odd)
        base: cython.int = n * MAX_MOVES
        end: cython.int = base
        k: cython.int
        while moves:
            square: cython.int = lowest(moves)
            moves &= moves - 1
            flipped: cython.ulonglong = flips(square, p, o)
            new_opp: cython.ulonglong = o ^ flipped
            if not new_opp:
                return 64 if self.size == 8 else self.difference(p | flipped | (ONE << square), new_opp)
            new_own: cython.ulonglong = p | flipped | (ONE << square)
            if square == table_move:
                value = -1000
            else:
                replies: cython.ulonglong = move_targets(new_opp, new_own) & empty & ~(ONE << square)
                value = 4 * (popcount(replies) + popcount(replies & self.corners))
                if odd & QUADRANT[square]:
                    value -= 2
            self.squares[end] = square
            self.flipped[end] = flipped
            self.scores[end] = value
            end += 1
        # 4. The best first, then null windows (principal variation search).
        best: cython.int = NO_VALUE
        best_move: cython.int = 0
        original_alpha: cython.int = alpha
        for k in range(base, end):
            j: cython.int = k
            for square in range(k + 1, end):
                if self.scores[square] < self.scores[j]:
                    j = square
            square = self.squares[j]
            flipped = self.flipped[j]
            self.squares[j] = self.squares[k]
            self.flipped[j] = self.flipped[k]
            self.scores[j] = self.scores[k]
            new_opp = o ^ flipped
            new_own = p | flipped | (ONE << square)
            if n - 1 <= MAX_PARITY_EMPTIES:
                value = -self.solve_few(
                    new_opp,
                    new_own,
                    -beta,
                    -alpha,
                    empty ^ (ONE << square),
                    n - 1,
                    odd ^ QUADRANT[square],
                    False,
                )
            elif k == base or beta - alpha <= 1:
                value = -self.solve_many(new_opp, new_own, -beta, -alpha, n - 1, odd ^ QUADRANT[square])
            else:
                value = -self.solve_many(new_opp, new_own, -alpha - 1, -alpha, n - 1, odd ^ QUADRANT[square])
                if alpha < value < beta:
                    value = -self.solve_many(new_opp, new_own, -beta, -value, n - 1, odd ^ QUADRANT[square])
            if value > best:
                best = value
                best_move = square
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        break
        # 5. Store the bounds.
        if in_table:
            if best < beta and best < upper:
                upper = best
            if best > original_alpha and best > lower:
                lower = best
            self.table[i] = p
            self.table[i + 1] = o
            self.table[i + 2] = (
                cython.cast(cython.ulonglong, lower + 64)
                | (cython.cast(cython.ulonglong, upper + 64) << 8)
                | (cython.cast(cython.ulonglong, best_move) << 16)
                | (self.generation << 32)
            )
        return best

    def search(self, p, o, alpha, beta):
        """The final difference for `p`, to move, in whole discs, fail-soft."""
        empty: cython.ulonglong = ~(p | o) & self.cells
        n: cython.int = popcount(empty)
        odd: cython.int = 0
        i: cython.int
        for i in range(4):
            if popcount(empty & QUADRANT_SQUARES[1 << i]) & 1:
                odd |= 1 << i
        if n > MAX_PARITY_EMPTIES:
            return self.solve_many(p, o, alpha, beta, n, odd)
        if n > 2:
            return self.solve_few(p, o, alpha, beta, empty, n, odd, False)
        if n == 2:
            return self.solve_two(p, o, alpha, beta, lowest(empty), highest(empty))
        return self.solve_one(p, o, lowest(empty)) if n else self.difference(p, o)

    def table_index(self, p, o):
        """The index of a position's entry in the table."""
        x: cython.ulonglong = ((p * MIX_1) & M64) ^ ((o * MIX_2) & M64)
        x = ((x ^ (x >> 32)) * GOLDEN) & M64
        return cython.cast(cython.size_t, x >> (64 - self.bits)) * 3

    def solve(self, p, o, alpha, beta):
        """As `search`, in hundredths of a disc: the window is widened to whole discs."""
        self.generation += 1
        low: cython.int = floor_discs(alpha)
        high: cython.int = -floor_discs(-beta)
        return UNIT * self.search(p, o, low, high)

    def allocate_table(self, bits):
        """Allocate an empty table of 2**bits positions."""
        size: cython.size_t = 3 << bits
        if cython.compiled:
            PyMem_Free(self.table)
            self.table = cython.cast(cython.p_ulonglong, zeroed(size, 8))
        else:
            self.table = [0] * size
        self.bits = bits

    def exact(self, p: cython.ulonglong, o: cython.ulonglong, alpha: cython.int, beta: cython.int):
        """The final difference and the positions visited, with a larger table."""
        before: cython.longlong = self.solver_nodes
        self.allocate_table(max(INNER_TABLE_BITS, min(MAX_TABLE_BITS, self.area - popcount(p | o))))
        self.generation += 1
        with cython.nogil:
            value: cython.int = self.search(p, o, alpha, beta)
        self.allocate_table(INNER_TABLE_BITS)
        return value, self.solver_nodes - before
