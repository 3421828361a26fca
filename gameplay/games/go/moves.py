# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Go moves: legality, playout policy, and move ordering.  C types: moves.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.go import notation
from gameplay.games.go.board import GoStones
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.games.go.board import (
        BLACK,
        EDGE,
        EMPTY,
        MOVER,
        PASS,
        POINTS,
        SEEN,
        VACANT,
        WHITE,
        ZOBRIST,
    )
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import GOLDEN, finalize, splitmix
else:
    from gameplay.games.go.board import BLACK, EDGE, EMPTY, MOVER, PASS, POINTS, SEEN, VACANT, WHITE, ZOBRIST
    from gameplay.native.bits import M64
    from gameplay.native.hashing import GOLDEN, finalize, splitmix

SIMPLE, POSITIONAL, SITUATIONAL = (
    cython.declare(cython.int, 0),
    cython.declare(cython.int, 1),
    cython.declare(cython.int, 2),
)
CROWD = cython.declare(cython.int, 2)  # stones of a chain that the care policy keeps out of self-atari
WINNING_PASS = cython.declare(cython.int, 100)  # its hint, above those of all points

if not cython.compiled:
    SHAPES = [0] * 65536
    CAPTURE, ESCAPE, PATTERN, CARE, MERCY = 1, 2, 4, 8, 16

for _i, _who in notation.shapes().items():
    SHAPES[_i] = _who


