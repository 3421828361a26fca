# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Static evaluation of backgammon before the roll, in thousandths of a point.  C types: evaluation.pxd.

Each of three stages has its own method:

    bear-off   both sides have all checkers in their home boards: the winning probability is exact if each
               side minimizes its mean number of rolls (54,264 positions a side, `bearoff.bin`)
    race       no contact: the number of rolls that each side needs, its variance and the probability of a
               gammon are estimated from pips and wastage
    contact    `learned`, a network (contact_network.py), or `terms`, a weighted sum (contact_terms.py)

Checkers are laid out as in layout.py, for each side: off, points 1 to 24, bar.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array
from functools import cache
from math import comb
from pathlib import Path

from gameplay.evaluation import PackedEvaluation, by_name

if cython.compiled:
    from cython.cimports.libc.math import exp, floor, sqrt
else:
    from math import exp, floor, sqrt

    from gameplay.games.backgammon.layout import *

MOST = cython.declare(cython.int, 3000)
HOME = cython.declare(cython.int, 54264)  # placements of up to 15 checkers on six points
INPUTS, UNITS, OUTPUTS, SCALE = 196, 160, 6, 1024  # of the network, see contact_network.py

PIPS_PER_ROLL = cython.declare(cython.double, 49.0 / 6)


def normal_cdf(deviations):
    """The probability, approximately, that a normal variable is below this many standard deviations."""
    return 1.0 / (1.0 + exp(-1.702 * deviations))


class BearoffTable:
    """Distributions of the number of rolls that bear off up to 15 checkers from the home board.

    Play minimizes the mean number of rolls. `bearoff.bin` has, for each index, a byte for the least number of
    rolls and a byte for the length of the distribution; then the probabilities, two bytes each, in 65,535ths.
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

    def index(self, checkers, me):
        """The index of a side's checkers in its home board."""
        index: cython.int = 0
        count: cython.int = 0
        i: cython.int
        for i in range(6):
            count += checkers[me + i + 1]
            index += self.ways[i][count]
        return index

    def win_probability(self, mine, theirs):
        """The probability that the side on roll is off first, by the indices of both sides."""
        remaining: cython.double = 1.0  # the probability that the opponent needs at least this many rolls
        won: cython.double = 0.0
        done: cython.int = self.first[theirs]  # the next number of rolls to subtract from `remaining`
        i: cython.int
        for i in range(self.count[mine]):
            rolls: cython.int = self.first[mine] + i
            while done < rolls:
                if done - self.first[theirs] < self.count[theirs]:
                    remaining -= self.chance[self.start[theirs] + done - self.first[theirs]] / 65535.0
                done += 1
            won += self.chance[self.start[mine] + i] / 65535.0 * remaining
        return won

    def rolls(self, home):
        """The probability of each number of rolls; home: the number of checkers on points 1 to 6."""
        checkers = [0, *home]
        place: cython.int = 0
        count: cython.int = 0
        i: cython.int
        for i in range(6):
            count += checkers[i + 1]
            place += self.ways[i][count]
        share = [self.chance[self.start[place] + i] / 65535.0 for i in range(self.count[place])]
        return {self.first[place] + i: probability for i, probability in enumerate(share)}


@cache
def bearoff():
    """The table, loaded once per process."""
    return BearoffTable()


class BackgammonEvaluation:
    """Evaluates races; a subclass evaluates contact."""

    def __init__(self):
        self.table = bearoff()
        self.variance = 0.0

    def equity(self, checkers, me):
        """The cubeless equity of the side on roll, whose checkers begin at `me`: -3000 to 3000."""
        foe: cython.int = OTHER - me
        mine: cython.int = BAR
        theirs: cython.int = BAR
        while mine and not checkers[me + mine]:
            mine -= 1
        while theirs and not checkers[foe + theirs]:
            theirs -= 1
        value: cython.int = self.race(checkers, me) if mine + theirs < 25 else self.contact(checkers, me)
        return max(-MOST, min(MOST, value))

    def contact(self, checkers, me):
        """The cubeless equity of the side on roll in a contact position."""
        return 0

    # -- races ---------------------------------------------------------------------------------------

    def needs(self, checkers, me):
        """The mean number of rolls that a side needs to bear off; also sets `variance`."""
        i: cython.int
        pips: cython.int = 0
        outside: cython.int = 0
        for i in range(1, 26):
            pips += i * checkers[me + i]
            if i > 6:
                outside += checkers[me + i]
        if not outside:
            i = self.table.index(checkers, me)
            self.variance = self.table.spread[i]
            return self.table.mean[i]
        rolls: cython.double = (
            pips + 7.5 + 1.7 * checkers[me + 1] + 0.9 * checkers[me + 2] + 0.3 * checkers[me + 3]
        ) / PIPS_PER_ROLL
        self.variance = 0.25 * rolls
        return rolls

    def race(self, checkers, me):
        """The cubeless equity of a race."""
        foe: cython.int = OTHER - me
        us: cython.double = self.needs(checkers, me)
        variance: cython.double = self.variance
        them: cython.double = self.needs(checkers, foe)
        i: cython.int
        home: cython.bint = True
        for i in range(7, 26):
            if checkers[me + i] or checkers[foe + i]:
                home = False
                break
        if home:
            won: cython.double = self.table.win_probability(
                self.table.index(checkers, me), self.table.index(checkers, foe)
            )
        else:
            won = normal_cdf((them - us + 0.5) / sqrt(variance + self.variance))
        equity: cython.double = 2 * won - 1
        if not checkers[foe]:
            equity += self.gammon(checkers, foe, us, variance, 0.5)
        if not checkers[me]:
            equity -= self.gammon(checkers, me, them, self.variance, -0.5)
        return cython.cast(cython.int, floor(POINT * equity + 0.5))

    def gammon(self, checkers, me, rolls, variance, late):
        """The probability that a side with no checker off is gammoned; rolls: what the opponent needs."""
        pips: cython.int = 0
        i: cython.int
        for i in range(7, 26):
            pips += (i - 6) * checkers[me + i]
        own: cython.double = 1.0 + pips / PIPS_PER_ROLL
        return normal_cdf((own - rolls + late) / sqrt(variance + 0.25 * (own - 1.0) + 0.05))


class Terms(PackedEvaluation):
    """Race: the winning probability; contact: points, blocks, home boards, anchors, shots."""

    name = "terms"
    size = 3144


class LearnedContact(PackedEvaluation):
    """Race: the winning probability; contact: a network trained by self-play."""

    name = "learned"
    stored = "learned.toml"
    size = 2 * ((INPUTS + 1) * UNITS + (UNITS + 1) * OUTPUTS)


EVALUATIONS = by_name("backgammon", LearnedContact(), Terms())
