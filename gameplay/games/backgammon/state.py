# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""A backgammon position, laid out as in layout.py: history, hash, and checker steps.  C types: state.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import resized
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import finalize, spread
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.libc.string import memcpy
else:
    from gameplay.games.backgammon.layout import *
    from gameplay.native.bits import M64
    from gameplay.native.hashing import finalize, spread
    from gameplay.position import CHANCE

MIX_C = cython.declare(cython.ulonglong, 0xD6E8FEB86659FD93)
SPARE = 1024  # plies that a search may go beyond the game
if not cython.compiled:
    TAG = [0] * 52


def fill_tags():
    """Fill TAG with random numbers."""
    place: cython.int
    for place in range(52):
        TAG[place] = finalize(spread(place + 1))


fill_tags()


class BackgammonState(Kernel):
    """The checkers, the dice, the cube, the match score, and the states before each move."""

    def __init__(self, match: cython.int, cube: cython.bint, jacoby: cython.bint):
        self.match = match  # `unit` depends on it
        Kernel.__init__(self, 3060)  # four steps over fifteen checkers: C(18, 4)
        self.cube = cube or match > 1
        self.jacoby = jacoby
        self.room = 0
        self.ply = 0
        if not cython.compiled:
            self.state = [0] * SIZE
            self.past = []
            self.sums = []
        i: cython.int
        for i in range(SIZE):
            self.state[i] = 0
        self.place_start()
        self.reserve_plies()

    def __dealloc__(self):
        PyMem_Free(self.past)
        PyMem_Free(self.sums)

    # -- history ----------------------------------------------------------------------------------

    def reserve_plies(self):
        """Make room in `past` for all plies of a search from here."""
        if self.ply + SPARE <= self.room:
            return
        room: cython.int = 2 * (self.ply + SPARE)
        if cython.compiled:
            self.past = cython.cast(cython.p_schar, resized(self.past, room * SIZE))
            size: cython.size_t = room * cython.sizeof(cython.ulonglong)
            self.sums = cython.cast(cython.p_ulonglong, resized(self.sums, size))
        else:
            self.past = self.past + [None] * (room - len(self.past))
            self.sums = self.sums + [0] * (room - len(self.sums))
        self.room = room

    def save_state(self):
        """Save the position before a move."""
        self.state[TURN] = self.turn
        if cython.compiled:
            memcpy(self.past + self.ply * SIZE, self.state, SIZE)
        else:
            self.past[self.ply] = self.state[:]
        self.sums[self.ply] = self.sum

    def pop(self, move):
        self.ply -= 1
        if cython.compiled:
            memcpy(self.state, self.past + self.ply * SIZE, SIZE)
        else:
            self.state = self.past[self.ply][:]
        self.sum = self.sums[self.ply]
        self.turn = self.state[TURN]

    def earlier_state(self, back):
        """The state `back` moves ago."""
        i: cython.int
        at: cython.int = self.ply - back
        return [self.past[at * SIZE + i] for i in range(SIZE)] if cython.compiled else self.past[at]

    # -- the position ------------------------------------------------------------------------------

    def place_start(self):
        """Set up the start of a game; the match score stays."""
        i: cython.int
        for i in range(52):
            self.state[i] = 0
        for i in range(0, 52, 26):
            self.state[i + 24] = 2
            self.state[i + 13] = 5
            self.state[i + 8] = 3
            self.state[i + 6] = 5
        self.state[HIGH] = self.state[LOW] = self.state[MOVER] = self.state[CUBE] = 0
        self.state[POINTS] = self.state[WINNER] = 0
        self.state[OWNER] = 2
        self.state[STAGE] = OPENING
        self.turn = CHANCE
        self.update_sum()

    def update_sum(self):
        """Recompute the sum."""
        i: cython.int
        self.sum = 0
        for i in range(52):
            n: cython.int = self.state[i]
            self.sum = (self.sum + n * TAG[i]) & M64

    def hash(self):
        i: cython.int
        mixed: cython.ulonglong = self.turn + 1
        for i in range(HIGH, TURN):
            mixed = (mixed * MIX_C + self.state[i] + 1) & M64
        return finalize(self.sum ^ finalize(mixed))

    def snapshot(self):
        """The state as a list."""
        i: cython.int
        return [self.state[i] for i in range(SIZE)]

    def checkers(self, player):
        """The numbers of a player's checkers: off, on points 1 to 24 by their own count, on the bar."""
        i: cython.int
        return [self.state[OTHER * player + i] for i in range(26)]

    def margin(self, loser):
        """The points lost without the cube: 1, 2 for a gammon, 3 for a backgammon."""
        me: cython.int = OTHER * loser
        i: cython.int
        if self.state[me]:
            return 1
        for i in range(19, 26):
            if self.state[me + i]:
                return 3
        return 2

    # -- steps of checkers ------------------------------------------------------------------------------

    def step(self, me, source, die):
        """Move a checker by a die; `me`: where the mover's checkers begin in `state`. True if it hits."""
        to: cython.int = source - die
        foe: cython.int = OTHER - me
        if to < 0:
            to = 0
        self.state[me + source] -= 1
        self.state[me + to] += 1
        self.sum = (self.sum + TAG[me + to] - TAG[me + source]) & M64
        if to and self.state[foe + BAR - to] > 0:
            self.state[foe + BAR - to] -= 1
            self.state[foe + BAR] += 1
            self.sum = (self.sum + TAG[foe + BAR] - TAG[foe + BAR - to]) & M64
            return True
        return False

    def undo_step(self, me, source, die, hit):
        """Undo a step."""
        to: cython.int = source - die
        foe: cython.int = OTHER - me
        if to < 0:
            to = 0
        if hit:
            self.state[foe + BAR] -= 1
            self.state[foe + BAR - to] += 1
            self.sum = (self.sum + TAG[foe + BAR - to] - TAG[foe + BAR]) & M64
        self.state[me + to] -= 1
        self.state[me + source] += 1
        self.sum = (self.sum + TAG[me + source] - TAG[me + to]) & M64

    def can_move(self, me, source, die):
        """True if a checker on `source` can move by this die. The caller enters checkers on the bar first."""
        to: cython.int = source - die
        point: cython.int
        if to > 0:
            return self.state[OTHER - me + BAR - to] < 2
        for point in range(7 if to == 0 else source + 1, 26):
            if self.state[me + point]:
                return False
        return source <= 6
