# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Contact in backgammon as a weighted sum of terms.  C types: contact_terms.pxd.

The men on each point, on the bar and off; pips and the lead; men behind a block; points of the home board
while the opponent is on the bar or has blots; anchors; shots and what they cost; primes; men that are out of
play. The weights, in `weights.toml` and `.bin`, differ for the side on roll and the other and for three kinds
of contact: both sides have men to bring past others, or only one has. They were fitted by least squares to
what GNU Backgammon's net says without looking ahead (`gameplay.learning.backgammon`).
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

if cython.compiled:
    from cython.cimports.gameplay.games.backgammon.evaluation import BackgammonEvaluation
    from cython.cimports.gameplay.native.bits import ONE, popcount
else:
    from gameplay.games.backgammon.evaluation import BackgammonEvaluation
    from gameplay.games.backgammon.layout import BAR, OTHER
    from gameplay.native.bits import ONE, popcount

# The terms of a side: where each begins.
MEN = cython.declare(cython.int, 0)  # 24 points, by 1, 2, 3, 4, 5 and more men
OFF = cython.declare(cython.int, 120)  # by 0 to 15 men
BARRED = cython.declare(cython.int, 136)  # by 1, 2, 3 and more men
BLOCK = cython.declare(
    cython.int, 139
)  # by 0 to 4 men of the other side far back, by 0 to 6 points before them
BOARD = cython.declare(cython.int, 174)  # by 0 to 2 men of the other side on the bar, by 0 to 6 home points
ANCHOR = cython.declare(cython.int, 195)  # by whether there is one, by 0 to 6 home points of the other side
SHOTS = cython.declare(cython.int, 209)  # rolls that hit, by 0 to 6 home points of the other side
COST = cython.declare(cython.int, 216)  # pips that they cost on average
PIPS = cython.declare(cython.int, 217)  # at 0, 20, ..., 300
PRIME = cython.declare(cython.int, 233)  # by 0 to 6 points in a row
DEAD = cython.declare(cython.int, 240)  # by 0 to 8 men on the points 1 to 3
LEAD = cython.declare(cython.int, 249)  # at -120, -100, ..., 120 pips
TERMS = cython.declare(cython.int, 262)

DOUBLES = cython.declare(cython.ulonglong, sum(1 << 8 * number for number in range(1, 7)))
STEP = cython.declare(cython.int, 20)  # pips between two numbers of PIPS and of LEAD


def ways(rolls):
    """The number of these rolls out of 36: a double counts once, other rolls twice."""
    return 2 * popcount(rolls) - popcount(rolls & DOUBLES)


