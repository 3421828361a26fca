# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Static evaluation of backgammon before the roll, in thousandths of a point.  C types: evaluation.pxd.

Each of three stages has its own method:

    bearing off   where both sides have all men on their last six points, who is first is known exactly if
                  each needs as few rolls on average as they can (54,264 positions of a side, `bearoff.bin`)
    a race        no contact: the rolls that each side needs are estimated from pips and waste, with their
                  variance, and so is the probability of a gammon
    contact       a weighted sum of terms: the men on each point, on the bar and off; pips and the lead; men
                  behind a block; points of the home board while the opponent is on the bar or has blots;
                  anchors; shots and what they cost; primes; men that are out of play

The weights of the terms, in `weights.toml` and `.bin`, differ for the side on roll and the other and for
three kinds of contact: both sides have men to bring past others, or only one has. They were fitted by least
squares to what GNU Backgammon's net says without looking ahead (`gameplay.learning.backgammon`).

The men are laid out as in games/backgammon/layout.py: of each side off, the points 1 to 24, and the bar.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array
from functools import cache
from math import comb
from pathlib import Path

from gameplay.evaluation import PackedEvaluation, listed

if cython.compiled:
    from cython.cimports.gameplay.native.bits import ONE, popcount
    from cython.cimports.libc.math import exp, floor, sqrt
else:
    from math import exp, floor, sqrt

    from gameplay.native.bits import ONE, popcount

OTHER = cython.declare(cython.int, 26)
BAR = cython.declare(cython.int, 25)
POINT = cython.declare(cython.int, 1000)
MOST = cython.declare(cython.int, 3000)
HOME = cython.declare(cython.int, 54264)  # ways to have up to 15 men on six points

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
PIPS_PER_ROLL = cython.declare(cython.double, 49.0 / 6)
STEP = cython.declare(cython.int, 20)  # pips between two numbers of PIPS and of LEAD


def ways(rolls):
    """The number of these rolls out of 36: a double counts once, other rolls twice."""
    return 2 * popcount(rolls) - popcount(rolls & DOUBLES)


def odds(deviations):
    """The odds that a normal variable is less than so many standard deviations, nearly."""
    return 1.0 / (1.0 + exp(-1.702 * deviations))


class BearoffTable:
    """Distribution of the number of rolls that bear off up to 15 men from the last six points.

    The men move so that the rolls are fewest on average. `bearoff.bin` holds the first number of rolls and
    how many numbers there are, a byte each, for each index, and then the odds, two bytes each.
    """

    def __init__(self):
        import zlib

        self.packed = zlib.decompress(Path(__file__).with_name("bearoff.bin").read_bytes())
        i: cython.int
        k: cython.int
        if cython.compiled:
            raw: cython.p_char = self.packed
            self.first = cython.cast(cython.p_uchar, raw)
            self.count = self.first + HOME
            self.chance = cython.cast(cython.p_ushort, self.first + 2 * HOME)
        else:
            self.first = self.packed[:HOME]
            self.count = self.packed[HOME : 2 * HOME]
            self.chance = array("H", self.packed[2 * HOME :])
            self.start = [0] * HOME
            self.mean = [0.0] * HOME
            self.spread = [0.0] * HOME
            self.ways = [[0] * 16 for _ in range(6)]
        for i in range(6):
            for k in range(16):
                self.ways[i][k] = comb(k + i, i + 1)
        at: cython.int = 0
        mean: cython.double
        square: cython.double
        for i in range(HOME):
            self.start[i] = at
            mean = square = 0.0
            for k in range(self.count[i]):
                rolls: cython.int = self.first[i] + k
                share: cython.double = self.chance[at + k] / 65535.0
                mean += share * rolls
                square += share * rolls * rolls
            self.mean[i] = mean
            self.spread[i] = square - mean * mean
            at += self.count[i]

    def index(self, men, me):
        """The index of a side's men on its last six points."""
        found: cython.int = 0
        count: cython.int = 0
        i: cython.int
        for i in range(6):
            count += men[me + i + 1]
            found += self.ways[i][count]
        return found

    def before(self, mine, theirs):
        """The odds that the side on roll is off first, by the indices of both."""
        left: cython.double = 1.0  # the probability that the other side needs as many rolls, or more
        won: cython.double = 0.0
        done: cython.int = self.first[theirs]  # the next number of rolls to subtract from `left`
        i: cython.int
        for i in range(self.count[mine]):
            rolls: cython.int = self.first[mine] + i
            while done < rolls:
                if done - self.first[theirs] < self.count[theirs]:
                    left -= self.chance[self.start[theirs] + done - self.first[theirs]] / 65535.0
                done += 1
            won += self.chance[self.start[mine] + i] / 65535.0 * left
        return won

    def rolls(self, home):
        """Probabilities that so many rolls clear six points with so many men each, the first point first."""
        men = [0, *home]
        place: cython.int = 0
        count: cython.int = 0
        i: cython.int
        for i in range(6):
            count += men[i + 1]
            place += self.ways[i][count]
        share = [self.chance[self.start[place] + i] / 65535.0 for i in range(self.count[place])]
        return {self.first[place] + i: odd for i, odd in enumerate(share)}


