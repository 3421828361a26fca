# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Static evaluation of backgammon before the roll, in thousandths of a point.  C types: evaluation.pxd.

Each of three stages has its own method:

    bearing off   where both sides have all men on their last six points, who is first is known exactly if
                  each needs as few rolls on average as they can (54,264 positions of a side, `bearoff.bin`)
    a race        no contact: the rolls that each side needs are estimated from pips and waste, with their
                  variance, and so is the probability of a gammon
    contact       `learned`, a network (contact_network.py), or `terms`, a weighted sum (contact_terms.py)

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
    from cython.cimports.libc.math import exp, floor, sqrt
else:
    from math import exp, floor, sqrt

    from gameplay.games.backgammon.layout import *

MOST = cython.declare(cython.int, 3000)
HOME = cython.declare(cython.int, 54264)  # ways to have up to 15 men on six points
INPUTS, UNITS, OUTPUTS, SCALE = 196, 160, 6, 1024  # of the network, see contact_network.py

PIPS_PER_ROLL = cython.declare(cython.double, 49.0 / 6)


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
    """Values races; a subclass values contact."""

    def __init__(self):
        self.table = bearoff()
        self.variance = 0.0

    def equity(self, men, me):
        """What the side whose men begin at `me`, on roll, can expect, from -3000 to 3000."""
        foe: cython.int = OTHER - me
        mine: cython.int = BAR
        theirs: cython.int = BAR
        while mine and not men[me + mine]:
            mine -= 1
        while theirs and not men[foe + theirs]:
            theirs -= 1
        value: cython.int = self.race(men, me) if mine + theirs < 25 else self.contact(men, me)
        return max(-MOST, min(MOST, value))

    def contact(self, men, me):
        """What the side on roll can expect while men of both sides can still meet."""
        return 0

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
        return cython.cast(cython.int, floor(POINT * equity + 0.5))

    def gammon(self, men, me, rolls, variance, late):
        """The probability that a side with no man off has none when the other is off after so many rolls."""
        pips: cython.int = 0
        i: cython.int
        for i in range(7, 26):
            pips += (i - 6) * men[me + i]
        own: cython.double = 1.0 + pips / PIPS_PER_ROLL
        return odds((own - rolls + late) / sqrt(variance + 0.25 * (own - 1.0) + 0.05))


class Terms(PackedEvaluation):
    """Who bears off first in a race; in contact men on points, blocks, boards, anchors, shots."""

    name = "terms"
    size = 3144


class LearnedContact(PackedEvaluation):
    """Who bears off first in a race; in contact a network that learned by playing against itself."""

    name = "learned"
    stored = "learned.toml"
    size = 2 * ((INPUTS + 1) * UNITS + (UNITS + 1) * OUTPUTS)


EVALUATIONS = listed("backgammon", LearnedContact(), Terms())