class GoMoves(GoStones):
    """A board with legal moves and playouts."""

    policies = {
        "capture": "capture the stones that the last move left in atari",
        "escape": "save own stones that it put in atari",
        "pattern": "reply next to it where the 3x3 pattern is known",
        "care": "avoid self-atari",
        "mercy": "stop when one side has lost far more stones",
    }

    # -- liberties ---------------------------------------------------------------------------------

    @cython.final
    def atari(self, k):
        """True if the chain k has one liberty."""
        sums: cython.longlong = self.sums[k]
        pairs: cython.longlong = self.libs[k]
        return sums * sums == pairs * self.squares[k]

    @cython.final
    def has_liberty(self, p, c):
        """True if a stone on the empty point p would have a liberty, after its captures."""
        direction: cython.int
        free: cython.bint = False
        if self.around[p] >= VACANT:
            return True
        for direction in range(4):  # all of them: cheaper than a branch that is hard to predict
            q: cython.int = p + self.offsets[direction]
            free |= (self.colour[q] != EDGE) & ((self.colour[q] == c) ^ self.atari(self.chain[q]))
        return free

    @cython.final
    def eye(self, p, c):
        """True if the empty point p is an eye of c, by its eight neighbours.

        The orthogonal ones are own stones or the edge; of the diagonal ones at most one is the opponent's, at
        the edge none.
        """
        if (self.around[p] >> (4 if c == WHITE else 0)) & 15 != 4:
            return False
        wrong: cython.int = 0
        edge: cython.int = 0
        direction: cython.int
        for direction in range(4, 8):
            q: cython.int = self.colour[p + self.offsets[direction]]
            edge |= q == EDGE
            wrong += q == 3 - c
        return wrong + edge < 2

    # -- ko ----------------------------------------------------------------------------------------

    @cython.final
    def situation(self, stones, mover):
        """The superko key: a hash of the stones, and of the side to move in situational superko."""
        return stones ^ ZOBRIST[MOVER] if mover and self.superko != POSITIONAL else stones

    @cython.final
    def after(self, p, c):
        """The hash of the stones after a move."""
        stones: cython.ulonglong = self.zobrist ^ ZOBRIST[POINTS * (c - 1) + p]
        lost: cython.int = 3 - c
        if not self.has_liberty(p, c):
            lost = c
            stones = self.zobrist
        elif not self.around[p] & (240 if c == BLACK else 15):
            return stones  # no adjacent stone of the other side
        direction: cython.int
        self.marks += 1
        for direction in range(4):
            q: cython.int = p + self.offsets[direction]
            if self.colour[q] != lost or self.mark[self.chain[q]] == self.marks:
                continue
            if self.atari(self.chain[q]):
                self.mark[self.chain[q]] = self.marks
                s: cython.int = q
                while True:
                    stones ^= ZOBRIST[POINTS * (lost - 1) + s]
                    s = self.link[s]
                    if s == q:
                        break
        return stones

    @cython.final
    def violates_superko(self, p, c):
        """True if a move would repeat an earlier board.

        Only possible after a capture, by this move or before: else no earlier board has its stone.
        If the hash of an earlier board is equal, the boards are compared.
        """
        if self.superko == SIMPLE or (not self.caught[0] + self.caught[1] and self.has_liberty(p, c)):
            return False
        mover: cython.int = self.turn if self.ply + 1 < self.given else self.turn ^ 1
        now: cython.ulonglong = self.situation(self.after(p, c), mover)
        ply: cython.int
        if self.seen[now & SEEN]:
            for ply in range(self.ply, -1, -1):
                if self.keys[ply] == now and self.same_board(ply, p, c):
                    return True
        return False

    @cython.final
    def same_board(self, ply, p, c):
        """True if the board after a move equals the one after `ply` moves."""
        if self.superko == SITUATIONAL and ply > self.given and (self.ply - ply) & 1 == 0:
            return False
        same: cython.bint = True
        at: cython.size_t = ply
        q: cython.int
        self.save_state()
        self.place(p, c)
        for q in range(self.cells):
            if cython.compiled:
                same = same and self.shelf[at * self.words + q] == self.colour[q]
            else:
                same = same and self.shelf[ply][0][q] == self.colour[q]
        self.restore_state()
        return same

    @cython.final
    def times(self, now):
        """The number of earlier occurrences of a key with the same side to move."""
        count: cython.int = 0
        ply: cython.int
        if self.seen[now & SEEN] > 1:
            for ply in range(self.ply):
                count += self.keys[ply] == now
        return count

    # -- moves -------------------------------------------------------------------------------------

    @cython.final
    def legal(self, p, c):
        """True if the mover, of colour c, may put a stone on the empty point p."""
        if p == self.banned:
            return False
        if self.has_liberty(p, c):
            if not self.caught[0] + self.caught[1]:
                return True  # as in violates_superko: by far the most frequent case
        elif not self.suicide:
            return False
        return not self.violates_superko(p, c)

    def gen(self, base):
        c: cython.int = self.turn + 1
        i: cython.int
        for i in range(self.area):
            p: cython.int = self.order[i]
            if self.colour[p] == EMPTY and self.legal(p, c):
                self.stack[base] = p
                base += 1
        if self.ply >= self.given:
            self.stack[base] = PASS
            base += 1
        return base

    def push(self, move):
        self.save_state()
        c: cython.int = self.turn + 1
        self.ply += 1
        self.before = self.last
        self.last = move
        if move == PASS:
            if self.passed < 2:  # more only in games without an end
                self.passed += 1
            self.banned = 0
        else:
            self.passed = 0
            self.place(move, c)
        if self.ply >= self.given:
            self.turn ^= 1
        now: cython.ulonglong = self.situation(self.zobrist, self.turn)
        self.keys[self.ply] = now
        self.seen[now & SEEN] += 1
        if self.superko == SIMPLE:
            self.cycles = self.times(now)

    def pop(self, move):
        self.seen[self.keys[self.ply] & SEEN] -= 1
        self.ply -= 1
        self.restore_state()

    def make(self, move):
        """As `Kernel.make`, but without generating all moves, which takes longer than the move itself."""
        if type(move) is not int or not self.permits(move):
            Kernel.make(self, move)  # raises IllegalMove, or converts the number
            return
        self.push(move)
        self.made.append(move)

    def permits(self, move):
        """True if a move is legal and the game is not over."""
        if self.result() or not 0 <= move < self.cells:
            return False
        p: cython.int = move
        if p == PASS:
            return self.ply >= self.given
        return self.colour[p] == EMPTY and self.legal(p, self.turn + 1)

    def key(self):
        """The position with its superko history: equal keys imply equal futures."""
        past = [self.keys[i] for i in range(self.ply)]
        bits = splitmix(self.hash() ^ splitmix(max(0, self.given - self.ply)))
        for each in past if self.superko == SIMPLE else set(past):
            bits = (bits + splitmix(each)) & M64
        return bits

    make_all = GoStones.push_all

    # -- moves of playouts -------------------------------------------------------------------------

    @cython.final
    def choose(self, c):
        """A point for c by the policies: a reply to the last move, else a random one; PASS if there is none.

        Random: uniformly from the legal points but own eyes. A rejected point is swapped with the last one,
        so that the rest stay equally likely.
        """
        count: cython.int = self.free
        care: cython.bint = self.policy & CARE != 0
        if self.last and self.policy & (CAPTURE | ESCAPE | PATTERN):
            p: cython.int = self.answer(c)
            if p:
                return p
        while count:
            i: cython.int = self.pick(count)
            p = self.empties[i]
            fits: cython.bint = p != self.banned
            if self.around[p] < VACANT:  # else it is no eye and has a liberty
                fits = fits and not self.eye(p, c) and self.has_liberty(p, c)
            if fits and not (care and self.self_atari(p, c, CROWD)):
                return p
            count -= 1
            q: cython.int = self.empties[count]
            self.empties[count] = p
            self.empties[i] = q
            self.where[p] = count
            self.where[q] = i
        return PASS

    @cython.final
    def pick(self, count):
        """A random number from 0 up to, not including, `count`; as draw(), which cannot be inlined here."""
        self.rng_state = (self.rng_state + GOLDEN) & M64
        return cython.cast(cython.int, ((finalize(self.rng_state) >> 32) * count) >> 32)

    @cython.final
    def answer(self, c):
        """A random urgent reply to the last move; PASS if there is none.

        1. Capture or save stones in atari. 2. Play next to it where the 3x3 pattern is known (Gelly,
        Wang, Munos and Teytaud, Modification of UCT with Patterns in Monte-Carlo Go, 2006).
        """
        count: cython.int = 0
        direction: cython.int
        if self.policy & (CAPTURE | ESCAPE):
            count = self.urgent(c)
        if not count and self.policy & PATTERN:
            for direction in range(8):
                p: cython.int = self.last + self.offsets[direction]
                if self.colour[p] != EMPTY or p == self.banned or not self.fits_shape(p, c):
                    continue
                if self.has_liberty(p, c) and not self.self_atari(p, c, 0):
                    self.picks[count] = p
                    count += 1
        if not count:
            return PASS
        return self.picks[self.pick(count)]

    @cython.final
    def urgent(self, c):
        """Write moves that capture the last move's chain or save chains of c next to it; return the count."""
        count: cython.int = 0
        direction: cython.int
        if self.policy & CAPTURE and self.colour[self.last] == 3 - c:
            k: cython.int = self.chain[self.last]
            if self.atari(k):
                p: cython.int = self.sums[k] // self.libs[k]
                if p != self.banned:
                    self.picks[0] = p
                    count = 1
        if self.policy & ESCAPE:
            self.marks += 1
            for direction in range(4):
                p = self.last + self.offsets[direction]
                if self.colour[p] == c and self.mark[self.chain[p]] != self.marks:
                    k = self.chain[p]
                    self.mark[k] = self.marks
                    if self.atari(k):
                        count = self.saves(k, c, count)
        return count

    @cython.final
    def saves(self, k, c, count):
        """Append moves that save the chain k of c from atari; return the new count.

        A move captures a neighbouring chain, or extends to two liberties or more.
        """
        p: cython.int = self.sums[k] // self.libs[k]
        s: cython.int = k
        direction: cython.int
        if p != self.banned and self.has_liberty(p, c) and not self.self_atari(p, c, 0):
            self.picks[count] = p
            count += 1
        while count < 8:
            for direction in range(4):
                q: cython.int = s + self.offsets[direction]
                if self.colour[q] == 3 - c and self.atari(self.chain[q]):
                    q = self.sums[self.chain[q]] // self.libs[self.chain[q]]
                    if q != self.banned and q != p and count < 8:
                        self.picks[count] = q
                        count += 1
            s = self.link[s]
            if s == k:
                break
        return count

    @cython.final
    def self_atari(self, p, c, crowd):
        """True if a move without captures is self-atari of `crowd` stones or more, not counting the new one.

        The liberties after it: empty neighbours, and the liberties of neighbouring own chains except p.
        """
        only: cython.int = 0  # the first liberty
        stones: cython.int = 0
        direction: cython.int
        other: cython.int
        pairs: cython.longlong
        sums: cython.longlong
        squares: cython.longlong
        if self.around[p] >= 2 * VACANT:
            return False
        for direction in range(4):
            q: cython.int = p + self.offsets[direction]
            if self.colour[q] == EMPTY:
                if only and only != q:
                    return False
                only = q
            elif self.colour[q] == c:
                k: cython.int = self.chain[q]
                stones += self.length[k]
                pairs, sums, squares = self.libs[k], self.sums[k], self.squares[k]
                for other in range(4):
                    if self.colour[p + self.offsets[other]] == c and self.chain[p + self.offsets[other]] == k:
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

    @cython.final
    def shape(self, p):
        """The eight neighbours of a point, two bits each."""
        direction: cython.int
        bits: cython.int = 0
        for direction in range(8):
            bits |= self.colour[p + self.offsets[direction]] << (2 * direction)
        return bits

    @cython.final
    def fits_shape(self, p, c):
        """True if p has a known 3x3 pattern for c to play."""
        return SHAPES[self.shape(p)] & c != 0

    # -- playouts ----------------------------------------------------------------------------------

    def push_random(self, base):
        if self.result():
            return -1
        p: cython.int = self.choose(self.turn + 1)
        if (p == PASS and self.ply < self.given) or (p != PASS and self.violates_superko(p, self.turn + 1)):
            end: cython.int = self.gen(base)
            p = self.stack[base + self.pick(end - base)]
        self.push(p)
        return p

    def playout(self, base, room):
        """Play out on the board itself, then restore it.

        A side passes when only its own eyes are left. Ko is always simple here: a playout that cycles is
        scored as it stands after three moves a point.
        """
        made: cython.int = 0
        most: cython.int = 3 * self.area
        c: cython.int = self.turn + 1
        self.finished = self.result() != 0
        if self.finished:
            self.settle()
            return base
        if base + most >= self.capacity:
            self.extend(base + most)
        self.save_state()
        merciful: cython.bint = self.policy & MERCY != 0
        ahead: cython.int = self.caught[0] - self.caught[1]
        while made < room and made < most and self.passed < 2:
            p: cython.int = self.choose(c)
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
            self.finished = True
            self.passed = 2
            self.settle()
        if self.sharing:
            self.share_out()
        self.restore_state()
        return base + made

    # -- move ordering -----------------------------------------------------------------------------

    def hint(self, move):
        """Captures, escapes, known patterns, nearness to the last moves, not the first line.

        A pass comes after all points but own eyes, unless it ends the game and wins it: then it comes first.
        """
        if move == PASS:
            lead: cython.int = self.margin() if self.passed else 0
            return WINNING_PASS if (lead > 0 if self.turn == 0 else lead < 0) else -20
        c: cython.int = self.turn + 1
        value: cython.int = 0
        taken: cython.int = 0
        saved: cython.int = 0
        direction: cython.int
        if self.eye(move, c):
            return -30
        for direction in range(4):
            q: cython.int = move + self.offsets[direction]
            if self.colour[q] == EMPTY or self.colour[q] == EDGE:
                continue
            k: cython.int = self.chain[q]
            if self.atari(k):
                if self.colour[q] == c:
                    saved += self.length[k]
                else:
                    taken += self.length[k]
        if taken:
            value += 15 + 2 * min(taken, 5)
        if self.self_atari(move, c, 1):
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

    @cython.final
    def nearness(self, p, q):
        """The nearness of two points, from 0 to 6."""
        across: cython.int = abs(p % self.stride - q % self.stride)
        up: cython.int = abs(p // self.stride - q // self.stride)
        away: cython.int = across + up + max(across, up)
        return 8 - away if away < 8 else 0

    @cython.final
    def line(self, p):
        """The line of a point: 1 at the edge."""
        x: cython.int = p % self.stride
        y: cython.int = p // self.stride
        return min(min(x, self.columns + 1 - x), min(y, self.rows + 1 - y))
