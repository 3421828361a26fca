# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Backgammon contact evaluation: a weighted sum of terms.  C types: contact_terms.pxd.

Terms: the checkers on each point, on the bar and off; the pip count and the lead; checkers behind a block;
home-board points while the opponent is on the bar or has blots; anchors; shots and their cost; primes; dead
checkers. The weights, in `weights.toml` and `.bin`, differ for the side on roll and the other, and for three
kinds of contact: both sides have checkers back, only the side on roll, or only the other. They were fitted by
least squares to GNU Backgammon's network at 0 ply (`gameplay.learning.backgammon`).
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

if cython.compiled:
    from cython.cimports.gameplay.games.backgammon.evaluation import BackgammonEvaluation
    from cython.cimports.gameplay.games.backgammon.shots import Shots, count_rolls
    from cython.cimports.gameplay.native.bits import ONE
else:
    from gameplay.games.backgammon.evaluation import BackgammonEvaluation
    from gameplay.games.backgammon.layout import BAR, OTHER
    from gameplay.games.backgammon.shots import Shots, count_rolls
    from gameplay.native.bits import ONE

# The index of the first term of each group, for one side.
ON_POINT = cython.declare(cython.int, 0)  # 24 points, by 1, 2, 3, 4, 5 or more checkers
OFF = cython.declare(cython.int, 120)  # by 0 to 15 checkers
ON_BAR = cython.declare(cython.int, 136)  # by 1, 2, 3 or more checkers
BLOCK = cython.declare(cython.int, 139)  # by 0 to 4 opposing checkers back, by 0 to 6 points made before them
BOARD = cython.declare(cython.int, 174)  # by 0 to 2 opposing checkers on the bar, by 0 to 6 home points
ANCHOR = cython.declare(cython.int, 195)  # by whether there is one, by 0 to 6 home points of the opponent
SHOTS = cython.declare(cython.int, 209)  # rolls that hit, by 0 to 6 home points of the opponent
COST = cython.declare(cython.int, 216)  # pips lost to a hit, on average
PIPS = cython.declare(cython.int, 217)  # at 0, 20, ..., 300
PRIME = cython.declare(cython.int, 233)  # by 0 to 6 points in a row
DEAD = cython.declare(cython.int, 240)  # by 0 to 8 checkers on points 1 to 3
LEAD = cython.declare(cython.int, 249)  # at -120, -100, ..., 120 pips
TERMS = cython.declare(cython.int, 262)

STEP = cython.declare(cython.int, 20)  # pips between neighbouring terms of PIPS and of LEAD