class ContactTerms(BackgammonEvaluation):
    """Values contact under weights, which are 16-bit numbers, the lower byte first."""

    def __init__(self, weights):
        BackgammonEvaluation.__init__(self)
        self.weights = weights
        self.terms = 0
        if cython.compiled:
            raw: cython.p_char = self.weights
            self.weight = cython.cast(cython.p_short, raw)
        else:
            self.weight = array("h", weights)
            self.which = [0] * 200
            self.amount = [0] * 200
            self.showing, self.within, self.adding = [0] * 64, [0] * 64, [0] * 12
        numbers: cython.int
        high: cython.int
        low: cython.int
        for low in range(12):
            self.adding[low] = 0
        for numbers in range(64):
            self.showing[numbers] = self.within[numbers] = 0
            for high in range(1, 7):
                for low in range(1, high + 1):
                    roll: cython.ulonglong = ONE << (7 * high + low)
                    count: cython.int = ((numbers >> (high - 1)) & 1) + ((numbers >> (low - 1)) & 1)
                    if count:
                        self.showing[numbers] |= roll
                    if count == 2:
                        self.within[numbers] |= roll
                    if high > low and not numbers:
                        self.adding[high + low] |= roll

    def contact(self, men, me):
        self.look(men, me)
        total: cython.int = 0
        i: cython.int
        for i in range(self.terms):
            total += self.weight[self.which[i]] * self.amount[i]
        return total // 16 if total >= 0 else -(-total // 16)

    def look(self, men, me):
        """Find the terms of a position, the side at `me` being on roll."""
        foe: cython.int = OTHER - me
        mine: cython.int = 0
        theirs: cython.int = 0
        back: cython.bint = False
        behind: cython.bint = False
        kind: cython.int = 0
        i: cython.int
        for i in range(1, 26):
            mine += i * men[me + i]
            theirs += i * men[foe + i]
            if i >= 19:
                back = back or men[me + i] > 0
                behind = behind or men[foe + i] > 0
        if back != behind:
            kind = 1 if back else 2
        self.terms = 0
        self.side(men, me, 2 * TERMS * kind, mine, theirs)
        self.ramp(2 * TERMS * kind + LEAD, theirs - mine, -120, 12)
        self.side(men, foe, 2 * TERMS * kind + TERMS, theirs, mine)

    def side(self, men, me, base, pips, theirs):
        """Add the terms of one side, whose numbers begin at `base`."""
        foe: cython.int = OTHER - me
        i: cython.int
        home: cython.int = 0  # points of its home board
        board: cython.int = 0  # of the other side's
        anchor: cython.int = 0
        run: cython.int = 0
        prime: cython.int = 0
        far: cython.int = BAR  # the other side's last man, and how many are far back
        back: cython.int = 0
        block: cython.int = 0
        cost: cython.int = 0
        them: cython.ulonglong = 0  # where the other side has men, as shots() wants it
        made: cython.ulonglong = 0
        hits: cython.ulonglong = 0
        for i in range(1, 25):
            if men[foe + i]:
                them |= ONE << i
            if men[me + BAR - i] >= 2:
                made |= ONE << i
        for i in range(1, 25):
            n: cython.int = men[me + i]
            if n:
                self.add(base + MEN + 5 * (i - 1) + min(n, 5) - 1, 16)
                if n == 1:
                    rolled: cython.ulonglong = self.shots(them, made, men[foe + BAR], BAR - i)
                    cost += (BAR - i) * ways(rolled)
                    hits |= rolled
                elif i <= 6:
                    home += 1
                elif i >= 19:
                    anchor = 1
            run = run + 1 if n >= 2 else 0
            prime = max(prime, min(run, 6))
            if i <= 6 and men[foe + i] >= 2:
                board += 1
        while far and not men[foe + far]:
            far -= 1
        for i in range(19, 26):
            back += men[foe + i]
        for i in range(max(1, 26 - far), min(25, 32 - far)):
            if men[me + i] >= 2:
                block += 1
        rolls: cython.int = ways(hits)
        self.add(base + OFF + men[me], 16)
        if men[me + BAR]:
            self.add(base + BARRED + min(3, men[me + BAR]) - 1, 16)
        self.add(base + BLOCK + 7 * min(4, back) + block, 16)
        self.add(base + BOARD + 7 * min(2, men[foe + BAR]) + home, 16)
        self.add(base + ANCHOR + 7 * anchor + board, 16)
        if rolls:
            self.add(base + SHOTS + board, rolls)
            self.add(base + COST, cost // 36)
        self.ramp(base + PIPS, pips, 0, 15)
        self.add(base + PRIME + prime, 16)
        self.add(base + DEAD + min(8, men[me + 1] + men[me + 2] + men[me + 3]), 16)

    def add(self, which, amount):
        """Note so many 16ths of a term."""
        self.which[self.terms] = which
        self.amount[self.terms] = amount
        self.terms += 1

    def ramp(self, base, value, least, last):
        """Note a number on a scale whose marks are STEP apart, as shares of the two marks beside it."""
        value = max(0, min(STEP * last, value - least))
        mark: cython.int = value // STEP
        share: cython.int = 16 * (value - STEP * mark) // STEP
        self.add(base + mark, 16 - share)
        if share:
            self.add(base + mark + 1, share)

    def shots(self, men, made, bar, target):
        """The rolls that hit a man on the point `target`, as bits 7 * high + low.

        `men` and `made`: the points where the other side has men, and where it cannot land, a bit each by
        its own count; `bar`: its men on the bar. They enter first; what they enter with goes no further.
        """
        found: cython.ulonglong = 0
        high: cython.int
        low: cython.int
        at: cython.int
        if bar:
            if target >= BAR - 6:
                found = self.showing[ONE << (BAR - target - 1)]
            if bar > 1:
                return found
            for high in range(1, 7):
                for low in range(1, 7):
                    if (men >> (target + high)) & 1 and not (made >> (BAR - low)) & 1:
                        found |= ONE << (7 * max(high, low) + min(high, low))
            return found
        men >>= target
        made >>= target
        if not men:
            return 0
        found = self.showing[(men >> 1) & 63]
        for at in range(3, 12):  # both numbers of a roll: unless it cannot land after either
            if (men >> at) & 1:
                found |= self.adding[at] & ~self.within[(made >> 1) & 63]
        for high in range(1, 7):
            at = high
            while at <= 4 * high and not ((men | made) >> at) & 1:
                at += high
            if at <= 4 * high and (men >> at) & 1:
                found |= ONE << (8 * high)
        return found

    def found(self):
        """The terms of the position last looked at: numbers of weights, and 16ths of them."""
        i: cython.int
        return [(self.which[i], self.amount[i]) for i in range(self.terms)]
