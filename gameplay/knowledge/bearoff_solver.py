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
MAX_ROLLS = 32  # upper bound: 15 checkers on the sixth point are 90 pips, a roll is at least 3
_MAX_ROLLS = cython.declare(cython.int, MAX_ROLLS)
SHARE = cython.declare(cython.double, 1.0 / 36.0)


def index_of(men):
    """The index of a placement, by the checkers on the points 1 to 6."""
    index = 0
    behind = 0
    for place, count in enumerate(reversed(men)):
        behind += count
        index += choose(behind + place, place + 1)
    return index


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

    def lay(self, number, men):
        """The checkers on the points 1 to 6 of a placement."""
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
            men[5 - place] = squares[place] - last - 1
            last = squares[place]

    def number(self, men):
        """The index of the checkers on the points 1 to 6."""
        index: cython.int = 0
        behind: cython.int = 0
        place: cython.int
        for place in range(6):
            behind += men[5 - place]
            index += choose(behind + place, place + 1)
        return index

    def fill(self):
        """The successors of each placement by each die; too high a die bears off the rearmost only."""
        placement: cython.int
        die: cython.int
        point: cython.int
        men = cython.declare(cython.int[6])
        if not cython.compiled:
            men = [0] * 6
        for placement in range(self.count):
            self.lay(placement, men)
            for die in range(1, 7):
                at: cython.int = 6 * (6 * placement + die - 1)
                end: cython.int = at + 6
                behind: cython.int = 0  # checkers on higher points
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

    def cheapest(self, placement, first, second, prices):
        """The successor of minimum cost by two dice in this order; 0 is the cheapest."""
        if placement == 0:
            return 0
        best: cython.int = -1
        i: cython.int
        j: cython.int
        a: cython.int = 6 * (6 * placement + first - 1)
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
                if best < 0 or prices[self.after[b + j]] < prices[best]:
                    best = self.after[b + j]
        return best

    def cheapest_double(self, placement, die, times, prices):
        """The same for a die played `times` times."""
        if placement == 0 or times == 0:
            return placement
        best: cython.int = -1
        i: cython.int
        a: cython.int = 6 * (6 * placement + die - 1)
        for i in range(6):
            if self.after[a + i] < 0:
                break
            end: cython.int = self.cheapest_double(self.after[a + i], die, times - 1, prices)
            if best < 0 or prices[end] < prices[best]:
                best = end
        return best

    def two(self, wins):
        # A value depends on placements with a smaller sum of indices: go in order of that sum.
        total: cython.int
        own: cython.int
        theirs: cython.int
        a: cython.int
        b: cython.int
        for theirs in range(self.count):
            wins[theirs] = 1.0  # the side to roll has all checkers off: it has won
        for total in range(1, 2 * self.count - 1):
            for own in range(1, self.count):
                theirs = total - own
                if theirs < 1 or theirs >= self.count:
                    continue
                # Row `theirs`: their win probability by my placement; 0 with all my checkers off.
                row: cython.longlong = cython.cast(cython.longlong, theirs) * self.count
                value: cython.double = 0.0
                if cython.compiled:
                    lost: cython.p_double = wins + row
                else:
                    lost = wins[row : row + self.count]
                for a in range(1, 7):
                    value += SHARE * (1.0 - lost[self.cheapest_double(own, a, 4, lost)])
                    for b in range(1, a):
                        one: cython.double = lost[self.cheapest(own, a, b, lost)]
                        other: cython.double = lost[self.cheapest(own, b, a, lost)]
                        value += 2 * SHARE * (1.0 - (one if one < other else other))
                wins[cython.cast(cython.longlong, own) * self.count + theirs] = value

    def one(self, means, shares):
        placement: cython.int
        a: cython.int
        b: cython.int
        rolls: cython.int
        shares[0] = 1.0
        for placement in range(1, self.count):
            means[placement] = 1.0
            for a in range(1, 7):
                for b in range(1, a + 1):
                    odds: cython.double = SHARE if a == b else 2 * SHARE
                    end: cython.int
                    if a == b:
                        end = self.cheapest_double(placement, a, 4, means)
                    else:
                        end = self.cheapest(placement, a, b, means)
                        other: cython.int = self.cheapest(placement, b, a, means)
                        if means[other] < means[end]:
                            end = other
                    means[placement] += odds * means[end]
                    for rolls in range(1, _MAX_ROLLS):
                        shares[_MAX_ROLLS * placement + rolls] += odds * shares[_MAX_ROLLS * end + rolls - 1]