class ContactTerms(BackgammonEvaluation):
    """Contact evaluation with weights as little-endian 16-bit integers."""

    def __init__(self, weights):
        BackgammonEvaluation.__init__(self)
        self.weights = weights
        self.shots = Shots()
        self.terms = 0
        if cython.compiled:
            raw: cython.p_char = self.weights
            self.weight = cython.cast(cython.p_short, raw)
        else:
            self.weight = array("h", weights)
            self.term_indices = [0] * 200
            self.amounts = [0] * 200

    def contact(self, checkers, side):
        self.collect(checkers, side)
        total: cython.int = 0
        i: cython.int
        for i in range(self.terms):
            total += self.weight[self.term_indices[i]] * self.amounts[i]
        equity: cython.int = total // 16 if total >= 0 else -(-total // 16)
        self.split(equity)
        return equity

    def collect(self, checkers, side):
        """Collect the terms of a position; the side whose checkers begin at `side` is on roll."""
        opponent: cython.int = OTHER - side
        own_pips: cython.int = 0
        opponent_pips: cython.int = 0
        back: cython.bint = False
        behind: cython.bint = False
        kind: cython.int = 0
        i: cython.int
        for i in range(1, 26):
            own_pips += i * checkers[side + i]
            opponent_pips += i * checkers[opponent + i]
            if i >= 19:
                back = back or checkers[side + i] > 0
                behind = behind or checkers[opponent + i] > 0
        if back != behind:
            kind = 1 if back else 2
        self.terms = 0
        self.collect_side(checkers, side, 2 * TERMS * kind, own_pips, opponent_pips)
        self.add_interpolated(2 * TERMS * kind + LEAD, opponent_pips - own_pips, -120, 12)
        self.collect_side(checkers, opponent, 2 * TERMS * kind + TERMS, opponent_pips, own_pips)

    def collect_side(self, checkers, side, base, pips, opponent_pips):
        """Add the terms of one side, whose indices begin at `base`."""
        opponent: cython.int = OTHER - side
        i: cython.int
        home: cython.int = 0  # points made in its home board
        board: cython.int = 0  # ... in the opponent's
        anchor: cython.int = 0
        run: cython.int = 0
        prime: cython.int = 0
        far: cython.int = BAR  # the opponent's last checker
        back: cython.int = 0  # opposing checkers on the bar or points 19 to 24
        block: cython.int = 0
        cost: cython.int = 0
        them: cython.ulonglong = 0  # points with opposing checkers, counted by the opponent
        made: cython.ulonglong = 0  # own points with two checkers or more, counted by the opponent
        hits: cython.ulonglong = 0
        for i in range(1, 25):
            if checkers[opponent + i]:
                them |= ONE << i
            if checkers[side + BAR - i] >= 2:
                made |= ONE << i
        for i in range(1, 25):
            n: cython.int = checkers[side + i]
            if n:
                self.add(base + ON_POINT + 5 * (i - 1) + min(n, 5) - 1, 16)
                if n == 1:
                    rolled: cython.ulonglong = self.shots.hits(them, made, checkers[opponent + BAR], BAR - i)
                    cost += (BAR - i) * count_rolls(rolled)
                    hits |= rolled
                elif i <= 6:
                    home += 1
                elif i >= 19:
                    anchor = 1
            run = run + 1 if n >= 2 else 0
            prime = max(prime, min(run, 6))
            if i <= 6 and checkers[opponent + i] >= 2:
                board += 1
        while far and not checkers[opponent + far]:
            far -= 1
        for i in range(19, 26):
            back += checkers[opponent + i]
        for i in range(max(1, 26 - far), min(25, 32 - far)):
            if checkers[side + i] >= 2:
                block += 1
        rolls: cython.int = count_rolls(hits)
        self.add(base + OFF + checkers[side], 16)
        if checkers[side + BAR]:
            self.add(base + ON_BAR + min(3, checkers[side + BAR]) - 1, 16)
        self.add(base + BLOCK + 7 * min(4, back) + block, 16)
        self.add(base + BOARD + 7 * min(2, checkers[opponent + BAR]) + home, 16)
        self.add(base + ANCHOR + 7 * anchor + board, 16)
        if rolls:
            self.add(base + SHOTS + board, rolls)
            self.add(base + COST, cost // 36)
        self.add_interpolated(base + PIPS, pips, 0, 15)
        self.add(base + PRIME + prime, 16)
        self.add(base + DEAD + min(8, checkers[side + 1] + checkers[side + 2] + checkers[side + 3]), 16)

    def add(self, term, amount):
        """Add a term; amount: in 16ths."""
        self.term_indices[self.terms] = term
        self.amounts[self.terms] = amount
        self.terms += 1

    def add_interpolated(self, base, value, least, last):
        """Add a value as shares of the two nearest terms of a scale in steps of STEP."""
        value = max(0, min(STEP * last, value - least))
        mark: cython.int = value // STEP
        share: cython.int = 16 * (value - STEP * mark) // STEP
        self.add(base + mark, 16 - share)
        if share:
            self.add(base + mark + 1, share)

    def last_terms(self):
        """The terms of the last position as pairs (index, amount in 16ths)."""
        i: cython.int
        return [(self.term_indices[i], self.amounts[i]) for i in range(self.terms)]
