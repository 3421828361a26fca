# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Features of contact in backgammon: inputs of a network that one layer cannot compute from the checkers.

12 numbers for each side, 0 without contact:

    0     the share of rolls that hit a blot of the side
    1     the same, a roll counted once for each blot that it hits
    2     the pips that such a hit costs, on average over all rolls, in 24ths
    3     the share of rolls that the opponent's rearmost checker cannot play in full
    4     the highest such share for a checker on the bar or on points 15 to 24
    5     the checkers outside the home board, each by its distance to it and the rolls that it plays in full
    6     the checkers behind the side's mean point, each by the square of its distance to that point
    7     the longest row of points made, in sixths
    8     the points made of the six before the opponent's rearmost checker, in sixths
    9     the square of the number of points made in the home board, in 36ths
    10    the pips that can be played before points in the home board or anchors are given up, in hundredths
    11    feature 9 while the opponent has a checker on the bar

A point is made by two checkers or more. A checker plays a roll in full if it can land after one of the dice
and after both. The networks of GNU Backgammon have inputs of this kind.  C types: contact_features.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.gameplay.games.backgammon.phases import highest_point
    from cython.cimports.gameplay.games.backgammon.shots import Shots, count_rolls
    from cython.cimports.gameplay.native.bits import ONE, lowest, popcount
else:
    from gameplay.games.backgammon.layout import *
    from gameplay.games.backgammon.phases import highest_point
    from gameplay.games.backgammon.shots import Shots, count_rolls
    from gameplay.native.bits import ONE, lowest, popcount

    FEATURES = 24

NEXT = cython.declare(cython.int, 0xFFF)  # the 12 points before a checker
SIX = cython.declare(cython.ulonglong, 0x3F)
HOME = cython.declare(cython.ulonglong, 0x3F << 1)

# Sets of points of a side: with checkers, made, and made as the opponent counts them.
SETS = cython.declare(cython.int, 3)
MADE = cython.declare(cython.int, 1)
BLOCKED = cython.declare(cython.int, 2)


class ContactFeatures:
    """Computes the features of a position."""

    def __init__(self):
        self.shots = Shots()
        if not cython.compiled:
            self.playable = [0] * (NEXT + 1)
        blocked: cython.int
        high: cython.int
        low: cython.int
        for blocked in range(NEXT + 1):
            rolls: cython.int = 0
            for high in range(1, 7):
                for low in range(1, high + 1):
                    both: cython.int = (blocked >> (high - 1)) & (blocked >> (low - 1)) & 1
                    if not both and not (blocked >> (high + low - 1)) & 1:
                        rolls += 1 if high == low else 2
            self.playable[blocked] = rolls

    def read(self, checkers, me, amounts):
        """Write the features of the side whose checkers begin at `me` and of the other; false: no contact."""
        opponent: cython.int = OTHER - me
        own_rearmost: cython.int = highest_point(checkers, me)
        rearmost: cython.int = highest_point(checkers, opponent)
        if own_rearmost + rearmost < BAR:
            return False
        sets = cython.declare(cython.ulonglong[6])  # SETS of each side
        if not cython.compiled:
            sets = [0] * 2 * SETS
        self.collect(checkers, me, sets, 0)
        self.collect(checkers, opponent, sets, SETS)
        self.read_side(checkers, me, rearmost, sets, 0, amounts, 0)
        self.read_side(checkers, opponent, own_rearmost, sets, SETS, amounts, FEATURES // 2)
        return True

    def collect(self, checkers, me, sets, own):
        """Write a side's points with checkers, and the points that it has made, to sets[own:]."""
        i: cython.int
        sets[own] = sets[own + MADE] = sets[own + BLOCKED] = 0
        for i in range(1, BAR + 1):
            if checkers[me + i]:
                sets[own] |= ONE << i
                if checkers[me + i] > 1 and i < BAR:
                    sets[own + MADE] |= ONE << i
                    sets[own + BLOCKED] |= ONE << (BAR - i)

    def read_side(self, checkers, me, rearmost, sets, own, amounts, at):
        """Write the features of a side to amounts[at:].

        rearmost: the point of the opponent's rearmost checker; sets[own:] are the side's.
        """
        other: cython.int = SETS - own  # where the opponent's sets begin
        made: cython.ulonglong = sets[own + MADE]
        hitters: cython.ulonglong = sets[other] & ~(ONE << BAR)
        on_bar: cython.int = checkers[OTHER - me + BAR]
        i: cython.int
        n: cython.int
        # 1. Sums over the side's points.
        hits: cython.ulonglong = 0
        hit_blots: cython.int = 0
        cost: cython.int = 0
        count: cython.int = 0
        pips: cython.int = 0
        mobility: cython.int = 0
        spare: cython.int = 0
        points: cython.ulonglong = sets[own]
        while points:
            i = lowest(points)
            points &= points - 1
            n = checkers[me + i]
            count += n
            pips += i * n
            if n == 1 and i < BAR:
                rolls: cython.ulonglong = self.shots.hits(hitters, sets[own + BLOCKED], on_bar, BAR - i)
                hits |= rolls
                hit_blots += count_rolls(rolls)
                cost += (BAR - i) * count_rolls(rolls)
            if i > 6:
                mobility += n * (i - 6) * self.playable[(sets[other + MADE] >> (BAR + 1 - i)) & NEXT]
            kept: cython.int = 0 if 6 < i < 19 else 2
            if n > kept:
                spare += (n - kept) * (i - 6 if i > 6 else i)
        # 2. Checkers behind the mean point.
        mean: cython.double = pips / cython.cast(cython.double, max(1, count))
        moment: cython.double = 0.0
        points = sets[own]
        while points:
            i = lowest(points)
            points &= points - 1
            if i > mean:
                moment += checkers[me + i] * (i - mean) * (i - mean)
        # 3. Points made: the best block, the longest row, those in the home board.
        least: cython.int = 36
        for i in range(15, BAR + 1):
            least = min(least, self.playable[(made >> (BAR + 1 - i)) & NEXT])
        longest: cython.int = 0
        points = made
        while points:
            longest += 1
            points &= points >> 1
        home: cython.int = popcount(made & HOME)
        amounts[at] = count_rolls(hits) / 36.0
        amounts[at + 1] = hit_blots / 36.0
        amounts[at + 2] = cost / (36.0 * 24.0)
        amounts[at + 3] = (36 - self.playable[(made >> (BAR + 1 - rearmost)) & NEXT]) / 36.0
        amounts[at + 4] = (36 - least) / 36.0
        amounts[at + 5] = mobility / 3600.0
        amounts[at + 6] = moment / (100.0 * max(1, count))
        amounts[at + 7] = min(6, longest) / 6.0
        amounts[at + 8] = popcount(made & (SIX << (BAR + 1 - rearmost))) / 6.0
        amounts[at + 9] = home * home / 36.0
        amounts[at + 10] = spare / 100.0
        amounts[at + 11] = amounts[at + 9] if on_bar else 0.0
