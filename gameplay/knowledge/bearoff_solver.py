# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Solves bearing off: all placements of checkers on the home board.  C types: bearoff_solver.pxd.

A placement of c6 checkers on the sixth point, ..., c1 on the first is the set of the six squares c6,
c6 + c5 + 1, ..., c6 + ... + c1 + 5, and has its index (`gameplay.native.subsets`). Moving a checker down or
off decreases the index, so placements are solved in order of index, starting with 0 (all off).

    fill_one_sided()  the mean number of rolls of a side that minimizes it, and the distribution of rolls
    fill_two_sided()  the probability that the side to roll wins without the cube, if both sides maximize it;
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

MAX_CHECKERS = 15
MAX_ROLLS = 32  # upper bound: 15 checkers on the sixth point are 90 pips, a roll is at least 3
_MAX_ROLLS = cython.declare(cython.int, MAX_ROLLS)
ROLL_PROBABILITY = cython.declare(cython.double, 1.0 / 36.0)


def index_of(checkers):
    """The index of a placement, by the checkers on the points 1 to 6."""
    index = 0
    higher = 0
    for slot, count in enumerate(reversed(checkers)):
        higher += count
        index += choose(higher + slot, slot + 1)
    return index


class BearoffSolver:
    """Solves the placements of up to `max_checkers` checkers, 1 to 15."""

    def __init__(self, max_checkers):
        self.max_checkers = max_checkers
        self.count = choose(max_checkers + 6, 6)
        self.successor_memory = array("i", bytes(4 * 36 * self.count))
        self.successors = ints(self.successor_memory)
        self.generate_successors()

    def solve_one_sided(self):
        """By placement: the mean number of rolls, and the probabilities of 0 to 31 rolls: arrays of "d"."""
        mean_rolls = array("d", bytes(8 * self.count))
        distributions = array("d", bytes(8 * MAX_ROLLS * self.count))
        a: cython.p_double = doubles(mean_rolls)
        b: cython.p_double = doubles(distributions)
        with cython.nogil:
            self.fill_one_sided(a, b)
        return mean_rolls, distributions

    def solve_two_sided(self):
        """The win probability of the side to roll, by both placements: an array of count * count "d"."""
        win_probabilities = array("d", bytes(8 * self.count * self.count))
        a: cython.p_double = doubles(win_probabilities)
        with cython.nogil:
            self.fill_two_sided(a)
        return win_probabilities

    # -- compiled part --------------------------------------------------------------------------------

    def unrank(self, number, checkers):
        """Write the checkers on the points 1 to 6 of a placement into `checkers`."""
        square: cython.int = self.max_checkers + 5
        i: cython.int
        previous: cython.int = -1
        squares = cython.declare(cython.int[6])
        if not cython.compiled:
            squares = [0] * 6
        for i in range(5, -1, -1):
            while choose(square, i + 1) > number:
                square -= 1
            squares[i] = square
            number -= choose(square, i + 1)
        for i in range(6):
            checkers[5 - i] = squares[i] - previous - 1
            previous = squares[i]

    def rank(self, checkers):
        """The index of a placement."""
        index: cython.int = 0
        higher: cython.int = 0
        i: cython.int
        for i in range(6):
            higher += checkers[5 - i]
            index += choose(higher + i, i + 1)
        return index

    def generate_successors(self):
        """Generate the successors by placement and die; too high a die bears off the rearmost checker."""
        placement: cython.int
        die: cython.int
        point: cython.int
        checkers = cython.declare(cython.int[6])
        if not cython.compiled:
            checkers = [0] * 6
        for placement in range(self.count):
            self.unrank(placement, checkers)
            for die in range(1, 7):
                slot: cython.int = 6 * (6 * placement + die - 1)
                end: cython.int = slot + 6
                higher: cython.int = 0  # checkers on higher points
                for point in range(6, 0, -1):
                    count: cython.int = checkers[point - 1]
                    if count and (point >= die or not higher):
                        checkers[point - 1] -= 1
                        if point > die:
                            checkers[point - die - 1] += 1
                        self.successors[slot] = self.rank(checkers)
                        slot += 1
                        if point > die:
                            checkers[point - die - 1] -= 1
                        checkers[point - 1] += 1
                    higher += count
                if slot < end:
                    self.successors[slot] = -1

    def best_successor(self, placement, first, second, costs):
        """The successor of minimum cost by two dice in this order; placement 0 has the minimum."""
        if placement == 0:
            return 0
        best_placement: cython.int = -1
        i: cython.int
        j: cython.int
        a: cython.int = 6 * (6 * placement + first - 1)
        for i in range(6):
            middle: cython.int = self.successors[a + i]
            if middle < 0:
                break
            if middle == 0:
                return 0
            b: cython.int = 6 * (6 * middle + second - 1)
            for j in range(6):
                if self.successors[b + j] < 0:
                    break
                if best_placement < 0 or costs[self.successors[b + j]] < costs[best_placement]:
                    best_placement = self.successors[b + j]
        return best_placement

    def best_successor_of_double(self, placement, die, times, costs):
        """The successor of minimum cost by a die played `times` times."""
        if placement == 0 or times == 0:
            return placement
        best_placement: cython.int = -1
        i: cython.int
        a: cython.int = 6 * (6 * placement + die - 1)
        for i in range(6):
            if self.successors[a + i] < 0:
                break
            end: cython.int = self.best_successor_of_double(self.successors[a + i], die, times - 1, costs)
            if best_placement < 0 or costs[end] < costs[best_placement]:
                best_placement = end
        return best_placement

    def fill_two_sided(self, win_probabilities):
        # A value depends on placements with a smaller sum of indices: go in order of that sum.
        total: cython.int
        placement: cython.int
        opponent: cython.int
        a: cython.int
        b: cython.int
        for opponent in range(self.count):
            win_probabilities[opponent] = 1.0  # the side to roll has all checkers off: it has won
        for total in range(1, 2 * self.count - 1):
            for placement in range(1, self.count):
                opponent = total - placement
                if opponent < 1 or opponent >= self.count:
                    continue
                # Row `opponent`: its win probability by the placement of the side to roll; 0 at placement 0.
                row: cython.longlong = cython.cast(cython.longlong, opponent) * self.count
                value: cython.double = 0.0
                if cython.compiled:
                    costs: cython.p_double = win_probabilities + row
                else:
                    costs = win_probabilities[row : row + self.count]
                for a in range(1, 7):
                    value += ROLL_PROBABILITY * (
                        1.0 - costs[self.best_successor_of_double(placement, a, 4, costs)]
                    )
                    for b in range(1, a):
                        larger_first: cython.double = costs[self.best_successor(placement, a, b, costs)]
                        smaller_first: cython.double = costs[self.best_successor(placement, b, a, costs)]
                        cost: cython.double = larger_first if larger_first < smaller_first else smaller_first
                        value += 2 * ROLL_PROBABILITY * (1.0 - cost)
                win_probabilities[cython.cast(cython.longlong, placement) * self.count + opponent] = value

    def fill_one_sided(self, mean_rolls, distributions):
        placement: cython.int
        a: cython.int
        b: cython.int
        rolls: cython.int
        distributions[0] = 1.0
        for placement in range(1, self.count):
            mean_rolls[placement] = 1.0
            for a in range(1, 7):
                for b in range(1, a + 1):
                    probability: cython.double = ROLL_PROBABILITY if a == b else 2 * ROLL_PROBABILITY
                    end: cython.int
                    if a == b:
                        end = self.best_successor_of_double(placement, a, 4, mean_rolls)
                    else:
                        end = self.best_successor(placement, a, b, mean_rolls)
                        alternative: cython.int = self.best_successor(placement, b, a, mean_rolls)
                        if mean_rolls[alternative] < mean_rolls[end]:
                            end = alternative
                    mean_rolls[placement] += probability * mean_rolls[end]
                    for rolls in range(1, _MAX_ROLLS):
                        distributions[_MAX_ROLLS * placement + rolls] += (
                            probability * distributions[_MAX_ROLLS * end + rolls - 1]
                        )
