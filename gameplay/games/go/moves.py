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
        EMPTY_NEIGHBOUR,
        KEY_MASK,
        MOVER,
        PASS,
        POINTS,
        WHITE,
        ZOBRIST,
    )
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import GOLDEN, finalize, splitmix
else:
    from gameplay.games.go.board import (
        BLACK,
        EDGE,
        EMPTY,
        EMPTY_NEIGHBOUR,
        KEY_MASK,
        MOVER,
        PASS,
        POINTS,
        WHITE,
        ZOBRIST,
    )
    from gameplay.native.bits import M64
    from gameplay.native.hashing import GOLDEN, finalize, splitmix

SIMPLE, POSITIONAL, SITUATIONAL = (
    cython.declare(cython.int, 0),
    cython.declare(cython.int, 1),
    cython.declare(cython.int, 2),
)
# Stones of a chain that the care policy keeps out of self-atari.
SELF_ATARI_STONES = cython.declare(cython.int, 2)
WINNING_PASS = cython.declare(cython.int, 100)  # its hint, above those of all points

if not cython.compiled:
    PATTERNS = [0] * 65536
    CAPTURE, ESCAPE, PATTERN, CARE, MERCY = 1, 2, 4, 8, 16

for _i, _who in notation.patterns().items():
    PATTERNS[_i] = _who


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
    def in_atari(self, k):
        """True if the chain k has one liberty."""
        sums: cython.longlong = self.liberty_sums[k]
        pairs: cython.longlong = self.pseudo_liberties[k]
        return sums * sums == pairs * self.liberty_squares[k]

    @cython.final
    def has_liberty(self, p, c):
        """True if a stone on the empty point p would have a liberty, after its captures."""
        direction: cython.int
        found: cython.bint = False
        if self.neighbour_counts[p] >= EMPTY_NEIGHBOUR:
            return True
        for direction in range(4):  # all of them: cheaper than a branch that is hard to predict
            q: cython.int = p + self.offsets[direction]
            found |= (self.colour[q] != EDGE) & ((self.colour[q] == c) ^ self.in_atari(self.chain[q]))
        return found

    @cython.final
    def is_eye(self, p, c):
        """True if the empty point p is an eye of c, by its eight neighbours.

        The orthogonal ones are own stones or the edge; of the diagonal ones at most one is the opponent's, at
        the edge none.
        """
        if (self.neighbour_counts[p] >> (4 if c == WHITE else 0)) & 15 != 4:
            return False
        opposing: cython.int = 0
        edge: cython.int = 0
        direction: cython.int
        for direction in range(4, 8):
            q: cython.int = self.colour[p + self.offsets[direction]]
            edge |= q == EDGE
            opposing += q == 3 - c
        return opposing + edge < 2

    # -- ko ----------------------------------------------------------------------------------------

    @cython.final
    def superko_key(self, stones, mover):
        """The superko key: a hash of the stones, and of the side to move in situational superko."""
        return stones ^ ZOBRIST[MOVER] if mover and self.superko != POSITIONAL else stones

    @cython.final
    def hash_after(self, p, c):
        """The hash of the stones after a move."""
        stones: cython.ulonglong = self.zobrist ^ ZOBRIST[POINTS * (c - 1) + p]
        captured_colour: cython.int = 3 - c
        if not self.has_liberty(p, c):
            captured_colour = c
            stones = self.zobrist
        elif not self.neighbour_counts[p] & (240 if c == BLACK else 15):
            return stones  # no adjacent opposing stone
        direction: cython.int
        self.current_mark += 1
        for direction in range(4):
            q: cython.int = p + self.offsets[direction]
            if self.colour[q] != captured_colour or self.mark[self.chain[q]] == self.current_mark:
                continue
            if self.in_atari(self.chain[q]):
                self.mark[self.chain[q]] = self.current_mark
                s: cython.int = q
                while True:
                    stones ^= ZOBRIST[POINTS * (captured_colour - 1) + s]
                    s = self.next_stone[s]
                    if s == q:
                        break
        return stones

    @cython.final
    def violates_superko(self, p, c):
        """True if a move would repeat an earlier board.

        Only possible after a capture, by this move or before: else no earlier board has its stone.
        If the hash of an earlier board is equal, the boards are compared.
        """
        if self.superko == SIMPLE or (not self.captured[0] + self.captured[1] and self.has_liberty(p, c)):
            return False
        mover: cython.int = self.turn if self.ply + 1 < self.free_handicap else self.turn ^ 1
        key: cython.ulonglong = self.superko_key(self.hash_after(p, c), mover)
        ply: cython.int
        if self.key_counts[key & KEY_MASK]:
            for ply in range(self.ply, -1, -1):
                if self.superko_keys[ply] == key and self.is_same_board(ply, p, c):
                    return True
        return False

    @cython.final
    def is_same_board(self, ply, p, c):
        """True if the board after a move equals the one after `ply` moves."""
        if self.superko == SITUATIONAL and ply > self.free_handicap and (self.ply - ply) & 1 == 0:
            return False
        same: cython.bint = True
        at: cython.size_t = ply
        q: cython.int
        self.save_state()
        self.place(p, c)
        for q in range(self.cells):
            if cython.compiled:
                same = same and self.saved_boards[at * self.block_size + q] == self.colour[q]
            else:
                same = same and self.saved_boards[ply][0][q] == self.colour[q]
        self.restore_state()
        return same

    @cython.final
    def count_occurrences(self, key):
        """The number of earlier occurrences of a key with the same side to move."""
        count: cython.int = 0
        ply: cython.int
        if self.key_counts[key & KEY_MASK] > 1:
            for ply in range(self.ply):
                count += self.superko_keys[ply] == key
        return count

    # -- moves -------------------------------------------------------------------------------------

    @cython.final
    def is_legal(self, p, c):
        """True if the mover, of colour c, may put a stone on the empty point p."""
        if p == self.ko_point:
            return False
        if self.has_liberty(p, c):
            if not self.captured[0] + self.captured[1]:
                return True  # as in violates_superko: by far the most frequent case
        elif not self.suicide:
            return False
        return not self.violates_superko(p, c)

    def gen(self, base):
        c: cython.int = self.turn + 1
        i: cython.int
        for i in range(self.area):
            p: cython.int = self.centre_order[i]
            if self.colour[p] == EMPTY and self.is_legal(p, c):
                self.stack[base] = p
                base += 1
        if self.ply >= self.free_handicap:
            self.stack[base] = PASS
            base += 1
        return base

    def push(self, move):
        self.save_state()
        c: cython.int = self.turn + 1
        self.ply += 1
        self.previous_move = self.last_move
        self.last_move = move
        if move == PASS:
            if self.passes < 2:  # more only in games without an end
                self.passes += 1
            self.ko_point = 0
        else:
            self.passes = 0
            self.place(move, c)
        if self.ply >= self.free_handicap:
            self.turn ^= 1
        now: cython.ulonglong = self.superko_key(self.zobrist, self.turn)
        self.superko_keys[self.ply] = now
        self.key_counts[now & KEY_MASK] += 1
        if self.superko == SIMPLE:
            self.repetitions = self.count_occurrences(now)

    def pop(self, move):
        self.key_counts[self.superko_keys[self.ply] & KEY_MASK] -= 1
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
            return self.ply >= self.free_handicap
        return self.colour[p] == EMPTY and self.is_legal(p, self.turn + 1)

    def key(self):
        """The position with its superko history: equal keys imply equal futures."""
        past = [self.superko_keys[i] for i in range(self.ply)]
        bits = splitmix(self.hash() ^ splitmix(max(0, self.free_handicap - self.ply)))
        for each in past if self.superko == SIMPLE else set(past):
            bits = (bits + splitmix(each)) & M64
        return bits

    make_all = GoStones.push_all

    # -- moves of playouts -------------------------------------------------------------------------

    @cython.final
    def choose_playout_move(self, c):
        """A point for c by the policies: a reply to the last move, else a random one; PASS if there is none.

        Random: uniformly from the legal points but own eyes. A rejected point is swapped with the last one,
        so that the rest stay equally likely.
        """
        count: cython.int = self.empty_count
        avoid_self_atari: cython.bint = self.policy & CARE != 0
        if self.last_move and self.policy & (CAPTURE | ESCAPE | PATTERN):
            p: cython.int = self.choose_reply(c)
            if p:
                return p
        while count:
            i: cython.int = self.random_index(count)
            p = self.empty_points[i]
            accepted: cython.bint = p != self.ko_point
            if self.neighbour_counts[p] < EMPTY_NEIGHBOUR:  # else it is not an eye and has a liberty
                accepted = accepted and not self.is_eye(p, c) and self.has_liberty(p, c)
            if accepted and not (avoid_self_atari and self.is_self_atari(p, c, SELF_ATARI_STONES)):
                return p
            count -= 1
            q: cython.int = self.empty_points[count]
            self.empty_points[count] = p
            self.empty_points[i] = q
            self.empty_index[p] = count
            self.empty_index[q] = i
        return PASS

    @cython.final
    def random_index(self, count):
        """A random number from 0 up to, not including, `count`; a copy of `random_bits`, inlined."""
        self.rng_state = (self.rng_state + GOLDEN) & M64
        return cython.cast(cython.int, ((finalize(self.rng_state) >> 32) * count) >> 32)

    @cython.final
    def choose_reply(self, c):
        """A random urgent reply to the last move; PASS if there is none.

        1. Capture or save stones in atari. 2. Play next to it where the 3x3 pattern is known (Gelly,
        Wang, Munos and Teytaud, Modification of UCT with Patterns in Monte-Carlo Go, 2006).
        """
        count: cython.int = 0
        direction: cython.int
        if self.policy & (CAPTURE | ESCAPE):
            count = self.generate_urgent(c)
        if not count and self.policy & PATTERN:
            for direction in range(8):
                p: cython.int = self.last_move + self.offsets[direction]
                if self.colour[p] != EMPTY or p == self.ko_point or not self.matches_pattern(p, c):
                    continue
                if self.has_liberty(p, c) and not self.is_self_atari(p, c, 0):
                    self.candidates[count] = p
                    count += 1
        if not count:
            return PASS
        return self.candidates[self.random_index(count)]

    @cython.final
    def generate_urgent(self, c):
        """Write moves that capture the last move's chain or save chains of c next to it; return the count."""
        count: cython.int = 0
        direction: cython.int
        if self.policy & CAPTURE and self.colour[self.last_move] == 3 - c:
            k: cython.int = self.chain[self.last_move]
            if self.in_atari(k):
                p: cython.int = self.liberty_sums[k] // self.pseudo_liberties[k]
                if p != self.ko_point:
                    self.candidates[0] = p
                    count = 1
        if self.policy & ESCAPE:
            self.current_mark += 1
            for direction in range(4):
                p = self.last_move + self.offsets[direction]
                if self.colour[p] == c and self.mark[self.chain[p]] != self.current_mark:
                    k = self.chain[p]
                    self.mark[k] = self.current_mark
                    if self.in_atari(k):
                        count = self.generate_escapes(k, c, count)
        return count

    @cython.final
    def generate_escapes(self, k, c, count):
        """Append moves that save the chain k of c from atari; return the new count.

        A move captures a neighbouring chain, or extends to two liberties or more.
        """
        p: cython.int = self.liberty_sums[k] // self.pseudo_liberties[k]
        s: cython.int = k
        direction: cython.int
        if p != self.ko_point and self.has_liberty(p, c) and not self.is_self_atari(p, c, 0):
            self.candidates[count] = p
            count += 1
        while count < 8:
            for direction in range(4):
                q: cython.int = s + self.offsets[direction]
                if self.colour[q] == 3 - c and self.in_atari(self.chain[q]):
                    q = self.liberty_sums[self.chain[q]] // self.pseudo_liberties[self.chain[q]]
                    if q != self.ko_point and q != p and count < 8:
                        self.candidates[count] = q
                        count += 1
            s = self.next_stone[s]
            if s == k:
                break
        return count

    @cython.final
    def is_self_atari(self, p, c, min_stones):
        """True if a move without captures is self-atari of `min_stones` or more, without the new one.

        The liberties after it: empty neighbours, and the liberties of neighbouring own chains except p.
        """
        liberty: cython.int = 0  # the first liberty
        stones: cython.int = 0
        direction: cython.int
        other: cython.int
        pairs: cython.longlong
        sums: cython.longlong
        squares: cython.longlong
        if self.neighbour_counts[p] >= 2 * EMPTY_NEIGHBOUR:
            return False
        for direction in range(4):
            q: cython.int = p + self.offsets[direction]
            if self.colour[q] == EMPTY:
                if liberty and liberty != q:
                    return False
                liberty = q
            elif self.colour[q] == c:
                k: cython.int = self.chain[q]
                stones += self.length[k]
                pairs, sums, squares = self.pseudo_liberties[k], self.liberty_sums[k], self.liberty_squares[k]
                for other in range(4):
                    if self.colour[p + self.offsets[other]] == c and self.chain[p + self.offsets[other]] == k:
                        pairs -= 1
                        sums -= p
                        squares -= p * p
                if pairs:
                    if sums * sums != pairs * squares:
                        return False
                    q = cython.cast(cython.int, sums // pairs)
                    if liberty and liberty != q:
                        return False
                    liberty = q
            elif self.colour[q] != EDGE and self.in_atari(self.chain[q]):
                return False
        return stones >= min_stones

    @cython.final
    def pattern_code(self, p):
        """The eight neighbours of a point, two bits each."""
        direction: cython.int
        bits: cython.int = 0
        for direction in range(8):
            bits |= self.colour[p + self.offsets[direction]] << (2 * direction)
        return bits

    @cython.final
    def matches_pattern(self, p, c):
        """True if p has a known 3x3 pattern for c to play."""
        return PATTERNS[self.pattern_code(p)] & c != 0

    # -- playouts ----------------------------------------------------------------------------------

    def push_random(self, base):
        if self.result():
            return -1
        p: cython.int = self.choose_playout_move(self.turn + 1)
        if (p == PASS and self.ply < self.free_handicap) or (
            p != PASS and self.violates_superko(p, self.turn + 1)
        ):
            end: cython.int = self.gen(base)
            p = self.stack[base + self.random_index(end - base)]
        self.push(p)
        return p

    def playout(self, base, room):
        """Play out on the board itself, then restore it.

        A side passes when only its own eyes are left. Ko is always simple here: a playout that cycles is
        scored as it stands after three moves a point.
        """
        made: cython.int = 0
        max_moves: cython.int = 3 * self.area
        c: cython.int = self.turn + 1
        self.finished = self.result() != 0
        if self.finished:
            self.set_payoffs()
            return base
        if base + max_moves >= self.capacity:
            self.extend(base + max_moves)
        self.save_state()
        merciful: cython.bint = self.policy & MERCY != 0
        capture_lead: cython.int = self.captured[0] - self.captured[1]
        while made < room and made < max_moves and self.passes < 2:
            p: cython.int = self.choose_playout_move(c)
            self.stack[base + made] = p
            self.weight[base + made] = c - 1
            made += 1
            self.previous_move = self.last_move
            self.last_move = p
            if p:
                self.passes = 0
                self.place(p, c)
            else:
                self.passes += 1
                self.ko_point = 0
            if self.ply + made >= self.free_handicap:
                c = 3 - c
            if merciful and 3 * abs(self.captured[0] - self.captured[1] - capture_lead) > self.area:
                break
        if made == max_moves or self.passes > 1 or (merciful and made < room):
            self.finished = True
            self.passes = 2
            self.set_payoffs()
        if self.counts_ownership:
            self.count_ownership()
        self.restore_state()
        return base + made

    # -- move ordering -----------------------------------------------------------------------------

    def hint(self, move):
        """Captures, escapes, known patterns, proximity to the last moves, not the first line.

        A pass comes after all points but own eyes, unless it ends the game and wins it: then it comes first.
        """
        if move == PASS:
            lead: cython.int = self.margin() if self.passes else 0
            return WINNING_PASS if (lead > 0 if self.turn == 0 else lead < 0) else -20
        c: cython.int = self.turn + 1
        value: cython.int = 0
        taken: cython.int = 0
        saved: cython.int = 0
        direction: cython.int
        if self.is_eye(move, c):
            return -30
        for direction in range(4):
            q: cython.int = move + self.offsets[direction]
            if self.colour[q] == EMPTY or self.colour[q] == EDGE:
                continue
            k: cython.int = self.chain[q]
            if self.in_atari(k):
                if self.colour[q] == c:
                    saved += self.length[k]
                else:
                    taken += self.length[k]
        if taken:
            value += 15 + 2 * min(taken, 5)
        if self.is_self_atari(move, c, 1):
            value -= 15
        elif saved:
            value += 12 + 2 * min(saved, 5)
        if self.matches_pattern(move, c):
            value += 8
        if self.last_move:
            value += self.proximity(self.last_move, move)
        if self.previous_move:
            value += self.proximity(self.previous_move, move) // 2
        line: cython.int = self.line(move)
        if line == 1:
            value -= 6
        elif line == 2:
            value -= 2
        elif line > 2:
            value += 1
        return value

    @cython.final
    def proximity(self, p, q):
        """The proximity of two points, from 0 to 6."""
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
