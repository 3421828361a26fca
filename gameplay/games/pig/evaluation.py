# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""How likely the player on turn wins at pig for two, if both play best: exact, for every position.

Todd Neller and Clifton Presser, "Optimal play of the dice game Pig", The UMAP Journal 25 (1), 2004, who find
the same numbers by value iteration.

Let w(i, j, k) be what the player on turn, with i points and k in the pot, wins against j points. To roll is
worth (1 - w(j, i, 0)) / faces for the one that loses the pot, and w(i, j, k + f) / faces for each other face;
to hold is worth 1 - w(j, i + k, 0). All but the first of these belong to more points, or to a fuller pot. So
the pairs w(i, j, 0) and w(j, i, 0) are solved from the end of the game backwards, each by policy iteration
(Howard 1960): 1. suppose what losing the pot leaves, 2. choose best for each pot, the fullest first, 3. with
these choices both values are linear in each other: solve for them, and begin again until they stay.

505,000 positions for 100 points take 0.05 s, uncompiled 4 s.  Types: evaluation.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from functools import cache

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import zeroed

CLOSE = cython.declare(cython.double, 1e-13)  # far above rounding: the last step is exact but for that


class PigChances:
    """Chances to win, by the points of who is on turn, those of the other, and the pot."""

    def __init__(self, goal: cython.int, faces: cython.int):
        self.goal = goal
        self.faces = faces
        size: cython.int = goal * goal * (goal + 1) // 2
        if cython.compiled:
            self.wins = cython.cast(cython.p_double, zeroed(size, cython.sizeof(cython.double)))
            self.slopes = cython.cast(cython.p_double, zeroed(goal, cython.sizeof(cython.double)))
        else:
            self.wins, self.slopes = [0.0] * size, [0.0] * goal
        self.slope = 0.0
        total: cython.int
        i: cython.int
        for total in range(2 * goal - 2, -1, -1):
            for i in range(max(0, total - goal + 1), total // 2 + 1):
                self.solve(i, total - i)

    def __dealloc__(self):
        PyMem_Free(self.wins)
        PyMem_Free(self.slopes)

    def __getitem__(self, where):
        """chances[mine, theirs, pot]: the winning probability of the player on turn."""
        mine, theirs, pot = where
        return self.chance(mine, theirs, pot)

    def chance(self, mine, theirs, pot):
        """The winning probability of the player on turn; neither has reached the goal yet."""
        if mine + pot >= self.goal:
            return 1.0
        return self.wins[self.place(mine, theirs) + pot]

    def roll(self, mine, theirs, pot):
        """What they win when they roll."""
        face: cython.int
        total: cython.double = 1.0 - self.chance(theirs, mine, 0)
        for face in range(2, self.faces + 1):
            total += self.chance(mine, theirs, pot + face)
        return total / self.faces

    def place(self, mine, theirs):
        """Where the values for these points begin, one for each pot that is not enough to win."""
        return self.goal * (mine * self.goal - mine * (mine - 1) // 2) + theirs * (self.goal - mine)

    def solve(self, i, j):
        """Find w(i, j, k) and w(j, i, k) for all k, where all that lies nearer to the end is known."""
        x: cython.double = 0.5  # w(i, j, 0)
        y: cython.double = 0.5  # w(j, i, 0)
        before: cython.double = -1.0
        while abs(x - before) > CLOSE:
            before = x
            # With these choices x = a + rise * (1 - y), and y = b + slope * (1 - x).
            a: cython.double = self.choose(i, j, 1.0 - y)
            rise: cython.double = self.slope
            a -= rise * (1.0 - y)
            b: cython.double = self.choose(j, i, 1.0 - x)
            b -= self.slope * (1.0 - x)
            x = (a + rise * (1.0 - b - self.slope)) / (1.0 - rise * self.slope)
            y = b + self.slope * (1.0 - x)

    def choose(self, i, j, lost):
        """Note the values of all pots if to lose the pot leaves `lost`; return that of none.

        `slope` is then by how much that value rises with `lost`.
        """
        start: cython.int = self.place(i, j)
        left: cython.int = self.goal - i
        above: cython.double = self.faces - 1  # the sum of the values after each face but the one
        rising: cython.double = 0.0  # ... and of their slopes
        value: cython.double = 0.0
        slope: cython.double = 0.0
        k: cython.int
        for k in range(left - 1, -1, -1):
            value = (lost + above) / self.faces
            slope = (1.0 + rising) / self.faces
            if k and 1.0 - self.wins[self.place(j, i + k)] >= value:
                value = 1.0 - self.wins[self.place(j, i + k)]
                slope = 0.0
            self.wins[start + k] = value
            self.slopes[k] = slope
            # For the next pot, one less, the faces lead one lower: k + 1 comes in, k + faces goes out.
            if k + 1 < left:
                above += self.wins[start + k + 1]
                rising += self.slopes[k + 1]
            else:
                above += 1.0
            if k + self.faces < left:
                above -= self.wins[start + k + self.faces]
                rising -= self.slopes[k + self.faces]
            else:
                above -= 1.0
        self.slope = slope
        return value


@cache
def pig_chances(goal: int, faces: int) -> PigChances:
    """The chances for a goal and a die, computed when they are first asked for."""
    return PigChances(goal, faces)
