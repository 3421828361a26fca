# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The value of a position of draughts, in hundredths of a man: a sum of named terms.  Types: evaluation.pxd.

A term is the mover's count minus the opponent's; terms.toml defines each count. The value is the sum of
weight times term over SCALE, rounded towards 0. The weights are set by hand; against men and kings alone, at
equal nodes, they scored 70 % (60 games, `selective`, 1,500 nodes a move, from 4 random plies). A side is
rated on a board turned so that its men move from high bits to low ones (board.py).
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.evaluation import by_name, linear_evaluation

if cython.compiled:
    from cython.cimports.gameplay.native.bits import popcount, reversed_bits
else:
    from gameplay.native.bits import popcount, reversed_bits

SCALE = 64  # parts of a hundredth of a man in the weights
WORDS = "men, kings, tempo, centre, balance, back row, runaway men: a sum of named terms"
EVALUATIONS = by_name(
    "draughts",
    linear_evaluation(__file__, "terms", WORDS, SCALE, max_weight=1 << 20, fixed=("man",)),
)

UNIT = cython.declare(cython.int, SCALE)
SIZE = cython.declare(cython.int, len(EVALUATIONS["terms"].weights))
if not cython.compiled:
    MAN, KING, LONE, TEMPO, LATE_TEMPO, CENTRE, EDGE, BACK, GOLDEN = range(9)
    BALANCE, SUPPORT, STEPS, OUTPOSTS, RUNAWAY, RUNAWAY_ROWS, DIAGONAL, TURN = range(9, SIZE)


class DraughtsEvaluation:
    """The terms with weights, for one variant."""

    def __init__(self, rules, weights=EVALUATIONS["terms"].weights):
        if not cython.compiled:
            self.weight, self.rank = [0] * 32, [0] * 4
        for i, name in enumerate(EVALUATIONS["terms"].weights):
            self.weight[i] = weights[name]
        size = rules.size
        self.top = rules.bit(rules.squares)
        self.all = self.first = self.golden = self.edge = self.centre = self.left = self.right = 0
        self.diagonal = rules.diagonal
        for i in range(4):
            self.rank[i] = 0
        for square in range(1, rules.squares + 1):
            row, column = rules.cell(square)
            bit = 1 << rules.bit(square)
            advance = size - 1 - row
            self.all |= bit
            for i in range(4):
                self.rank[i] |= bit if advance >> i & 1 else 0
            self.first |= bit if advance == 0 else 0
            self.edge |= bit if column in (0, size - 1) else 0
            middle = size // 2 - 2 <= column < size // 2 + 2 and 2 <= advance < size - 2
            self.centre |= bit if middle else 0
            self.left |= bit if column < size // 2 else 0
        self.right = self.all & ~self.left
        self.golden = 1 << rules.bit(48 if size == 10 else 30)

    def value(self, white, black, kings, turn):
        """The sum for the side to move, in hundredths of a man."""
        counts = cython.declare(cython.int[32])
        if not cython.compiled:
            counts = [0] * 32
        total: cython.longlong = 0
        i: cython.int
        self.tally(white, black, kings, turn, counts)
        for i in range(SIZE):
            total += self.weight[i] * counts[i]
        return total // UNIT if total >= 0 else -(-total // UNIT)  # symmetric for both sides

    def tally(self, white, black, kings, turn, counts):
        """Count all terms for the side to move."""
        i: cython.int
        for i in range(SIZE):
            counts[i] = 0
        far: cython.int = 63 - self.top
        turned: cython.ulonglong = reversed_bits(kings) >> far
        self.rate(white, black, kings, -1 if turn else 1, counts)
        self.rate(reversed_bits(black) >> far, reversed_bits(white) >> far, turned, 1 if turn else -1, counts)
        counts[TURN] = 1

    def rate(self, own, other, kings, sign, counts):
        """Add the counts of one side, whose men move up the board, times `sign`."""
        men: cython.ulonglong = own & ~kings
        empty: cython.ulonglong = self.all & ~(own | other)
        # 1. Material.
        pieces: cython.int = popcount(own)
        counts[MAN] += sign * popcount(men)
        counts[KING] += sign * popcount(own & kings)
        if 1 < pieces <= 3 and own & kings and other & kings and popcount(other) == 1:
            counts[LONE] += sign * (pieces - 1)
        # 2. Placement of the men.
        tempo: cython.int = self.rows(men)
        counts[TEMPO] += sign * tempo
        if 2 * (pieces + popcount(other)) <= popcount(self.all) * 4 // 5:
            counts[LATE_TEMPO] += sign * tempo
        counts[CENTRE] += sign * popcount(men & self.centre)
        counts[EDGE] += sign * popcount(men & self.edge)
        counts[BACK] += sign * popcount(men & self.first)
        counts[GOLDEN] += sign * popcount(men & self.golden)
        imbalance: cython.int = popcount(men & self.left) - popcount(men & self.right)
        counts[BALANCE] -= sign * (imbalance if imbalance > 0 else -imbalance)
        # 3. Formation and mobility.
        supported_left: cython.ulonglong = men & (own >> 5)
        supported_right: cython.ulonglong = men & (own >> 6)
        counts[SUPPORT] += sign * (popcount(supported_left) + popcount(supported_right))
        counts[STEPS] += sign * (popcount((men >> 5) & empty) + popcount((men >> 6) & empty))
        counts[OUTPOSTS] += sign * popcount(supported_left & supported_right & self.centre & self.rank[2])
        # 4. Men with no piece of the opponent in the cone ahead of them.
        cone: cython.ulonglong = other
        _row: cython.int
        for _row in range(9):
            cone |= ((cone << 5) | (cone << 6)) & self.all
        runaways: cython.ulonglong = men & ~cone
        if runaways and not other & kings:
            counts[RUNAWAY] += sign * popcount(runaways)
            counts[RUNAWAY_ROWS] += sign * self.rows(runaways)
        # 5. Kings.
        counts[DIAGONAL] += sign * popcount(own & kings & self.diagonal)

    def rows(self, squares):
        """The sum of the rows of these squares, from 0 at the own side."""
        return (
            popcount(squares & self.rank[0])
            + 2 * popcount(squares & self.rank[1])
            + 4 * popcount(squares & self.rank[2])
            + 8 * popcount(squares & self.rank[3])
        )
