# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Solves bearing off: all placements of checkers on the home board.  C types: bearoff_solver.pxd.

A placement of c6 checkers on the sixth point, ..., c1 on the first is the set of the six squares c6,
c6 + c5 + 1, ..., c6 + ... + c1 + 5, and has its index (`gameplay.native.subsets`). Moving a checker down or
off decreases the index, so that the successors of a placement are solved first, from 0, all off, upwards.

    one()    one side alone: the mean number of rolls when playing to minimize it, and the distribution of
             that number
    two()    side against side, no cube: the probability that the side to roll wins, if both maximize it;
             no gammons are possible
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import doubles, ints
    from cython.cimports.gameplay.native.subsets import choose
else:
    from gameplay.native.pointers import doubles, ints
    from gameplay.native.subsets import choose

MEN = 15
MAX_ROLLS = 32  # upper bound: 15 checkers on the sixth point are 90 pips, and a roll is at least 3
_MAX_ROLLS = cython.declare(cython.int, MAX_ROLLS)
SHARE = cython.declare(cython.double, 1.0 / 36.0)


def way(men):
    """The number of a way, by the men on the points 1 to 6. It does not depend on how many there may be."""
    found = 0
    behind = 0
    for place, count in enumerate(reversed(men)):
        behind += count
        found += choose(behind + place, place + 1)
    return found


class BearoffSolver:
    """Solves the placements of up to `men` checkers, 1 to 15."""

    def __init__(self, men):
        self.men = men
        self.count = choose(men + 6, 6)
        self.plays = array("i", bytes(4 * 36 * self.count))
        self.after = ints(self.plays)
        self.fill()

    def alone(self):
        """By placement: the mean number of rolls, and the odds of 0, 1, ..., 31. Two arrays of "d"."""
        means = array("d", bytes(8 * self.count))
        shares = array("d", bytes(8 * MAX_ROLLS * self.count))
        a: cython.p_double = doubles(means)
        b: cython.p_double = doubles(shares)
        with cython.nogil:
            self.one(a, b)
        return means, shares

    def against(self):
        """The win probability of the side to roll, by both placements: count times count of "d"."""
        wins = array("d", bytes(8 * self.count * self.count))
        a: cython.p_double = doubles(wins)
        with cython.nogil:
            self.two(a)
        return wins

    # -- the work -------------------------------------------------------------------------------------

    def lay(self, number, found):
        """The men on the points 1 to 6 of a way."""
        at: cython.int = self.men + 5
        place: cython.int
        last: cython.int = -1
        squares = cython.declare(cython.int[6])
        if not cython.compiled:
            squares = [0] * 6
        for place in range(5, -1, -1):
            while choose(at, place + 1) > number:
                at -= 1
            squares[place] = at
            number -= choose(at, place + 1)
        for place in range(6):
            found[5 - place] = squares[place] - last - 1
            last = squares[place]

    def number(self, men):
        """The way of the men on the points 1 to 6."""
        found: cython.int = 0
        behind: cython.int = 0
        place: cython.int
        for place in range(6):
            behind += men[5 - place]
            found += choose(behind + place, place + 1)
        return found

    def fill(self):
        """Where each die leads from each way: a man goes down or off, by a die too high only the last."""
        way: cython.int
        die: cython.int
        point: cython.int
        men = cython.declare(cython.int[6])
        if not cython.compiled:
            men = [0] * 6
        for way in range(self.count):
            self.lay(way, men)
            for die in range(1, 7):
                at: cython.int = 6 * (6 * way + die - 1)
                end: cython.int = at + 6
                behind: cython.int = 0  # men on points higher than the one looked at
                for point in range(6, 0, -1):
                    here: cython.int = men[point - 1]
                    if here and (point >= die or not behind):
                        men[point - 1] -= 1
                        if point > die:
                            men[point - die - 1] += 1
                        self.after[at] = self.number(men)
                        at += 1
                        if point > die:
                            men[point - die - 1] -= 1
                        men[point - 1] += 1
                    behind += here
                if at < end:
                    self.after[at] = -1

    def cheapest(self, way, first, second, prices):
        """Where two dice lead, the one before the other, at the least of `prices`: least with all men off."""
        if way == 0:
            return 0
        found: cython.int = -1
        i: cython.int
        j: cython.int
        a: cython.int = 6 * (6 * way + first - 1)
        for i in range(6):
            middle: cython.int = self.after[a + i]
            if middle < 0:
                break
            if middle == 0:
                return 0
            b: cython.int = 6 * (6 * middle + second - 1)
            for j in range(6):
                if self.after[b + j] < 0:
                    break
                if found < 0 or prices[self.after[b + j]] < prices[found]:
                    found = self.after[b + j]
        return found

    def cheapest_double(self, way, die, left, prices):
        """The same by a die that is played `left` times."""
        if way == 0 or left == 0:
            return way
        found: cython.int = -1
        i: cython.int
        a: cython.int = 6 * (6 * way + die - 1)
        for i in range(6):
            if self.after[a + i] < 0:
                break
            end: cython.int = self.cheapest_double(self.after[a + i], die, left - 1, prices)
            if found < 0 or prices[end] < prices[found]:
                found = end
        return found

    def two(self, wins):
        # A value depends on placements with a smaller sum of indices: go in order of that sum.
        total: cython.int
        mine: cython.int
        theirs: cython.int
        a: cython.int
        b: cython.int
        for theirs in range(self.count):
            wins[theirs] = 1.0  # the side to roll has all checkers off: it has won
        for total in range(1, 2 * self.count - 1):
            for mine in range(1, self.count):
                theirs = total - mine
                if theirs < 1 or theirs >= self.count:
                    continue
                # Row `theirs`: how likely they win against each way that I may leave. All men off: never.
                row: cython.longlong = cython.cast(cython.longlong, theirs) * self.count
                worth: cython.double = 0.0
                if cython.compiled:
                    lost: cython.p_double = wins + row
                else:
                    lost = wins[row : row + self.count]
                for a in range(1, 7):
                    worth += SHARE * (1.0 - lost[self.cheapest_double(mine, a, 4, lost)])
                    for b in range(1, a):
                        one: cython.double = lost[self.cheapest(mine, a, b, lost)]
                        other: cython.double = lost[self.cheapest(mine, b, a, lost)]
                        worth += 2 * SHARE * (1.0 - (one if one < other else other))
                wins[cython.cast(cython.longlong, mine) * self.count + theirs] = worth

    def one(self, means, shares):
        way: cython.int
        a: cython.int
        b: cython.int
        rolls: cython.int
        shares[0] = 1.0
        for way in range(1, self.count):
            means[way] = 1.0
            for a in range(1, 7):
                for b in range(1, a + 1):
                    odds: cython.double = SHARE if a == b else 2 * SHARE
                    end: cython.int
                    if a == b:
                        end = self.cheapest_double(way, a, 4, means)
                    else:
                        end = self.cheapest(way, a, b, means)
                        other: cython.int = self.cheapest(way, b, a, means)
                        if means[other] < means[end]:
                            end = other
                    means[way] += odds * means[end]
                    for rolls in range(1, _MAX_ROLLS):
                        shares[_MAX_ROLLS * way + rolls] += odds * shares[_MAX_ROLLS * end + rolls - 1]
