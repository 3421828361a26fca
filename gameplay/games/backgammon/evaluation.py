# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Static evaluation of backgammon before the roll, in thousandths of a point.  C types: evaluation.pxd.

Each of three stages has its own method:

    bear-off   both sides have all checkers in their home boards: the winning probability is exact if each
               side minimizes its mean number of rolls (54,264 positions a side, `bearoff.bin`)
    race       no contact; `terms` estimates the number of rolls that each side needs, its variance and the
               probability of a gammon from pips and wastage
    contact    `terms`: a weighted sum (contact_terms.py)

`learned` values races and contact by a network (learned_network.py).

Checkers are laid out as in layout.py, for each side: off, points 1 to 24, bar.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array
from functools import cache
from itertools import pairwise
from math import comb
from pathlib import Path

from gameplay.evaluation import PackedEvaluation, by_name

if cython.compiled:
    from cython.cimports.gameplay.games.backgammon.phases import highest_point
    from cython.cimports.libc.math import exp, floor, sqrt
else:
    from math import exp, floor, sqrt

    from gameplay.games.backgammon.layout import *
    from gameplay.games.backgammon.phases import highest_point

HOME = cython.declare(cython.int, 54264)  # placements of up to 15 checkers on six points
SIZES = (808, 224, 64, 6)  # inputs, units and outputs of the network, see learned_network.py
SCALE = 1024  # ... and of its weights

PIPS_PER_ROLL = cython.declare(cython.double, 49.0 / 6)


def normal_cdf(deviations):
    """The probability, approximately, that a normal variable is below this many standard deviations."""
    return 1.0 / (1.0 + exp(-1.702 * deviations))


def max_loss(off, rearmost, contact):
    """The most points that a side can lose, by its checkers off and the point of its rearmost checker."""
    return 1 if off else 3 if contact or rearmost > 18 else 2


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
            self.min_rolls = cython.cast(cython.p_uchar, raw)
            self.lengths = self.min_rolls + HOME
            self.probabilities = cython.cast(cython.p_ushort, self.min_rolls + 2 * HOME)
        else:
            self.min_rolls = self.packed[:HOME]
            self.lengths = self.packed[HOME : 2 * HOME]
            self.probabilities = array("H", self.packed[2 * HOME :])
            self.offsets = [0] * HOME
            self.means = [0.0] * HOME
            self.variances = [0.0] * HOME
            self.binomials = [[0] * 16 for _ in range(6)]
        for i in range(6):
            for k in range(16):
                self.binomials[i][k] = comb(k + i, i + 1)
        at: cython.int = 0
        mean: cython.double
        square: cython.double
        for i in range(HOME):
            self.offsets[i] = at
            mean = square = 0.0
            for k in range(self.lengths[i]):
                rolls: cython.int = self.min_rolls[i] + k
                share: cython.double = self.probabilities[at + k] / 65535.0
                mean += share * rolls
                square += share * rolls * rolls
            self.means[i] = mean
            self.variances[i] = square - mean * mean
            at += self.lengths[i]

    def index(self, checkers, me):
        """The index of a side's checkers in its home board."""
        index: cython.int = 0
        count: cython.int = 0
        i: cython.int
        for i in range(6):
            count += checkers[me + i + 1]
            index += self.binomials[i][count]
        return index

    def win_probability(self, own, opponent):
        """The probability that the side on roll is off first, by the indices of both sides."""
        remaining: cython.double = 1.0  # the probability that the opponent needs at least this many rolls
        won: cython.double = 0.0
        subtracted: cython.int = self.min_rolls[opponent]  # rolls below this are subtracted from `remaining`
        i: cython.int
        for i in range(self.lengths[own]):
            rolls: cython.int = self.min_rolls[own] + i
            while subtracted < rolls:
                if subtracted - self.min_rolls[opponent] < self.lengths[opponent]:
                    remaining -= (
                        self.probabilities[self.offsets[opponent] + subtracted - self.min_rolls[opponent]]
                        / 65535.0
                    )
                subtracted += 1
            won += self.probabilities[self.offsets[own] + i] / 65535.0 * remaining
        return won

    def rolls(self, home):
        """The probability of each number of rolls; home: the number of checkers on points 1 to 6."""
        checkers = [0, *home]
        place: cython.int = 0
        count: cython.int = 0
        i: cython.int
        for i in range(6):
            count += checkers[i + 1]
            place += self.binomials[i][count]
        share = [self.probabilities[self.offsets[place] + i] / 65535.0 for i in range(self.lengths[place])]
        return {self.min_rolls[place] + i: probability for i, probability in enumerate(share)}


@cache
def bearoff():
    """The table, loaded once per process."""
    return BearoffTable()


