# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Go on boards of up to 25 points, solved by proof-number search with Go's knowledge.  Types: solver.pxd.

One side, the attacker, is to show that it ends at least `margin` points ahead by area, without komi, without
suicide. The search is df-pn, as in `engines/pns.py`: yes or no.

Theorem: with `superko` (positional: no move makes a board that was there before, in the line or in `past`)
yes and no are exact, whatever came before. The value of a position then depends on the set of earlier boards
(the graph-history interaction, M. Campbell, 1985). So two kinds of results are kept apart:

- One that hangs on a move of the loser that was no move, because its board is of before the position, is
  stored under the path: a hash of `past` and of the boards of the line as they lie, not turned or mirrored.
- Any other holds on every path on which the winner may make the moves of its proof. It is stored for the
  position, with stones that the winner has on every board that the winner makes in the proof (`kept`). It is
  used where no earlier board has all of them: then none of those boards was there before. Where one has, the
  proof may not hold, and the position is searched again. That a proof is tested on each path before it is
  used follows A. Kishimoto and M. Mueller, A general solution to the graph history interaction problem, 2004,
  who play it through.

Safe points count only where no earlier board has all living stones, for the same reason. No is unknown once a
line was longer than 126 plies. Hashes of paths have 47 bits; all else is compared in full.

Theorem: without `superko`, by simple ko and with nothing before, yes says that the attacker can force the
margin in a finite number of moves: a position that comes again counts against them, and each position of a
proof was proved before those that lead to it. No is the opposite, within 126 plies; where a margin hangs on a
rule of repetition, as on 2x2, it is no.

1. Unconditional life (see `bitboard.py`) ends lines early: the attacker has the
   margin safe in points that stay theirs though they pass for ever, or the defender has too many such.
2. Of moves that leave the other side a point to end it at once none is searched. Such points are looked for
   once, in the position before; what they do is then checked after each move.
3. The table holds each position once for all its turned and mirrored boards. Its keys are the positions: it
   never takes one for another.
4. How far a new position is from a proof, and from a failure, is judged by its stones, liberties, chains and
   regions, with weights fitted by logistic regression to positions that were solved before. It decides what
   is searched first, never what is found.

What each is worth, in positions that prove 3x5 (15 points) and 3x6 (18): all of it takes 18,000 and 426,000;
without 2 it is 34,000 and 775,000; with sums in place of weak proof numbers 43,000 and more than 1.5 million;
with all numbers 1 in place of 4, 235,000 and more than 20 million, with the defender's potential eyes alone
72,000 and 6 million. Alpha-beta, two plies deeper each time, with the same safe points took 280,000 on 3x5,
710,000 on 4x4 where this takes 56,000, and had not proved 3x6 after 10 million.

5x5 was first solved by van der Werf, van den Herik and Uiterwijk, Solving Go on small boards, 2003, with the
same safe points (see `bitboard.py`). `tests/games/go/test_solver.py` compares the answers with
those of all positions of still smaller boards, `test_solver_history.py` with all lines of play.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import math

from gameplay.games.go.bitboard import GoBitboard
from gameplay.native.memory import memory

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M32, ONE, lowest, popcount
    from cython.cimports.gameplay.native.hashing import fold, spread
    from cython.cimports.gameplay.native.memory import address_of
else:
    from gameplay.native.bits import M32, ONE, lowest, popcount
    from gameplay.native.hashing import fold, spread

M48 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFF)

PLIES = cython.declare(
    cython.int, 126
)  # that a line goes down at most; longer ones count against the attacker
WIDTH = cython.declare(cython.int, 32)  # more than the moves of a position
PASS = cython.declare(cython.int, 63)  # a move; others are the bit of a point
NEVER = cython.declare(cython.uint, 1 << 30)  # a number that nothing can bring down
FEW = cython.declare(cython.uint, (1 << 30) - 1)  # the greatest of others
ALWAYS = cython.declare(cython.int, 1 << 20)  # more than any ply: what is known does not hang on the way
WON, LOST = (
    cython.declare(cython.uint, 2),
    cython.declare(cython.uint, 1),
)  # by the attacker, in entries of ways

