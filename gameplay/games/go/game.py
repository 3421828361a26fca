# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Go on boards from 1x1 to 19x19.  C types: game.pxd.

A point is a number, and so is a move. One point of edge stands before each row, and rows of edge below and
above, so that the neighbours of a point p are p - 1, p + 1, p - stride and p + stride, and nothing wraps:

        - - - - -         stride = columns + 1
    4   - . . . .         A1 is stride + 1
    3   - . . . .         0, a point of the edge, is the move `pass`
    2   - . . . .
    1   - 6 7 8 9
        - - - - -
          A B C D

A chain is a circle of stones, and one of them stands for it. Of its liberties it knows three sums over all
pairs of a stone and an empty neighbour: how many there are, the neighbours and their squares. They are one
point, the chain is in atari, exactly if sum * sum = pairs * squares (Cauchy and Schwarz), and then that point
is sum / pairs: no list of liberties is kept (pairs are counted as in Lukasz Lew's libEGO). A move is taken
back by copying the board as it was.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay import kernel
from gameplay import value as scale
from gameplay.errors import BadInput, IllegalMove
from gameplay.evaluation import Evaluation, listed
from gameplay.games.go import notation
from gameplay.games.shared.symmetry import least
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import splitmix
    from cython.cimports.libc.stdlib import abort, calloc, free, realloc
    from cython.cimports.libc.string import memcpy
else:
    from gameplay.native.bits import M64
    from gameplay.native.hashing import splitmix

ASKED = cython.declare(cython.int, kernel.ASKED)
DRAWN = cython.declare(cython.int, scale.DRAWN)
SCORED = cython.declare(cython.int, scale.SCORED)

UNIT = cython.declare(cython.int, 10)  # of a point
PASS = cython.declare(cython.int, 0)
EMPTY, BLACK = cython.declare(cython.int, 0), cython.declare(cython.int, 1)
WHITE, EDGE = cython.declare(cython.int, 2), cython.declare(cython.int, 3)
VACANT = cython.declare(cython.int, 256)  # an empty neighbour, in `around`; a black one is 1, a white one 16
SIMPLE, POSITIONAL, SITUATIONAL = (
    cython.declare(cython.int, 0),
    cython.declare(cython.int, 1),
    cython.declare(cython.int, 2),
)
POINTS = cython.declare(cython.int, 440)  # numbers of a colour in ZOBRIST
KO = cython.declare(cython.int, 880)  # ... then where ko forbids to take back, and the rest
MOVER, PASSED = cython.declare(cython.int, 1400), cython.declare(cython.int, 1401)
SEEN = cython.declare(cython.int, 4095)  # the bits by which `seen` counts
LISTS = cython.declare(cython.int, 10)  # in the block of the board

# What playouts know, a bit each in the order of `policies`.
CAPTURE, ESCAPE = cython.declare(cython.int, 1), cython.declare(cython.int, 2)
PATTERN, CARE = cython.declare(cython.int, 4), cython.declare(cython.int, 8)
MERCY = cython.declare(cython.int, 16)
LOST = 0.2  # a chain is dead whose points are the other side's in so many more playouts: in 60 %
CROWD = cython.declare(cython.int, 2)  # so many stones do not go into atari where care is taken

if not cython.compiled:
    ZOBRIST = [0] * 1403
    SHAPES = [0] * 65536

    class Recollection:
        """What a move changes beyond the board."""

        def __init__(self):
            self.zobrist = self.free = self.banned = self.passed = self.last = self.before = 0
            self.cycles = self.turn = 0
            self.caught = [0, 0]


for _i in range(1403):
    ZOBRIST[_i] = splitmix(_i)
for _i, _who in notation.shapes().items():
    SHAPES[_i] = _who


class Go(Kernel):
    """Surround points with stones; who has more of them in the end, stones and surrounded points, wins.

    Black and White put a stone on an empty point in turn. Stones joined along lines are a chain, and the
    empty points beside it its liberties. After a move chains of the opponent without a liberty are taken
    off the board. Two passes end the game. The score is the area: a player's stones, and the empty points
    that only their stones touch; White gets `komi` more: 7.5 points, or 0.5 with a handicap. All stones that
    are on the board then are alive: take dead ones first, or resign.

    A move is a point, `D4`, a letter without I and a row from below, or `pass`. A position is the moves so
    far, `D4 F5 pass`; or the rows from the top, then the side to move, `.X./O../... black`, perhaps the
    point where ko forbids to take back, `ko=B2`, and moves from there.

    size, or columns and rows: 1 to 19. rules: `chinese`, where White gets a point for each handicap stone,
    or `tromp-taylor`, which allow suicide and give White nothing for a handicap. komi: whole or half points.
    ko: `positional`, no move may make a board that was there before (superko); `situational`, the same with
    the same side to move; `simple`, only to take back one stone at once is forbidden, and a position that
    comes for the third time ends the game as a draw. suicide: on, off, or as the rules say. handicap: that
    many black stones instead of the first move, on their usual points or, with placement=free, by Black's
    first moves. goal: `win`, or `points` if it matters by how many. automatic: off for records
    that go on after two passes or a third repetition; nothing ends them.
    """

    records = ".sgf"  # the format of its files
    sides = ("black", "white")
    remembers = True
    aliases = {"b": 0, "w": 1, "x": 0, "o": 1}
    unit = 10
    unit_names = ("point", "points")
    evaluations = listed(
        "go",
        Evaluation("area", "the area as the board stands: stones, and the points that only they touch"),
        Evaluation("none", "0 until the end"),
    )

    given_up = True  # by people, who do not play on when it is lost
    has_hints = True
    policies = {
        "capture": "take the stones that the last move left in atari",
        "escape": "save own stones that it put in atari",
        "pattern": "answer it beside it where the eight neighbours have a common shape",
        "care": "avoid self-atari",
        "mercy": "stop where one side has lost far more stones",
    }

    def __init__(
        self,
        size: cython.int = 9,
        columns: cython.int = 0,
        rows: cython.int = 0,
        rules="chinese",
        komi="usual",
        ko="positional",
        suicide="rules",
        handicap: cython.int = 0,
        placement="fixed",
        goal="win",
        automatic: cython.bint = True,
    ):
        terms = notation.terms(size, columns, rows, rules, komi, ko, suicide, handicap, placement, goal)
        self.size = size
        self.columns, self.rows = terms.columns, terms.rows
        self.rules, self.ko, self.placement, self.goal = rules, ko, placement, goal
        self.komi, self.suicide, self.handicap = terms.komi, terms.suicide, handicap
        self.automatic = automatic
        self.area = self.columns * self.rows
        Kernel.__init__(self, self.area + 1)
        self.stride = self.columns + 1
        self.cells = self.stride * (self.rows + 2) + 1
        self.halves = terms.halves
        self.superko = notation.KOS.index(ko)
        self.counted = goal == "points"
        self.words = LISTS * self.cells
        self.room = 0
        number: cython.int
        if cython.compiled:
            size_of: cython.size_t = cython.sizeof(cython.int)
            self.block = cython.cast(cython.p_int, calloc(self.words, size_of))
            self.order = cython.cast(cython.p_int, calloc(5 * self.cells, size_of))
            self.seen = cython.cast(cython.p_int, calloc(SEEN + 1, size_of))
            if self.block == cython.NULL or self.order == cython.NULL or self.seen == cython.NULL:
                raise MemoryError
            self.mark = self.order + self.cells
            self.walk = self.mark + self.cells
            self.picks = self.walk + self.cells
            self.shares = self.picks + self.cells
            self.colour = self.block
            self.around = self.colour + self.cells
            self.chain = self.around + self.cells
            self.link = self.chain + self.cells
            self.length = self.link + self.cells
            self.libs = self.length + self.cells
            self.sums = self.libs + self.cells
            self.squares = self.sums + self.cells
            self.empties = self.squares + self.cells
            self.where = self.empties + self.cells
        else:
            self.seen = [0] * (SEEN + 1)
            self.shelf, self.past, self.trail = [], [], []
            self.ways, self.caught = [0] * 8, [0, 0]
            lists = [[0] * self.cells for _ in range(LISTS + 5)]
            self.colour, self.around, self.chain, self.link, self.length, *lists = lists
            self.libs, self.sums, self.squares, self.empties, self.where, *lists = lists
            self.order, self.mark, self.walk, self.picks, self.shares = lists
        self.marks = 0
        self.sharing = False
        for number, way in enumerate((1, self.stride, -1, -self.stride)):
            self.ways[number] = way
            self.ways[4 + number] = way + (1, self.stride, -1, -self.stride)[(number + 1) % 4]
        for number, point in enumerate(notation.outwards(self.columns, self.rows)):
            self.order[number] = point
        self.begin([], 0)

    def __dealloc__(self):
        free(self.block)
        free(self.order)
        free(self.seen)
        free(self.shelf)
        free(self.past)
        free(self.trail)

    @staticmethod
    def fits(
        size=9,
        columns=0,
        rows=0,
        rules="chinese",
        komi="usual",
        ko="positional",
        suicide="rules",
        handicap=0,
        placement="fixed",
        goal="win",
        automatic=True,
    ):
        """True: a board that is too large is refused when it is made."""
        return True

    @property
    def finite(self):
        """False where nothing ends a game."""
        return bool(self.automatic)

    @property
    def scored(self):
        """True if the margin counts, not just the winner."""
        return bool(self.counted)

    @property
    def stake(self):
        """The loss of a player who resigns if the margin counts: the whole board and the komi."""
        return self.area + (self.halves + 1) // 2 if self.counted else 0

    # -- the board -----------------------------------------------------------------------------

    def begin(self, stones, turn, ko=0):
        """Set up (point, colour)s without a past, and the side to move; none: the start."""
        self.start = None
        self.made.clear()
        self.clear()
        self.given = 0
        if not stones and self.handicap:
            if self.placement == "free":
                self.given = self.handicap
            else:
                stones = [(point, 1) for point in notation.handicap(self.columns, self.rows, self.handicap)]
                turn = 1
        for point, colour in stones:
            self.place(point, colour)
        self.banned = ko
        self.turn = turn
        self.grow()
        i: cython.int
        for i in range(SEEN + 1):
            self.seen[i] = 0
        self.trail[0] = self.situation(self.zobrist, self.turn)
        self.seen[self.trail[0] & SEEN] = 1

    def clear(self):
        """An empty board."""
        p: cython.int
        way: cython.int
        i: cython.int
        for p in range(self.cells):
            self.colour[p] = EDGE
            self.around[p] = 0
        for i in range(self.area):
            p = self.order[i]
            self.colour[p] = EMPTY
            self.empties[i] = p
            self.where[p] = i
        for i in range(self.area):
            p = self.order[i]
            for way in range(4):
                self.around[p] += VACANT if self.colour[p + self.ways[way]] == EMPTY else BLACK + 16
        self.free = self.area
        self.zobrist = 0
        self.banned = self.passed = self.last = self.before = self.cycles = self.ply = 0
        self.caught[0] = self.caught[1] = 0

    def grow(self):
        """Make room to remember more moves."""
        if self.ply + 2 < self.room:
            return
        self.room = 2 * self.room + 64
        if cython.compiled:
            bytes_of: cython.size_t = self.words * cython.sizeof(cython.int)
            shelf: cython.p_int = cython.cast(cython.p_int, realloc(self.shelf, self.room * bytes_of))
            past: cython.pointer(Past) = cython.cast(
                cython.pointer(Past), realloc(self.past, self.room * cython.sizeof(Past))
            )
            trail: cython.p_ulonglong = cython.cast(
                cython.p_ulonglong, realloc(self.trail, self.room * cython.sizeof(cython.ulonglong))
            )
            if shelf == cython.NULL or past == cython.NULL or trail == cython.NULL:
                abort()  # no exception can be raised in the middle of a search
            self.shelf, self.past, self.trail = shelf, past, trail
        else:
            more = self.room - len(self.past)
            self.shelf += [None] * more
            self.trail += [0] * more
            self.past += [Recollection() for _ in range(more)]

    def keep(self):
        """Remember everything as it is before the next move."""
        if self.ply + 2 >= self.room:
            self.grow()
        if cython.compiled:
            at: cython.size_t = self.ply
            memcpy(self.shelf + at * self.words, self.block, self.words * cython.sizeof(cython.int))
        else:
            self.shelf[self.ply] = [
                list(each)
                for each in (
                    *(self.colour, self.around, self.chain, self.link, self.length),
                    *(self.libs, self.sums, self.squares, self.empties, self.where),
                )
            ]
        self.past[self.ply].zobrist = self.zobrist
        self.past[self.ply].free = self.free
        self.past[self.ply].banned = self.banned
        self.past[self.ply].passed = self.passed
        self.past[self.ply].last = self.last
        self.past[self.ply].before = self.before
        self.past[self.ply].cycles = self.cycles
        self.past[self.ply].turn = self.turn
        self.past[self.ply].caught[0] = self.caught[0]
        self.past[self.ply].caught[1] = self.caught[1]

    def bring(self):
        """Bring back what keep() remembered."""
        if cython.compiled:
            at: cython.size_t = self.ply
            memcpy(self.block, self.shelf + at * self.words, self.words * cython.sizeof(cython.int))
        else:
            kept = self.shelf[self.ply]
            self.colour[:], self.around[:], self.chain[:], self.link[:], self.length[:] = kept[:5]
            self.libs[:], self.sums[:], self.squares[:], self.empties[:], self.where[:] = kept[5:]
        self.zobrist = self.past[self.ply].zobrist
        self.free = self.past[self.ply].free
        self.banned = self.past[self.ply].banned
        self.passed = self.past[self.ply].passed
        self.last = self.past[self.ply].last
        self.before = self.past[self.ply].before
        self.cycles = self.past[self.ply].cycles
        self.turn = self.past[self.ply].turn
        self.caught[0] = self.past[self.ply].caught[0]
        self.caught[1] = self.past[self.ply].caught[1]

    def place(self, p, c):
        """Put a stone of colour c on the empty point p, and take what it takes."""
        other: cython.int = 3 - c
        step: cython.int = (15 * c - 14) - VACANT
        pairs: cython.int = 0
        sums: cython.int = 0
        squares: cython.int = 0
        taken: cython.int = 0
        ko: cython.int = 0
        way: cython.int
        q: cython.int
        k: cython.int
        # 1. The point is empty no more: its neighbours' chains lose it, the new chain has what is beside it.
        self.free -= 1
        q = self.empties[self.free]
        k = self.where[p]
        self.empties[k] = q
        self.where[q] = k
        self.zobrist ^= ZOBRIST[POINTS * (c - 1) + p]
        self.colour[p] = c
        for way in range(4):
            q = p + self.ways[way]
            self.around[q] += step
            if self.colour[q] == EMPTY:
                pairs += 1
                sums += q
                squares += q * q
            elif self.colour[q] != EDGE:
                k = self.chain[q]
                self.libs[k] -= 1
                self.sums[k] -= p
                self.squares[k] -= p * p
        self.chain[p] = self.link[p] = p
        self.length[p] = 1
        self.libs[p] = pairs
        self.sums[p] = sums
        self.squares[p] = squares
        # 2. Chains of the other colour without liberties go.
        if self.around[p] & (240 if c == BLACK else 15):
            for way in range(4):
                q = p + self.ways[way]
                if self.colour[q] == other and self.libs[self.chain[q]] == 0:
                    taken += self.remove(q)
                    ko = q
        # 3. The stone joins its neighbours.
        if self.around[p] & (15 if c == BLACK else 240):
            for way in range(4):
                q = p + self.ways[way]
                if self.colour[q] == c and self.chain[q] != self.chain[p]:
                    self.join(self.chain[q], self.chain[p])
        # 4. Where nothing was taken it may be the own chain that has no liberty.
        k = self.chain[p]
        if self.libs[k] == 0:
            self.remove(p)
        self.banned = ko if taken == 1 and self.length[k] == 1 and self.libs[k] == 1 else 0

    def remove(self, p):
        """Take the chain of p off the board; return how many stones it had."""
        c: cython.int = self.colour[p]
        step: cython.int = VACANT - (15 * c - 14)
        s: cython.int = p
        q: cython.int
        k: cython.int
        way: cython.int
        count: cython.int = 0
        while True:
            self.colour[s] = EMPTY
            self.zobrist ^= ZOBRIST[POINTS * (c - 1) + s]
            self.empties[self.free] = s
            self.where[s] = self.free
            self.free += 1
            for way in range(4):
                q = s + self.ways[way]
                self.around[q] += step
                if self.colour[q] == BLACK or self.colour[q] == WHITE:
                    k = self.chain[q]
                    self.libs[k] += 1
                    self.sums[k] += s
                    self.squares[k] += s * s
            count += 1
            s = self.link[s]
            if s == p:
                break
        self.caught[2 - c] += count
        return count

    def join(self, one, other):
        """Make two chains one; the longer one gives it its name."""
        q: cython.int
        if self.length[one] < self.length[other]:
            q = one
            one = other
            other = q
        self.length[one] += self.length[other]
        self.libs[one] += self.libs[other]
        self.sums[one] += self.sums[other]
        self.squares[one] += self.squares[other]
        q = other
        while True:
            self.chain[q] = one
            q = self.link[q]
            if q == other:
                break
        q = self.link[one]
        self.link[one] = self.link[other]
        self.link[other] = q

    def atari(self, k):
        """Has the chain k one liberty?"""
        sums: cython.longlong = self.sums[k]
        pairs: cython.longlong = self.libs[k]
        return sums * sums == pairs * self.squares[k]

    def breathes(self, p, c):
        """Would a stone on the empty point p have a liberty, after it has taken what it takes?"""
        q: cython.int
        way: cython.int
        if self.around[p] >= VACANT:
            return True
        for way in range(4):
            q = p + self.ways[way]
            if self.colour[q] == c:
                if not self.atari(self.chain[q]):
                    return True
            elif self.colour[q] != EDGE and self.atari(self.chain[q]):
                return True
        return False

    def eye(self, p, c):
        """Is the empty point p an eye of c, by its eight neighbours?

        Those along lines are the own stones or the edge, and of those across at most one is not, at the edge
        none.
        """
        if (self.around[p] >> (4 if c == WHITE else 0)) & 15 != 4:
            return False
        wrong: cython.int = 0
        edge: cython.int = 0
        way: cython.int
        for way in range(4, 8):
            if self.colour[p + self.ways[way]] == EDGE:
                edge = 1
            elif self.colour[p + self.ways[way]] == 3 - c:
                wrong += 1
        return wrong + edge < 2

    # -- ko ------------------------------------------------------------------------------------

    def situation(self, stones, mover):
        """What must not repeat, as 64 bits: the stones, and the side to move if the rule includes it."""
        return stones ^ ZOBRIST[MOVER] if mover and self.superko != POSITIONAL else stones

    def after(self, p, c):
        """The stones after a move, as 64 bits."""
        stones: cython.ulonglong = self.zobrist ^ ZOBRIST[POINTS * (c - 1) + p]
        lost: cython.int = 3 - c
        if not self.breathes(p, c):
            lost = c
            stones = self.zobrist
        way: cython.int
        q: cython.int
        s: cython.int
        self.marks += 1
        for way in range(4):
            q = p + self.ways[way]
            if self.colour[q] != lost or self.mark[self.chain[q]] == self.marks:
                continue
            if self.atari(self.chain[q]):
                self.mark[self.chain[q]] = self.marks
                s = q
                while True:
                    stones ^= ZOBRIST[POINTS * (lost - 1) + s]
                    s = self.link[s]
                    if s == q:
                        break
        return stones

    def barred(self, p, c):
        """Would a move bring a board that was there before?

        Only a move that takes, or one after stones have been taken, can: else no board so far has its stone.
        Where the 64 bits of an earlier board are those of the board after the move, the boards are compared.
        """
        if self.superko == SIMPLE or (not self.caught[0] + self.caught[1] and self.breathes(p, c)):
            return False
        mover: cython.int = self.turn if self.ply + 1 < self.given else self.turn ^ 1
        now: cython.ulonglong = self.situation(self.after(p, c), mover)
        ply: cython.int
        if self.seen[now & SEEN]:
            for ply in range(self.ply, -1, -1):
                if self.trail[ply] == now and self.alike(ply, p, c):
                    return True
        return False

    def alike(self, ply, p, c):
        """Is the board after a move the one that was there after `ply` moves?"""
        if self.superko == SITUATIONAL and ply > self.given and (self.ply - ply) & 1 == 0:
            return False
        same: cython.bint = True
        at: cython.size_t = ply
        q: cython.int
        self.keep()
        self.place(p, c)
        for q in range(self.cells):
            if cython.compiled:
                same = same and self.shelf[at * self.words + q] == self.colour[q]
            else:
                same = same and self.shelf[ply][0][q] == self.colour[q]
        self.bring()
        return same

    def times(self, now):
        """How often this was there before, with the same side to move."""
        count: cython.int = 0
        ply: cython.int
        if self.seen[now & SEEN] > 1:
            for ply in range(self.ply):
                count += self.trail[ply] == now
        return count

    def legal(self, p, c):
        """May the mover, of colour c, put a stone on the empty point p?"""
        if p == self.banned or not (self.suicide or self.breathes(p, c)):
            return False
        return not self.barred(p, c)

    # -- slots ---------------------------------------------------------------------------------

    def gen(self, base):
        c: cython.int = self.turn + 1
        p: cython.int
        i: cython.int
        for i in range(self.area):
            p = self.order[i]
            if self.colour[p] == EMPTY and self.legal(p, c):
                self.stack[base] = p
                base += 1
        if self.ply >= self.given:
            self.stack[base] = PASS
            base += 1
        return base

    def push(self, move):
        self.keep()
        c: cython.int = self.turn + 1
        self.ply += 1
        self.before = self.last
        self.last = move
        if move == PASS:
            if self.passed < 2:  # more only where nothing ends the game
                self.passed += 1
            self.banned = 0
        else:
            self.passed = 0
            self.place(move, c)
        if self.ply >= self.given:
            self.turn ^= 1
        now: cython.ulonglong = self.situation(self.zobrist, self.turn)
        self.trail[self.ply] = now
        self.seen[now & SEEN] += 1
        if self.superko == SIMPLE:
            self.cycles = self.times(now)

    def pop(self, move):
        self.seen[self.trail[self.ply] & SEEN] -= 1
        self.ply -= 1
        self.bring()

    def result(self):
        if not self.automatic or (self.passed < 2 and self.cycles < 2):
            return 0
        if self.counted:
            return SCORED
        mine: cython.int = self.points()
        return DRAWN + (mine > 0) - (mine < 0)

    def points(self):
        if self.passed < 2:
            return 0  # a position came for the third time
        return -(UNIT // 2) * self.margin() if self.turn else UNIT // 2 * self.margin()

    def margin(self):
        """What Black has more than White, in half points, were the game over."""
        return 2 * self.balance() - self.halves

    def balance(self):
        """Black's area less White's."""
        total: cython.int = 0
        found: cython.int
        i: cython.int
        p: cython.int
        for i in range(self.area):
            p = self.colour[self.order[i]]
            total += (p == BLACK) - (p == WHITE)
        self.marks += 1
        for i in range(self.free):
            p = self.empties[i]
            if self.around[p] < VACANT:  # alone: 4 of its neighbours are one side's or the edge
                total += (self.around[p] & 15 == 4) - (self.around[p] >> 4 == 4)
            elif self.mark[p] != self.marks:
                found = self.fill(p)
                if found & 3 == 1:
                    total += found >> 2
                elif found & 3 == 2:
                    total -= found >> 2
        return total

    def fill(self, p):
        """Mark the empty points joined to p: 4 * their number, + 1 if they touch Black, + 2 if White."""
        count: cython.int = 1
        found: cython.int = 0
        at: cython.int = 0
        way: cython.int
        q: cython.int
        self.walk[0] = p
        self.mark[p] = self.marks
        while at < count:
            p = self.walk[at]
            at += 1
            for way in range(4):
                q = p + self.ways[way]
                if self.colour[q] == EMPTY:
                    if self.mark[q] != self.marks:
                        self.mark[q] = self.marks
                        self.walk[count] = q
                        count += 1
                elif self.colour[q] != EDGE:
                    found |= self.colour[q]
        return 4 * count + found

    def hash(self):
        bits: cython.ulonglong = self.zobrist
        if self.turn:
            bits ^= ZOBRIST[MOVER]
        if self.passed:
            bits ^= ZOBRIST[PASSED + (self.passed & 1)]
        if self.banned:
            bits ^= ZOBRIST[KO + self.banned]
        return bits

    def score(self):
        if self.form:
            return self.ask() if self.form == ASKED else 0
        return (-(UNIT // 2) if self.turn else UNIT // 2) * self.margin()

    def hint(self, move):
        """Takes and saves stones, has a common shape, is near the last move, is not on the first line."""
        if move == PASS:
            return -20
        c: cython.int = self.turn + 1
        value: cython.int = 0
        taken: cython.int = 0
        saved: cython.int = 0
        way: cython.int
        q: cython.int
        k: cython.int
        if self.eye(move, c):
            return -30
        for way in range(4):
            q = move + self.ways[way]
            if self.colour[q] == EMPTY or self.colour[q] == EDGE:
                continue
            k = self.chain[q]
            if self.atari(k):
                if self.colour[q] == c:
                    saved += self.length[k]
                else:
                    taken += self.length[k]
        if taken:
            value += 15 + 2 * min(taken, 5)
        if self.gasps(move, c, 1):
            value -= 15
        elif saved:
            value += 12 + 2 * min(saved, 5)
        if self.fits_shape(move, c):
            value += 8
        if self.last:
            value += self.nearness(self.last, move)
        if self.before:
            value += self.nearness(self.before, move) // 2
        line: cython.int = self.line(move)
        if line == 1:
            value -= 6
        elif line == 2:
            value -= 2
        elif line > 2:
            value += 1
        return value

    def nearness(self, p, q):
        """How near two points are, from 0 to 6."""
        across: cython.int = abs(p % self.stride - q % self.stride)
        up: cython.int = abs(p // self.stride - q // self.stride)
        away: cython.int = across + up + max(across, up)
        return 8 - away if away < 8 else 0

    def line(self, p):
        """How far a point is from the edge: 1 on the first line."""
        x: cython.int = p % self.stride
        y: cython.int = p // self.stride
        return min(min(x, self.columns + 1 - x), min(y, self.rows + 1 - y))

    # -- playouts ------------------------------------------------------------------------------

    def choose(self, c):
        """A point for c by the policies: an answer to the last move, else any; PASS if there is none.

        Any: drawn from those that c may take, its own eyes aside. A point that will not do changes places
        with the last one, so that each of the rest is as likely.
        """
        left: cython.int = self.free
        care: cython.bint = self.policy & CARE != 0
        i: cython.int
        p: cython.int
        q: cython.int
        if self.last and self.policy & (CAPTURE | ESCAPE | PATTERN):
            p = self.answer(c)
            if p:
                return p
        while left:
            i = cython.cast(cython.int, ((self.draw() >> 32) * left) >> 32)
            p = self.empties[i]
            if (
                p != self.banned
                and not self.eye(p, c)
                and self.breathes(p, c)
                and not (care and self.gasps(p, c, CROWD))
            ):
                return p
            left -= 1
            q = self.empties[left]
            self.empties[left] = p
            self.empties[i] = q
            self.where[p] = left
            self.where[q] = i
        return PASS

    def answer(self, c):
        """A random reply that the last move calls for; PASS if it calls for none.

        1. Take or save stones in atari. 2. Play beside it where the neighbours have a common shape (Gelly,
        Wang, Munos and Teytaud, Modification of UCT with Patterns in Monte-Carlo Go, 2006).
        """
        count: cython.int = 0
        way: cython.int
        p: cython.int
        if self.policy & (CAPTURE | ESCAPE):
            count = self.urgent(c)
        if not count and self.policy & PATTERN:
            for way in range(8):
                p = self.last + self.ways[way]
                if self.colour[p] != EMPTY or p == self.banned or not self.fits_shape(p, c):
                    continue
                if self.breathes(p, c) and not self.gasps(p, c, 0):
                    self.picks[count] = p
                    count += 1
        if not count:
            return PASS
        return self.picks[cython.cast(cython.int, ((self.draw() >> 32) * count) >> 32)]

    def urgent(self, c):
        """Write the moves that take the chain of the last move or save chains of c beside it; their count."""
        count: cython.int = 0
        way: cython.int
        k: cython.int
        p: cython.int
        if self.policy & CAPTURE and self.colour[self.last] == 3 - c:
            k = self.chain[self.last]
            if self.atari(k):
                p = self.sums[k] // self.libs[k]
                if p != self.banned:
                    self.picks[0] = p
                    count = 1
        if self.policy & ESCAPE:
            self.marks += 1
            for way in range(4):
                p = self.last + self.ways[way]
                if self.colour[p] == c and self.mark[self.chain[p]] != self.marks:
                    k = self.chain[p]
                    self.mark[k] = self.marks
                    if self.atari(k):
                        count = self.saves(k, c, count)
        return count

    def saves(self, k, c, count):
        """Write the moves that save the chain k of c from atari behind `count` others; return their count.

        It takes one of the chains beside it, or runs to where it has two liberties.
        """
        p: cython.int = self.sums[k] // self.libs[k]
        s: cython.int = k
        q: cython.int
        way: cython.int
        if p != self.banned and self.breathes(p, c) and not self.gasps(p, c, 0):
            self.picks[count] = p
            count += 1
        while count < 8:
            for way in range(4):
                q = s + self.ways[way]
                if self.colour[q] == 3 - c and self.atari(self.chain[q]):
                    q = self.sums[self.chain[q]] // self.libs[self.chain[q]]
                    if q != self.banned and q != p and count < 8:
                        self.picks[count] = q
                        count += 1
            s = self.link[s]
            if s == k:
                break
        return count

    def gasps(self, p, c, crowd):
        """Would a move that takes nothing leave its chain, of `crowd` stones or more beside it, one liberty?

        The liberties after it: empty neighbours, and what the sums of the chains beside it leave without p.
        """
        only: cython.int = 0  # the first liberty that was found
        stones: cython.int = 0
        way: cython.int
        other: cython.int
        q: cython.int
        k: cython.int
        pairs: cython.longlong
        sums: cython.longlong
        squares: cython.longlong
        if self.around[p] >= 2 * VACANT:
            return False
        for way in range(4):
            q = p + self.ways[way]
            if self.colour[q] == EMPTY:
                if only and only != q:
                    return False
                only = q
            elif self.colour[q] == c:
                k = self.chain[q]
                stones += self.length[k]
                pairs, sums, squares = self.libs[k], self.sums[k], self.squares[k]
                for other in range(4):
                    if self.colour[p + self.ways[other]] == c and self.chain[p + self.ways[other]] == k:
                        pairs -= 1
                        sums -= p
                        squares -= p * p
                if pairs:
                    if sums * sums != pairs * squares:
                        return False
                    q = cython.cast(cython.int, sums // pairs)
                    if only and only != q:
                        return False
                    only = q
            elif self.colour[q] != EDGE and self.atari(self.chain[q]):
                return False
        return stones >= crowd

    def shape(self, p):
        """The eight neighbours of a point, two bits each."""
        way: cython.int
        bits: cython.int = 0
        for way in range(8):
            bits |= self.colour[p + self.ways[way]] << (2 * way)
        return bits

    def fits_shape(self, p, c):
        """Have the neighbours of p a shape that c should think of?"""
        return SHAPES[self.shape(p)] & c != 0

    def roll(self, base):
        if self.result():
            return -1
        p: cython.int = self.choose(self.turn + 1)
        if (p == PASS and self.ply < self.given) or (p != PASS and self.barred(p, self.turn + 1)):
            end: cython.int = self.gen(base)
            p = self.stack[base + cython.cast(cython.int, ((self.draw() >> 32) * (end - base)) >> 32)]
        self.push(p)
        return p

    def playout(self, base, room):
        """Play on the board itself and copy it back.

        Both sides pass where nothing is left but eyes of their own. Ko is simple here, whatever the rules: a
        playout that goes round is counted as it stands after three moves a point.
        """
        made: cython.int = 0
        most: cython.int = 3 * self.area
        c: cython.int = self.turn + 1
        p: cython.int
        self.settled = self.result() != 0
        if self.settled:
            self.settle()
            return base
        if base + most >= self.capacity:
            self.extend(base + most)
        self.keep()
        merciful: cython.bint = self.policy & MERCY != 0
        ahead: cython.int = self.caught[0] - self.caught[1]
        while made < room and made < most and self.passed < 2:
            p = self.choose(c)
            self.stack[base + made] = p
            self.weight[base + made] = c - 1
            made += 1
            self.before = self.last
            self.last = p
            if p:
                self.passed = 0
                self.place(p, c)
            else:
                self.passed += 1
                self.banned = 0
            if self.ply + made >= self.given:
                c = 3 - c
            if merciful and 3 * abs(self.caught[0] - self.caught[1] - ahead) > self.area:
                break
        if made == most or self.passed > 1 or (merciful and made < room):
            self.settled = True
            self.passed = 2
            self.settle()
        if self.sharing:
            self.share_out()
        self.bring()
        return base + made

    def settle(self):
        """What each player gets."""
        lead: cython.int = self.margin() if self.passed > 1 else 0
        if not self.counted:
            lead = 2 * ((lead > 0) - (lead < 0))
        self.gains[0] = UNIT // 2 * lead
        self.gains[1] = -self.gains[0]

    # -- counting ------------------------------------------------------------------------------

    def share_out(self):
        """Count whose every point is on the board as it stands."""
        i: cython.int
        k: cython.int
        p: cython.int
        found: cython.int
        self.marks += 1
        for i in range(self.area):
            p = self.order[i]
            if self.colour[p] == EMPTY and self.mark[p] != self.marks:
                found = self.fill(p)
                for k in range(found >> 2):
                    self.shares[self.walk[k]] += (found & 3 == 1) - (found & 3 == 2)
            elif self.colour[p] != EMPTY:
                self.shares[p] += 3 - 2 * self.colour[p]

    def ownership(self, playouts: cython.int = 200, seed: cython.ulonglong = 0):
        """Whose each point is at the end of playouts from here, by its number: from 1, always Black's, to -1.

        Each side begins half of them. An estimate: what playouts do not understand, such as seki, it does not
        either.
        """
        turn: cython.int = self.turn
        passed: cython.int = self.passed
        banned: cython.int = self.banned
        cycles: cython.int = self.cycles
        lots: cython.ulonglong = self.lots
        policy: cython.int = self.policy
        p: cython.int
        i: cython.int
        for p in range(self.cells):
            self.shares[p] = 0
        self.seat()
        self.lots = seed
        self.policy = policy & ~MERCY
        self.passed = self.banned = self.cycles = 0
        self.sharing = True
        for i in range(playouts):
            self.turn = i & 1
            self.playout(0, 3 * self.area)
        self.sharing = False
        self.turn, self.passed, self.banned, self.cycles = turn, passed, banned, cycles
        self.lots, self.policy = lots, policy
        return {self.order[i]: self.shares[self.order[i]] / max(1.0, playouts) for i in range(self.area)}

    def territory(self):
        """Whose the points seem to be, as `notation.Territory`."""
        return notation.territory(self.ownership(self.enough()), self.rows, self.columns, self.halves)

    def chains(self):
        """The chains of stones, each as the numbers of its points."""
        found = {}
        i: cython.int
        for i in range(self.area):
            p: cython.int = self.order[i]
            if self.colour[p] != EMPTY:
                found.setdefault(self.chain[p], []).append(p)
        return [tuple(sorted(chain)) for chain in found.values()]

    def dead_chains(self):
        """The chains whose points are mostly the other side's in the end, by `ownership`."""
        owned = self.ownership(self.enough())
        side = {p: 1 - 2 * self.owner(p) for chain in self.chains() for p in chain}
        return [
            chain for chain in self.chains() if sum(side[p] * owned[p] for p in chain) < -LOST * len(chain)
        ]

    def enough(self):
        """The number of playouts for an estimate of ownership: fewer on large boards."""
        return min(100, 16200 // self.area)

    def owner(self, point: cython.int):
        """Whose stone is on a point that has one."""
        return self.colour[point] - 1

    def named(self, text):
        """The number of the point that `text` names. Raises IllegalMove."""
        return notation.point(text, self.columns, self.rows)

    def lead_without(self, points):
        """By how many points Black leads by area, komi included, without the stones on these points."""
        other: Go = self.anew()
        other.clear()
        p: cython.int
        for chain in self.chains():
            for p in chain:
                if p not in points:
                    other.place(p, self.colour[p])
        return other.lead()

    def sound(self):
        """Has every chain a liberty? By the colours of the points alone."""
        c: cython.int
        i: cython.int
        p: cython.int
        q: cython.int
        way: cython.int
        at: cython.int
        count: cython.int
        found: cython.bint
        self.marks += 1
        for i in range(self.area):
            p = self.order[i]
            c = self.colour[p]
            if c == EMPTY or self.mark[p] == self.marks:
                continue
            self.mark[p] = self.marks
            self.walk[0] = p
            at, count, found = 0, 1, False
            while at < count:
                p = self.walk[at]
                at += 1
                for way in range(4):
                    q = p + self.ways[way]
                    if self.colour[q] == EMPTY:
                        found = True
                    elif self.colour[q] == c and self.mark[q] != self.marks:
                        self.mark[q] = self.marks
                        self.walk[count] = q
                        count += 1
            if not found:
                return False
        return True

    def colourings(self, number, colours):
        """How many ways there are to go on from the first points' colours so that every chain can breathe.

        `colours` is 1 while there is no stone: the first is black, and counts for a white one too.
        """
        if number == self.area:
            return self.sound()
        p: cython.int = self.order[number]
        total: cython.longlong = self.colourings(number + 1, colours)
        c: cython.int
        for c in range(1, colours + 1):
            self.colour[p] = c
            total += self.colourings(number + 1, 2) * (3 - colours)
        self.colour[p] = EMPTY
        return total

    def arrangements(self):
        """How many arrangements of stones leave every chain a liberty, on this board when it is empty.

        These are the legal positions of Go (Tromp and Farnebaeck 2007). For small boards: it looks at 3 to
        the power of the number of points, halved.
        """
        if self.free < self.area:
            raise BadInput("arrangements are counted from an empty board")
        count: cython.longlong
        with cython.nogil:
            count = self.colourings(0, 1)
        return count

    # -- the contract --------------------------------------------------------------------------

    def key(self):
        """The position with all that must not come again, so that equal keys mean equal futures."""
        past = [self.trail[i] for i in range(self.ply)]
        bits = splitmix(self.hash() ^ splitmix(max(0, self.given - self.ply)))
        for each in past if self.superko == SIMPLE else set(past):
            bits = (bits + splitmix(each)) & M64
        return bits

    def anew(self):
        """The same game at its start."""
        return Go(
            self.size,
            self.columns,
            self.rows,
            self.rules,
            self.komi,
            self.ko,
            self.suicide,
            self.handicap,
            self.placement,
            self.goal,
            self.automatic,
        )

    def make_all(self, moves):
        """Make moves that are known to be legal, in their order, without testing them again."""
        move: cython.int
        for move in moves:
            self.push(move)
            self.made.append(move)

    # -- for people ----------------------------------------------------------------------------

    def format(self, move):
        """A point, `D4`, or `pass`."""
        return notation.name(move, self.columns)

    def parse(self, text):
        """The legal move that `text` names. Raises IllegalMove, saying why it is none."""
        move = notation.point(text, self.columns, self.rows)
        if move in self.moves():
            return move
        raise IllegalMove(f"{self.format(move)}: {self.complaint(move)}")

    def complaint(self, move: cython.int):
        """Why a move is not legal here."""
        side = self.sides[self.turn]
        if move == PASS:
            return f"{side} places {self.given - self.ply} more handicap stones before passes are allowed"
        if self.colour[move] != EMPTY:
            return f"there is a stone on {self.format(move)} already"
        if move == self.banned:
            return "ko: that takes back at once what was taken; play elsewhere first"
        if not self.suicide and not self.breathes(move, self.turn + 1):
            return "suicide: the stone would have no liberty and takes nothing"
        return "superko: the board would be as it was before"

    def stones(self):
        """What stands on the points, row by row from the top: X, O, or nothing."""
        found = []
        for row in range(self.rows, 0, -1):
            start: cython.int = row * self.stride + 1
            end: cython.int = start + self.columns
            found.append(tuple([" XO"[self.colour[p]].strip() for p in range(start, end)]))
        return tuple(found)

    def captures(self, player: cython.int):
        """How many stones a player has taken."""
        return self.caught[player]

    def hints(self):
        """What hint() says of each legal move, by its word."""
        move: cython.int
        return {self.format(move): self.hint(move) for move in self.moves()}

    def lead(self):
        """By how many points Black leads by area, komi included, were the game over now."""
        return 0.5 * self.margin()

    def diagram(self):
        """The stones, in the first of all symmetric orientations, and the side to move; `k` is a ko.

        Then `p` if the last move was a pass, and the number of handicap stones still to be placed.
        """
        rows = [[stone or "." for stone in row] for row in self.stones()]
        if self.banned:
            row, column = divmod(self.banned, self.stride)
            rows[self.rows - row][column - 1] = "k"
        left = max(0, self.given - self.ply)
        state = "XO"[self.turn] + "p" * self.passed + (str(left) if left else "")
        return f"{least([''.join(row) for row in rows])} {state}"

    def text(self):
        """The moves so far, from the start or from what was set up; None inside a search."""
        if len(self.made) != self.ply:
            return None
        words = [] if self.start is None else [self.start]
        return " ".join([*words, *[self.format(move) for move in self.made]])

    def setup(self, text):
        """Set up the rows and the side to move, as `.X./O../... black`, then play the moves that follow."""
        head, words = notation.split(text)
        if head:
            stones, turn, ko = notation.read(head, self.columns, self.rows)
            self.begin(stones, turn, ko)
            self.check(head)
            self.start = " ".join(head)
        else:
            self.begin([], 0)
        Kernel.setup(self, " ".join(words))

    def check(self, head):
        """Raises BadInput if what was set up is no position of Go."""
        shown = "/".join(["".join([stone or "." for stone in row]) for row in self.stones()])
        if shown != head[0].upper():
            raise BadInput(f"'{head[0]}': a chain of stones has no liberty")

    def ending(self):
        """Of a finished game: by how much it was won."""
        if self.passed < 2:
            return "the position came for the third time"
        lead = abs(self.lead())
        return f"{lead:g} point{'' if lead == 1 else 's'}" if lead else "equal areas"

    def board(self, viewer=None, last=None):
        """How to draw the position, row 1 below."""
        moves = [] if self.result() else self.moves()
        return notation.board(self.stones(), last, moves, (self.caught[0], self.caught[1]))

    def __str__(self):
        return notation.drawing(self.stones(), self.last, (self.caught[0], self.caught[1]))