class BackgammonEvaluation:
    """Evaluates races and bear-offs; a subclass evaluates contact."""

    def __init__(self):
        self.table = bearoff()
        self.variance = 0.0
        if not cython.compiled:
            self.chances = [0.0] * 6

    def equity(self, checkers, me):
        """The cubeless equity of the side on roll, whose checkers begin at `me`: -3000 to 3000.

        Also sets `chances`, the probabilities to win at least 1, 2, 3 points and to lose as many.
        """
        opponent: cython.int = OTHER - me
        own_highest: cython.int = highest_point(checkers, me)
        opponent_highest: cython.int = highest_point(checkers, opponent)
        contact: cython.bint = own_highest + opponent_highest >= 25
        value: cython.int
        if contact:
            value = self.contact(checkers, me)
        elif own_highest > 6 or opponent_highest > 6:
            value = self.race(checkers, me)
        else:
            value = self.bear_off(checkers, me)
        most_won: cython.int = max_loss(checkers[opponent], opponent_highest, contact)
        most_lost: cython.int = max_loss(checkers[me], own_highest, contact)
        self.limit_chances(most_won, most_lost)
        return max(-POINT * most_lost, min(POINT * most_won, value))

    def limit_chances(self, most_won, most_lost):
        """Make `chances` consistent: one side wins, more points are less likely, none is impossible."""
        total: cython.double = self.chances[0] + self.chances[3]
        self.chances[0] /= total
        self.chances[3] /= total
        k: cython.int
        for k in range(1, 3):
            self.chances[k] = min(self.chances[k], self.chances[k - 1]) if k < most_won else 0.0
            self.chances[3 + k] = min(self.chances[3 + k], self.chances[2 + k]) if k < most_lost else 0.0

    def split(self, equity):
        """Set `chances` by an equity alone: up to a point without gammons, beyond it with certainty."""
        points: cython.double = equity / 1000.0
        k: cython.int
        self.chances[0] = max(0.0, min(1.0, (points + 1) / 2))
        self.chances[3] = 1.0 - self.chances[0]
        for k in range(1, 3):
            self.chances[k] = max(0.0, min(1.0, points - k))
            self.chances[3 + k] = max(0.0, min(1.0, -points - k))

    def contact(self, checkers, me):
        """The cubeless equity of the side on roll in a contact position; also sets `chances`."""
        self.split(0)
        return 0

    # -- races ---------------------------------------------------------------------------------------

    def mean_rolls(self, checkers, me):
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
            self.variance = self.table.variances[i]
            return self.table.means[i]
        rolls: cython.double = (
            pips + 7.5 + 1.7 * checkers[me + 1] + 0.9 * checkers[me + 2] + 0.3 * checkers[me + 3]
        ) / PIPS_PER_ROLL
        self.variance = 0.25 * rolls
        return rolls

    def race(self, checkers, me):
        """The cubeless equity of a race in which a checker is outside its home board."""
        us: cython.double = self.mean_rolls(checkers, me)
        variance: cython.double = self.variance
        them: cython.double = self.mean_rolls(checkers, OTHER - me)
        won: cython.double = normal_cdf((them - us + 0.5) / sqrt(variance + self.variance))
        return self.add_gammons(checkers, me, won)

    def bear_off(self, checkers, me):
        """The cubeless equity with all checkers in the home boards."""
        won: cython.double = self.table.win_probability(
            self.table.index(checkers, me), self.table.index(checkers, OTHER - me)
        )
        return self.add_gammons(checkers, me, won)

    def add_gammons(self, checkers, me, won):
        """The cubeless equity without contact, and `chances`; won: the mover's winning probability."""
        opponent: cython.int = OTHER - me
        us: cython.double = self.mean_rolls(checkers, me)
        variance: cython.double = self.variance
        them: cython.double = self.mean_rolls(checkers, opponent)
        equity: cython.double = 2 * won - 1
        k: cython.int
        for k in range(6):
            self.chances[k] = 0.0
        self.chances[0] = won
        self.chances[3] = 1.0 - won
        if not checkers[opponent]:
            self.chances[1] = self.gammon(checkers, opponent, us, variance, 0.5)
            equity += self.chances[1]
        if not checkers[me]:
            self.chances[4] = self.gammon(checkers, me, them, self.variance, -0.5)
            equity -= self.chances[4]
        return cython.cast(cython.int, floor(POINT * equity + 0.5))

    def gammon(self, checkers, me, rolls, variance, bonus):
        """The probability that a side with no checker off is gammoned; rolls: what the opponent needs."""
        pips: cython.int = 0
        i: cython.int
        for i in range(7, 26):
            pips += (i - 6) * checkers[me + i]
        own: cython.double = 1.0 + pips / PIPS_PER_ROLL
        return normal_cdf((own - rolls + bonus) / sqrt(variance + 0.25 * (own - 1.0) + 0.05))


class Terms(PackedEvaluation):
    """Race: the winning probability; contact: points, blocks, home boards, anchors, shots."""

    name = "terms"
    size = 3144


class Learned(PackedEvaluation):
    """Bear-off: the winning probability; before it: a network trained by self-play."""

    name = "learned"
    stored = "learned.toml"
    size = 2 * sum((rows + 1) * columns for rows, columns in pairwise(SIZES))


EVALUATIONS = by_name("backgammon", Learned(), Terms())
