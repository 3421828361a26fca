# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The rolls of backgammon that hit a blot.  C types: shots.pxd.

A set of rolls has a bit 7 * high + low for each roll.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

if cython.compiled:
    from cython.cimports.gameplay.native.bits import ONE, popcount
else:
    from gameplay.games.backgammon.layout import *
    from gameplay.native.bits import ONE, popcount

DOUBLES = cython.declare(cython.ulonglong, sum(1 << 8 * number for number in range(1, 7)))


def count_rolls(rolls):
    """Count a set of rolls out of 36: a double counts once, other rolls twice."""
    return 2 * popcount(rolls) - popcount(rolls & DOUBLES)


class Shots:
    """The tables of rolls, made once."""

    def __init__(self):
        if not cython.compiled:
            self.rolls_with_any, self.rolls_within, self.rolls_by_sum = [0] * 64, [0] * 64, [0] * 12
        numbers: cython.int
        high: cython.int
        low: cython.int
        for low in range(12):
            self.rolls_by_sum[low] = 0
        for numbers in range(64):
            self.rolls_with_any[numbers] = self.rolls_within[numbers] = 0
            for high in range(1, 7):
                for low in range(1, high + 1):
                    roll: cython.ulonglong = ONE << (7 * high + low)
                    count: cython.int = ((numbers >> (high - 1)) & 1) + ((numbers >> (low - 1)) & 1)
                    if count:
                        self.rolls_with_any[numbers] |= roll
                    if count == 2:
                        self.rolls_within[numbers] |= roll
                    if high > low and not numbers:
                        self.rolls_by_sum[high + low] |= roll

    def hits(self, hitters, blocked, bar, target):
        """The rolls that hit a blot on the point `target`, as a set.

        hitters: the points with hitters; blocked: the points where they cannot land; both as bits, counted by
        the hitting side. bar: its checkers on the bar. They enter first, and do not move on with that roll.
        """
        rolls: cython.ulonglong = 0
        high: cython.int
        low: cython.int
        at: cython.int
        if bar:
            if target >= BAR - 6:
                rolls = self.rolls_with_any[ONE << (BAR - target - 1)]
            if bar > 1:
                return rolls
            for high in range(1, 7):
                for low in range(1, 7):
                    if (hitters >> (target + high)) & 1 and not (blocked >> (BAR - low)) & 1:
                        rolls |= ONE << (7 * max(high, low) + min(high, low))
            return rolls
        hitters >>= target
        blocked >>= target
        if not hitters:
            return 0
        rolls = self.rolls_with_any[(hitters >> 1) & 63]
        for at in range(3, 12):  # combination shots, unless the checker can land after neither die
            if (hitters >> at) & 1:
                rolls |= self.rolls_by_sum[at] & ~self.rolls_within[(blocked >> 1) & 63]
        for high in range(1, 7):
            at = high
            while at <= 4 * high and not ((hitters | blocked) >> at) & 1:
                at += high
            if at <= 4 * high and (hitters >> at) & 1:
                rolls |= ONE << (8 * high)
        return rolls
