# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The Othello evaluation `feature_weights`, a sum of named terms.  C types: terms.pxd.

A term is the mover's count less the opponent's; terms.toml says what each counts. The value is the
sum of weight times term over SCALE, rounded towards 0, in hundredths of a disc.

        a b c d e f g h
     1  * C e e e e C *        * corners         C, X: C-squares and X-squares, counted while
     2  C X . . . . X C        e edges                 the corner beside them is empty
     3  e . m m m m . e        m centre
     4  e . m m m m . e        The smaller boards are alike; on 4x4 there are no edges, and the
     5  e . m m m m . e        centre is the whole board.
     6  e . m m m m . e
     7  C X . . . . X C
     8  * C e e e e C *
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.othello.evaluation import EVALUATIONS, SCALE

if cython.compiled:
    from cython.cimports.gameplay.games.othello.evaluation import with_neighbours
    from cython.cimports.gameplay.native.bits import ONE, popcount
else:
    from gameplay.games.othello.evaluation import with_neighbours
    from gameplay.native.bits import ONE, popcount

UNIT = cython.declare(cython.int, SCALE)
if not cython.compiled:
    MOBILITY, SAFE_MOVES, CORNER_MOVES, POTENTIAL, FRONTIER, CORNERS, X_SQUARES = range(7)
    C_SQUARES, EDGES, CENTRE, STABLE, DISCS, LATE_DISCS, PARITY = range(7, 14)


class OthelloTerms:
    """The terms with weights, for one board size."""

    def __init__(self, size, weights=EVALUATIONS["linear"].weights):
        i: cython.int
        x: cython.int
        y: cython.int
        if not cython.compiled:
            self.weight = [0] * 14
        given = [weights[name] for name in EVALUATIONS["linear"].weights]
        for i in range(14):
            self.weight[i] = given[i]
        self.size = size
        self.cells = self.corners = self.x_squares = self.c_squares = self.edges = self.centre = 0
        for y in range(size):
            for x in range(size):
                square: cython.ulonglong = ONE << (8 * y + x)
                self.cells |= square
                # The distances from the nearest borders.
                across: cython.int = min(x, size - 1 - x)
                down: cython.int = min(y, size - 1 - y)
                ends: cython.int = across + down
                if ends == 0:
                    self.corners |= square
                elif ends == 1:
                    self.c_squares |= square
                elif across == 0 or down == 0:
                    self.edges |= square
                elif ends == 2:
                    self.x_squares |= square
                if size // 2 - 2 <= x < size // 2 + 2 and size // 2 - 2 <= y < size // 2 + 2:
                    self.centre |= square

    def value(self, p, o, moves, replies, stable):
        """The sum for the mover `p`, in hundredths of a disc; the parameters are those of `tally`."""
        counts = cython.declare(cython.int[14])
        if not cython.compiled:
            counts = [0] * 14
        total: cython.longlong = 0
        i: cython.int
        self.tally(p, o, moves, replies, stable, counts)
        for i in range(14):
            total += self.weight[i] * counts[i]
        return total // UNIT if total >= 0 else -(-total // UNIT)  # symmetric for both sides

    def tally(self, p, o, moves, replies, stable, counts):
        """Count all terms for the mover `p`.

        `moves`, `replies`: the legal moves of both; `stable`: the mover's stable discs less the opponent's.
        """
        empty: cython.ulonglong = self.cells & ~(p | o)
        edge: cython.ulonglong = with_neighbours(empty)
        near: cython.ulonglong = self.near_empty_corners(empty)
        discs: cython.int = popcount(p) - popcount(o)
        empties: cython.int = popcount(empty)
        x: cython.ulonglong = self.x_squares & near
        c: cython.ulonglong = self.c_squares & near
        # 1. Moves, now and later.
        counts[MOBILITY] = popcount(moves) - popcount(replies)
        counts[SAFE_MOVES] = popcount(moves & ~(x | c)) - popcount(replies & ~(x | c))
        counts[CORNER_MOVES] = popcount(moves & self.corners) - popcount(replies & self.corners)
        counts[POTENTIAL] = popcount(with_neighbours(o) & empty) - popcount(with_neighbours(p) & empty)
        counts[FRONTIER] = popcount(p & edge) - popcount(o & edge)
        # 2. Where the discs are.
        counts[CORNERS] = popcount(p & self.corners) - popcount(o & self.corners)
        counts[X_SQUARES] = popcount(p & x) - popcount(o & x)
        counts[C_SQUARES] = popcount(p & c) - popcount(o & c)
        counts[EDGES] = popcount(p & self.edges) - popcount(o & self.edges)
        counts[CENTRE] = popcount(p & self.centre) - popcount(o & self.centre)
        # 3. Discs that count at the end, and the last move.
        counts[STABLE] = stable
        counts[DISCS] = discs
        counts[LATE_DISCS] = discs if 4 * empties <= self.size * self.size else 0
        counts[PARITY] = 1 if empties & 1 else -1

    def near_empty_corners(self, empty):
        """The squares next to empty corners, and these."""
        return with_neighbours(empty & self.corners) & self.cells