BARE = cython.declare(cython.int, -2)  # less than any ply: the board was not there before
PAST = cython.declare(cython.int, 512)  # boards before the root, at most
INTERVAL = cython.declare(cython.longlong, 1024)  # positions between two looks at `control`

# A key, from the lowest bit: 40 bits of the board in base 3, 5 of the ko, the side to move, whether the last
# move was a pass, 1. The key of a path: 47 bits of a hash, 0. An entry: a key and above it the logarithm of
# the work; then two numbers of 32 bits, how far the side to move is from its goal, and the other side. Of a
# position that is solved the one is 0 and the other NEVER + the stones that the winner keeps, a bit each, on
# the board as the key has it. Of a path: who wins and, above it, those stones; then 1 + the lowest ply that
# the result hangs on.

# What speaks for the attacker: each of their stones, liberties, liberties that only they have, stones on the
# edge, chains, chains in atari, stones in atari, regions that they leave; the same of the defender; always.
BEFORE_ATTACKER = (17, 2, 1, -10, -6, -10, 1, 9, -13, -5, -6, 8, 24, -16, 12, -36, 2)
BEFORE_DEFENDER = (10, 1, 3, -11, -11, -3, -9, 16, -6, -7, -5, 2, 18, -7, 6, -23, -3)
SPAN = cython.declare(cython.int, 250)  # sums beyond it are as good


