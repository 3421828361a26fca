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
    from cython.cimports.gameplay.native.bits import ONE
else:
    from gameplay.games.backgammon.layout import *
    from gameplay.games.backgammon.phases import highest_point
    from gameplay.games.backgammon.shots import Shots, count_rolls
    from gameplay.native.bits import ONE

    FEATURES = 24

NEXT = cython.declare(cython.int, 0xFFF)  # the 12 points before a checker


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
        own: cython.int = highest_point(checkers, me)
        other: cython.int = highest_point(checkers, OTHER - me)
        if own + other < BAR:
            return False
        self.read_side(checkers, me, other, amounts)
        if cython.compiled:
            self.read_side(checkers, OTHER - me, own, amounts + FEATURES // 2)
        else:
            second = [0.0] * (FEATURES // 2)
            self.read_side(checkers, OTHER - me, own, second)
            amounts[FEATURES // 2 :] = second
        return True

    def read_side(self, checkers, me, rearmost, amounts):
        """Write the features of a side; rearmost: the point of the opponent's rearmost checker."""
        opponent: cython.int = OTHER - me
        i: cython.int
        # 1. Points with checkers of the opponent and points that it has made, counted by the opponent; points
        #    that this side has made, counted by the opponent and by this side.
        hitters: cython.ulonglong = 0
        made_by_opponent: cython.ulonglong = 0
        blocked: cython.ulonglong = 0
        made: cython.ulonglong = 0
        for i in range(1, BAR):
            if checkers[opponent + i]:
                hitters |= ONE << i
                if checkers[opponent + i] > 1:
                    made_by_opponent |= ONE << i
            if checkers[me + i] > 1:
                blocked |= ONE << (BAR - i)
                made |= ONE << i
        # 2. One pass over the side's points.
        hits: cython.ulonglong = 0
        hit_blots: cython.int = 0
        cost: cython.int = 0
        count: cython.int = 0
        pips: cython.int = 0
        mobility: cython.int = 0
        spare: cython.int = 0
        row: cython.int = 0
        longest: cython.int = 0
        before: cython.int = 0
        home: cython.int = 0
        for i in range(1, BAR + 1):
            n: cython.int = checkers[me + i]
            count += n
            pips += i * n
            if n == 1 and i < BAR:
                rolls: cython.ulonglong = self.shots.hits(hitters, blocked, checkers[opponent + BAR], BAR - i)
                hits |= rolls
                hit_blots += count_rolls(rolls)
                cost += (BAR - i) * count_rolls(rolls)
            if n and i > 6:
                mobility += n * (i - 6) * self.playable[(made_by_opponent >> (BAR + 1 - i)) & NEXT]
            kept: cython.int = 0 if 6 < i < 19 else 2
            if n > kept:
                spare += (n - kept) * (i - 6 if i > 6 else i)
            if n > 1 and i < BAR:
                home += i <= 6
                before += BAR - rearmost < i <= BAR - rearmost + 6
                row += 1
                longest = max(longest, row)
            else:
                row = 0
        # 3. Checkers behind the mean point; the best block.
        mean: cython.double = pips / cython.cast(cython.double, max(1, count))
        moment: cython.double = 0.0
        least: cython.int = 36
        for i in range(1, BAR + 1):
            if i > mean:
                moment += checkers[me + i] * (i - mean) * (i - mean)
            if i >= 15:
                least = min(least, self.playable[(made >> (BAR + 1 - i)) & NEXT])
        amounts[0] = count_rolls(hits) / 36.0
        amounts[1] = hit_blots / 36.0
        amounts[2] = cost / (36.0 * 24.0)
        amounts[3] = (36 - self.playable[(made >> (BAR + 1 - rearmost)) & NEXT]) / 36.0
        amounts[4] = (36 - least) / 36.0
        amounts[5] = mobility / 3600.0
        amounts[6] = moment / (100.0 * max(1, count))
        amounts[7] = min(6, longest) / 6.0
        amounts[8] = before / 6.0
        amounts[9] = home * home / 36.0
        amounts[10] = spare / 100.0
        amounts[11] = amounts[9] if checkers[opponent + BAR] else 0.0