@cache
def bearoff():
    """The table, read once a process."""
    return BearoffTable()


class BackgammonEvaluation:
    """Values positions under weights, which are 16-bit numbers, the lower byte first."""

    def __init__(self, weights):
        self.weights = weights
        self.table = bearoff()
        self.terms = 0
        self.variance = 0.0
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

    def equity(self, men, me):
        """What the side whose men begin at `me`, on roll, can expect, from -3000 to 3000."""
        foe: cython.int = OTHER - me
        mine: cython.int = BAR
        theirs: cython.int = BAR
        while mine and not men[me + mine]:
            mine -= 1
        while theirs and not men[foe + theirs]:
            theirs -= 1
        if mine + theirs < 25:
            return self.race(men, me)
        self.look(men, me)
        total: cython.int = 0
        i: cython.int
        for i in range(self.terms):
            total += self.weight[self.which[i]] * self.amount[i]
        total = total // 16 if total >= 0 else -(-total // 16)
        return max(-MOST, min(MOST, total))

    # -- races ---------------------------------------------------------------------------------------

    def needs(self, men, me):
        """The mean number of rolls that a side needs to bear off; sets `variance` to its variance."""
        i: cython.int
        pips: cython.int = 0
        outside: cython.int = 0
        for i in range(1, 26):
            pips += i * men[me + i]
            if i > 6:
                outside += men[me + i]
        if not outside:
            i = self.table.index(men, me)
            self.variance = self.table.spread[i]
            return self.table.mean[i]
        rolls: cython.double = (
            pips + 7.5 + 1.7 * men[me + 1] + 0.9 * men[me + 2] + 0.3 * men[me + 3]
        ) / PIPS_PER_ROLL
        self.variance = 0.25 * rolls
        return rolls

    def race(self, men, me):
        """The equity of a race."""
        foe: cython.int = OTHER - me
        us: cython.double = self.needs(men, me)
        variance: cython.double = self.variance
        them: cython.double = self.needs(men, foe)
        i: cython.int
        home: cython.bint = True
        for i in range(7, 26):
            if men[me + i] or men[foe + i]:
                home = False
                break
        if home:
            won: cython.double = self.table.before(self.table.index(men, me), self.table.index(men, foe))
        else:
            won = odds((them - us + 0.5) / sqrt(variance + self.variance))
        equity: cython.double = 2 * won - 1
        if not men[foe]:
            equity += self.gammon(men, foe, us, variance, 0.5)
        if not men[me]:
            equity -= self.gammon(men, me, them, self.variance, -0.5)
        worth: cython.int = cython.cast(cython.int, floor(POINT * equity + 0.5))
        return max(-MOST, min(MOST, worth))

    def gammon(self, men, me, rolls, variance, late):
        """The probability that a side with no man off has none when the other is off after so many rolls."""
        pips: cython.int = 0
        i: cython.int
        for i in range(7, 26):
            pips += (i - 6) * men[me + i]
        own: cython.double = 1.0 + pips / PIPS_PER_ROLL
        return odds((own - rolls + late) / sqrt(variance + 0.25 * (own - 1.0) + 0.05))

    # -- contact -------------------------------------------------------------------------------------

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


class Terms(PackedEvaluation):
    """Who bears off first in a race; in contact men on points, blocks, boards, anchors, shots."""

    name = "terms"
    size = 3144


EVALUATIONS = listed("backgammon", Terms())