class GoSolver(GoBitboard):
    """Solves one board; `nodes` counts the positions it visited, ever. Set `stopped` to end a search."""

    def __init__(self, columns: cython.int, rows: cython.int, size: cython.int = 15):
        """A board, and a table of 2**size entries of 16 bytes each. Raises Usage for a board too large."""
        GoBitboard.__init__(self, columns, rows)
        i: cython.int
        self.size = max(3, size)
        self.nodes = 0
        self.stopped = False
        self.asked = None
        self.control = None
        self.most = self.next_poll = 0
        if not cython.compiled:
            self.proofs, self.disproofs = [0] * 512, [0] * 512
            self.mine, self.theirs, self.ko, self.passed, self.here, self.way = ([0] * 128 for _ in range(6))
            self.pruned, self.past_mine, self.past_theirs = [0] * 128, [0] * PAST, [0] * PAST
            self.next_key, self.next_lie, self.one, self.two = ([0] * 4096 for _ in range(4))
            self.low, self.settled, self.kept = ([0] * 4096 for _ in range(3))
            self.threats = [0] * 32
        for i in range(34):
            self.weights[i] = (BEFORE_ATTACKER + BEFORE_DEFENDER)[i]
        for i in range(2 * SPAN + 1):
            self.proofs[i] = int(64 * math.exp(-0.04 * (i - SPAN))) + 1
            self.disproofs[i] = int(64 * math.exp(0.005 * (i - SPAN))) + 1
        self.clear()

    def clear(self):
        """Forget all results."""
        self.ways = self.cut = False
        self.table = memoryview(memory(cython.cast(cython.size_t, 16) << self.size)).cast("Q")
        if cython.compiled:
            self.entries = cython.cast(cython.p_ulonglong, address_of(self.table))
        else:
            self.entries = self.table

    # -- the table -----------------------------------------------------------------------------

    def along(self, ply, mine, theirs, ko, passed):
        """The key of a position at a ply with the way to it: of boards as they lie, as the past does."""
        mixed: cython.ulonglong = fold(self.way[ply], mine ^ spread(theirs))
        mixed = fold(mixed, ko << 1 | cython.cast(cython.ulonglong, passed))
        return max(ONE, (mixed ^ mixed >> 31) >> 17)  # 0 is an empty entry

    def find(self, key):
        """Where the entry of a position is; -1: there is none."""
        start: cython.long = cython.cast(cython.long, spread(key) >> (66 - self.size)) * 8
        i: cython.long
        for i in range(start, start + 8, 2):
            if self.entries[i] & M48 == key:
                return i
        return -1

    def note(self, key, one, two, work):
        """Keep what was found; of four the one goes that took the least work."""
        start: cython.long = cython.cast(cython.long, spread(key) >> (66 - self.size)) * 8
        i: cython.long
        at: cython.long = start
        effort: cython.ulonglong = 0
        while work:
            effort += 1
            work >>= 1
        for i in range(start, start + 8, 2):
            if self.entries[i] & M48 == key:
                at = i
                effort = max(effort, self.entries[i] >> 48)
                break
            if self.entries[i] >> 48 < self.entries[at] >> 48 or not self.entries[i]:
                at = i
        self.entries[at] = effort << 48 | key
        self.entries[at + 1] = cython.cast(cython.ulonglong, two) << 32 | one

    # -- the search ----------------------------------------------------------------------------

    def judge(self, number, mover):
        """How far a new position after a move of `mover` is from proof and failure, in `one` and `two`."""
        own: cython.ulonglong = self.next_own[number]
        other: cython.ulonglong = self.next_other[number]
        empty: cython.ulonglong = self.board & ~(own | other)
        first: cython.int = 0 if mover else 17
        total: cython.int = self.weights[first + 16]
        eyes: cython.ulonglong = self.board & ~(other if mover else own)
        if mover:
            own, other = other, own
        total += self.weigh(own, other, empty, first) + self.weigh(other, own, empty, first + 8)
        total = max(0, min(total + SPAN, 2 * SPAN))
        # The defender lives in points that the attacker is not beside.
        proof: cython.uint = self.proofs[total] + 4 * popcount(eyes & ~self.near(own))
        disproof: cython.uint = self.disproofs[total]
        self.one[number] = proof if mover else disproof
        self.two[number] = disproof if mover else proof

    def decide(self, number, won, low):
        """The position after this move is won for its mover, or is not; the lowest ply that this hangs on."""
        self.one[number] = NEVER if won else 0
        self.two[number] = 0 if won else NEVER
        self.low[number] = low
        self.settled[number] = True

    def gather(self, ply, mover):
        """Write the moves of a ply. The number of them; -1: one ends it for the mover."""
        mine: cython.ulonglong = self.mine[ply]
        theirs: cython.ulonglong = self.theirs[ply]
        own: cython.ulonglong = theirs if mover else mine
        other: cython.ulonglong = mine if mover else theirs
        empty: cython.ulonglong = self.board & ~(mine | theirs)
        # So many points end it at once: what the attacker needs, or one more than they leave.
        enough: cython.int = self.area + 1 - self.need if mover else self.need
        base: cython.int = WIDTH * ply
        last: cython.int = WIDTH * (PLIES + 1)
        count: cython.int = 0
        threats: cython.int = 0
        kept: cython.int = 0
        i: cython.int
        j: cython.int
        ended: cython.int
        lost: cython.bint
        rest: cython.ulonglong = empty & ~self.ko[ply]
        whole: cython.ulonglong = self.whole(own)
        # 1. A second pass.
        self.pruned[ply] = self.board
        if self.passed[ply] and mover ^ (self.lead(mine, theirs) >= self.margin):
            self.found_kept = self.board
            return -1
        # 2. Moves after which enough is safe.
        while rest:
            i = lowest(rest)
            rest &= rest - 1
            ended = self.ends(own, other, i, base + count, whole, enough)
            if ended > 0 and self.stands(ply, base + count, mover):
                self.found_kept = self.living
                return -1
            if ended >= 0:
                count += 1
        if not self.passed[ply]:
            i = base + count
            self.next_own[i], self.next_other[i], self.next_ko[i] = own, other, 0
            self.moves[i] = PASS
            count += 1
        # 3. Where the other side could do that now: moves that leave it one such point.
        enough = self.area + 1 - enough
        whole = self.whole(other)
        while empty:
            i = lowest(empty)
            empty &= empty - 1
            if self.ends(other, own, i, last, whole, enough) > 0:
                self.threats[threats] = i
                threats += 1
        if not threats:
            return count
        for i in range(base, base + count):
            own, other = self.next_own[i], self.next_other[i]
            rest = self.board & ~(own | other | self.next_ko[i])
            lost = False
            for j in range(threats):
                if (
                    rest >> self.threats[j] & 1
                    and self.ends(other, own, self.threats[j], last, 0, enough) > 0
                    and (not self.superko or self.living & ~other)
                    and self.stands(ply, last, 1 - mover)
                ):
                    self.pruned[ply] &= self.living
                    # That point first for the moves that follow.
                    self.threats[j], self.threats[0] = self.threats[0], self.threats[j]
                    lost = True
                    break
            if not lost:
                self.copy(i, base + kept)
                kept += 1
        return kept

    def copy(self, source, target):
        """The move at one place also at another."""
        self.next_own[target] = self.next_own[source]
        self.next_other[target] = self.next_other[source]
        self.next_ko[target] = self.next_ko[source]
        self.moves[target] = self.moves[source]

    def since(self, ply, number):
        """The ply at which what stands after this move was on the way here; -1: it was not."""
        i: cython.int
        for i in range(ply, -1, -1):
            if self.here[i] == self.next_key[number]:
                return i
        return -1

    def repeated(self, ply, number, mover):
        """The ply at which the board after this move was on the way here; -1: before the root.

        BARE: it was not there, or the move is a pass.
        """
        mine: cython.ulonglong = self.next_other[number] if mover else self.next_own[number]
        theirs: cython.ulonglong = self.next_own[number] if mover else self.next_other[number]
        i: cython.int
        if self.moves[number] != PASS:
            for i in range(ply, -1, -1):
                if self.mine[i] == mine and self.theirs[i] == theirs:
                    return i
            for i in range(self.past):
                if self.past_mine[i] == mine and self.past_theirs[i] == theirs:
                    return -1
        return BARE

    def clashes(self, ply, kept, side):
        """True if a board before this ply, or the root, had all these stones of a side (0: the attacker).

        If not, no board of those on which the winner keeps them has been there.
        """
        i: cython.int
        for i in range(ply):
            if not kept & ~(self.theirs[i] if side else self.mine[i]):
                return True
        for i in range(self.past):  # noqa: SIM110 (any() would need the interpreter)
            if not kept & ~(self.past_theirs[i] if side else self.past_mine[i]):
                return True
        return False

    def stands(self, ply, number, side):
        """True if a side may make this move, after which `living` live: no earlier board can follow."""
        if not self.superko:
            return True
        return self.repeated(ply, number, side) == BARE and not self.clashes(ply + 1, self.living, side)

    def look(self, ply, number, mover, new):
        """What the table knows of the position after a move; nothing: it is judged if it is `new`."""
        key: cython.ulonglong = self.next_key[number]
        i: cython.long = self.find(key)
        one: cython.uint
        two: cython.uint
        word: cython.ulonglong
        winner: cython.int
        if i < 0:
            if new:
                self.judge(number, mover)
            return
        one = cython.cast(cython.uint, self.entries[i + 1] & M32)
        two = cython.cast(cython.uint, self.entries[i + 1] >> 32)
        if one == 0 or two == 0:
            winner = mover if two == 0 else 1 - mover
            self.kept[number] = self.turned_back((one | two) & ~NEVER, self.next_lie[number])
            if not self.superko or not self.clashes(ply + 1, self.kept[number], winner):
                self.decide(number, two == 0, ALWAYS)
                return
            # It stands, but perhaps not here.
            if new:
                self.judge(number, mover)
        else:
            self.one[number], self.two[number] = one, two
        if self.ways:
            i = self.find(
                self.along(
                    ply + 1,
                    self.next_other[number] if mover else self.next_own[number],
                    self.next_own[number] if mover else self.next_other[number],
                    self.next_ko[number],
                    self.moves[number] == PASS,
                )
            )
            if i >= 0:
                word = self.entries[i + 1] & M32
                self.kept[number] = self.turned_back(word >> 2, self.next_lie[number])
                self.decide(
                    number,
                    ((word & 3) == WON) ^ (mover != 0),
                    cython.cast(cython.int, self.entries[i + 1] >> 32) - 1,
                )

    def visit(self, ply, most_one, most_two):
        """Search a position until one of its numbers reaches its limit; set `found_one`, `found_two`.

        They are how far the side to move is from its goal, and how far the other side is from its own. If one
        is 0, `found_low` is the lowest ply that the result depends on.
        """
        mover: cython.int = (self.first + ply) & 1
        base: cython.int = WIDTH * ply
        before: cython.longlong = self.nodes
        kept: cython.ulonglong = 0
        lie: cython.int
        winner: cython.int
        i: cython.int
        j: cython.int
        count: cython.int
        best: cython.int
        others: cython.int
        low: cython.int = ALWAYS
        free: cython.int = ALWAYS
        least: cython.uint
        second: cython.uint
        top: cython.uint
        total: cython.uint
        limit: cython.uint
        room: cython.uint
        new: cython.bint = True
        self.nodes += 1
        if self.nodes >= self.next_poll:
            self.poll()
        # 1. A line that is too long counts against the attacker.
        if ply >= PLIES:
            self.found_one = 0 if mover else NEVER
            self.found_two = NEVER if mover else 0
            self.found_low, self.found_kept = -1, 0
            self.ways = self.cut = True
            return
        key: cython.ulonglong = self.key(
            self.mine[ply], self.theirs[ply], self.ko[ply], mover, self.passed[ply]
        )
        lie = self.lie
        self.here[ply] = key
        trail: cython.ulonglong = self.along(
            ply, self.mine[ply], self.theirs[ply], self.ko[ply], self.passed[ply]
        )
        self.way[ply + 1] = trail
        # 2. The moves. One may end it.
        count = self.gather(ply, mover)
        if count < 0:
            self.note(key, 0, NEVER | cython.cast(cython.uint, self.turned(self.found_kept, lie)), 1)
            self.found_one, self.found_two, self.found_low = 0, NEVER, ALWAYS
            return
        # 3. Those that go round: they are no moves, or what the defender wants.
        i = base
        for j in range(base, base + count):
            if self.superko:
                best = self.repeated(ply, j, mover)
                if best != BARE:
                    self.ways = True
                    free = min(free, best)
                    continue
            if i != j:
                self.copy(j, i)
            if mover:
                self.next_key[i] = self.key(
                    self.next_other[i], self.next_own[i], self.next_ko[i], 0, self.moves[i] == PASS
                )
            else:
                self.next_key[i] = self.key(
                    self.next_own[i], self.next_other[i], self.next_ko[i], 1, self.moves[i] == PASS
                )
            self.next_lie[i] = self.lie
            self.low[i] = ALWAYS
            self.kept[i] = 0
            self.settled[i] = False
            if not self.superko:
                best = self.since(ply, i)
                if best >= 0:
                    self.ways = True
                    self.decide(i, mover != 0, best)
            i += 1
        count = i - base
        while True:
            # 4. The numbers of the position: the least, and what stands for the sum (weak proof numbers).
            least = second = NEVER
            top = 0
            others = 0
            best = base
            for i in range(base, base + count):
                if not self.settled[i]:
                    self.look(ply, i, mover, new)
                if self.two[i] < least:
                    second = least
                    least = self.two[i]
                    best = i
                elif self.two[i] < second:
                    second = self.two[i]
                if self.one[i]:
                    others += 1
                    top = max(top, self.one[i])
            new = False
            if least == 0 or top == NEVER:
                total = NEVER
            elif others == 0:
                total = 0
            else:
                total = min(top + others - 1, FEW)
            if total == 0:
                least = NEVER
            # 5. Enough for now.
            if self.stopped or least >= most_one or total >= most_two or least == 0:
                break
            # 6. The move that has least left, until it has an eighth more than the second.
            limit = most_two if most_two == NEVER else most_two - (others - 1)
            room = NEVER
            if second < NEVER:
                room = min(second + max(1, second >> 3), FEW)
            self.mine[ply + 1] = self.next_other[best] if mover else self.next_own[best]
            self.theirs[ply + 1] = self.next_own[best] if mover else self.next_other[best]
            self.ko[ply + 1] = self.next_ko[best]
            self.passed[ply + 1] = self.moves[best] == PASS
            self.visit(ply + 1, limit, min(most_one, room))
            self.one[best], self.two[best] = self.found_one, self.found_two
            if self.found_one == 0 or self.found_two == 0:
                self.low[best] = self.found_low
                self.kept[best] = self.found_kept
                self.settled[best] = True
        # 7. What it hangs on, and what the winner keeps: of the move that did it, or of all.
        if least == 0:
            low = BARE
            for i in range(base, base + count):
                if self.two[i] == 0 and self.low[i] > low:
                    low = self.low[i]
                    kept = self.kept[i] if self.moves[i] == PASS else self.kept[i] & self.next_own[i]
        elif total == 0:
            low = free
            kept = self.pruned[ply]
            for i in range(base, base + count):
                low = min(low, self.low[i])
                kept &= self.kept[i]
        if least == 0 or total == 0:
            winner = mover if least == 0 else 1 - mover
            i = low < ply
            if not i:
                self.note(
                    key,
                    least | cython.cast(cython.uint, self.turned(kept, lie) if least else 0),
                    total | cython.cast(cython.uint, self.turned(kept, lie) if total else 0),
                    self.nodes - before,
                )
                low = ALWAYS
            if i or (self.superko and self.clashes(ply, kept, winner)):
                self.ways = True
                self.note(
                    trail,
                    cython.cast(cython.uint, self.turned(kept, lie) << 2) | (LOST if winner else WON),
                    low + 1,
                    self.nodes - before,
                )
            if i and self.find(key) < 0:
                self.note(key, 1, 1, self.nodes - before)
        elif not self.stopped:
            self.note(key, least, total, self.nodes - before)
        self.found_one, self.found_two, self.found_low, self.found_kept = least, total, low, kept

    def poll(self):
        """Called when `nodes` reaches `next_poll`: stop if `most` are visited, or `control` asks for it."""
        if self.most and self.nodes >= self.most:
            self.stopped = True
        with cython.gil:
            if self.control is not None and self.control.expired():
                self.stopped = True
        self.next_poll = self.nodes + INTERVAL
        if self.most and self.next_poll > self.most:
            self.next_poll = self.most

    def ask(self, attacker: cython.int, margin: cython.int, superko: cython.bint = False):
        """Select a question of `proves` and discard the results of any other.

        Its results are stored in `table`. A caller that fills it from a file also sets `ways` and `cut`.
        """
        if (attacker, margin, superko) != self.asked:
            self.clear()
            self.asked = (attacker, margin, superko)

    def proves(
        self,
        stones,
        turn: cython.int,
        attacker: cython.int,
        margin: cython.int,
        superko: cython.bint = False,
        passed: cython.bint = False,
        ko: cython.int = 0,
        past=(),
    ):
        """True if `attacker` can force a lead of `margin` points by area.

        stones: the rows from the top, as `Go.stones()`. turn, attacker: 0 Black, 1 White. passed: the last
        move was a pass. ko: 1 + the number of the point, row by row from A1, that ko forbids; 0: none.
        past: with `superko` the boards that no move may make, each as `stones`.
        True; False; None where it was stopped, after which the same question goes on where it was, or where
        with `superko` a line is longer than PLIES.
        """
        self.ask(attacker, margin, superko)
        self.first = turn ^ attacker
        self.mine[0], self.theirs[0] = self.read(stones, attacker), self.read(stones, 1 - attacker)
        self.passed[0] = passed
        self.ko[0] = ONE << ((ko - 1) // self.columns * self.stride + (ko - 1) % self.columns) if ko else 0
        self.margin = margin
        self.need = (margin + self.area + 1) // 2 if margin > -self.area else 0
        self.superko = superko
        if not self.remember(past, attacker):
            return None
        self.next_poll = self.nodes + 1
        # Where enough is safe already nothing needs to be searched.
        if not passed:
            if popcount(self.secure(self.mine[0], self.theirs[0])) >= self.need and not (
                superko and self.clashes(0, self.living, 0)
            ):
                return True
            if popcount(self.secure(self.theirs[0], self.mine[0])) > self.area - self.need and not (
                superko and self.clashes(0, self.living, 1)
            ):
                return False
        with cython.nogil:
            self.visit(0, NEVER, NEVER)
        if self.found_one and self.found_two:
            return None
        proved = (self.found_one == 0) ^ (self.first == 1)
        return None if superko and self.cut and not proved else proved

    def remember(self, past, attacker: cython.int):
        """Note the boards before the root, each once. False: they are more than PAST."""
        mine: cython.ulonglong
        theirs: cython.ulonglong
        boards = {(self.read(stones, attacker), self.read(stones, 1 - attacker)) for stones in past}
        boards.discard((self.mine[0], self.theirs[0]))
        self.past = 0
        self.way[0] = 1 + self.first
        if len(boards) > PAST:
            return False
        for mine, theirs in sorted(boards):
            self.past_mine[self.past], self.past_theirs[self.past] = mine, theirs
            self.way[0] = fold(self.way[0] + 1, mine ^ spread(theirs))
            self.past += 1
        return True
