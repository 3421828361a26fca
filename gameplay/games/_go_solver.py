# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Go on boards of up to 25 points, solved by alpha-beta with Go's knowledge.  Types: _go_solver.pxd.

One side, the attacker, is to show that it ends at least `margin` points ahead by area, without komi, by
simple ko and without suicide. The search is alpha-beta with a window of one point, that is, of yes and no.

Theorem: without `superko`, `proves` says yes only if the attacker can force that margin within so many
plies, whatever came before and whatever a rule says of positions that come again. For a line that is not
over by then counts against them: what is proved in n plies is proved without any cycle, and whoever follows
the shortest proof never comes back to a position. So nothing that depends on the past stands in the table.
Where a margin hangs on a rule of repetition, as on 2x2, such a search never says yes.

With `superko` a move that makes a board of this line again is no move, and nothing is kept in the table of
what came of that. What is kept was found without such a move; but where it is met with another past there
may be one, and the table does not know the past (M. Campbell, The graph-history interaction, 1985). Its yes
is a proof but for this. The margins found are the published ones.

1. Unconditional life (D. B. Benson, Life in the game of Go, 1976) ends lines early: the attacker has the
   margin safe in points that stay theirs though they pass for ever, or the defender has too many such.
2. The table holds each position once for all its turned and mirrored boards, with the fewest plies known to
   prove it and the most known to fail. Its keys are the positions: it never takes one for another.
3. Before any move is searched the table is asked about the positions after all of them (enhanced
   transposition cutoffs; Plaat, Schaeffer, Pijls and de Bruin 1996).
4. Moves: the table's, those that did it elsewhere at this ply, captures, those that did it often before.

Such a search first solved 5x5 (van der Werf, van den Herik and Uiterwijk, Solving Go on small boards, 2003);
safe points are their "unconditional territory". `tests/test_go_solver.py` holds all this to full search.
"""

try:
    import cython
except ImportError:
    from gameplay import nocython as cython

from gameplay.errors import Usage

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Calloc, PyMem_Free
    from cython.cimports.gameplay.bits import lowest, popcount
else:
    from gameplay.bits import lowest, popcount

ONE = cython.declare(cython.ulonglong, 1)
M64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MIX = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)

MOST = 25  # points: the code of a position and what is known of it fill 64 bits
PLIES = cython.declare(cython.int, 62)  # that a search goes down at most
EVER = cython.declare(cython.int, 63)  # a depth: fails however deep one looks; as a proof, none is known
WIDTH = cython.declare(cython.int, 32)  # more than the moves of a position
PASS = cython.declare(cython.int, 63)  # a move; others are the bit of a point
NONE = cython.declare(cython.int, 30)  # a move in the table: none; 31: a pass; else the number of a point
YES, NO, NEVER = cython.declare(cython.int, 1), cython.declare(cython.int, 0), cython.declare(cython.int, -1)

# An entry, from the lowest bit: 6 bits of the depth that fails, 6 of that which proves, 5 of a move, the key.
# A key: 40 bits of the board in base 3, 5 of the ko, the side to move, whether the last move was a pass.
KEY = cython.declare(cython.int, 17)


class GoSolver:
    """Solves one board; `nodes` counts the positions it visited, ever. Set `stopped` to end a search."""

    def __init__(self, columns: cython.int, rows: cython.int, size: cython.int = 16):
        """A board, and a table of 2**size entries of 8 bytes each. Raises Usage for a board too large."""
        if columns * rows > MOST:
            raise Usage(f"boards are solved up to {MOST} points, not {columns}x{rows}")
        self.columns, self.rows = columns, rows
        self.area = columns * rows
        self.stride = columns + 1
        self.size = max(3, size)
        self.nodes = 0
        self.stopped = False
        self.asked = None
        if not cython.compiled:
            self.places, self.bits = [0] * 512, [0] * 256
            self.mine, self.theirs, self.ko, self.passed = ([0] * 64 for _ in range(4))
            self.next_own, self.next_other, self.next_ko = ([0] * 2048 for _ in range(3))
            self.moves, self.worth = [0] * 2048, [0] * 2048
            self.killers, self.history = [0] * 128, [0] * 128
            self.regions, self.chains, self.beside = [0] * 32, [0] * 32, [0] * 32
        self.board = 0
        self.draw()
        self.clear()

    def __dealloc__(self):
        PyMem_Free(self.block)
        PyMem_Free(self.codes)

    def draw(self):
        """The board and its eight ways to lie: tables of its points, and of the codes of its rows."""
        x: cython.int
        y: cython.int
        way: cython.int
        i: cython.size_t
        bit: cython.int
        for y in range(self.rows):
            for x in range(self.columns):
                bit = y * self.stride + x
                self.board |= ONE << bit
                for way in range(8):
                    # A rectangle has four ways, each twice.
                    left = self.columns - 1 - x if way & 1 else x
                    low = self.rows - 1 - y if way & 2 else y
                    if way & 4 and self.columns == self.rows:
                        left, low = low, left
                    number = low * self.columns + left
                    self.places[8 * bit + way] = number
                    self.bits[8 * number + way] = bit
        patterns: cython.int = 1 << (2 * self.columns)
        pattern: cython.int
        digit: cython.ulonglong
        count: cython.size_t = 8 * patterns * self.rows
        powers: cython.ulonglong[25]
        if cython.compiled:
            self.codes = cython.cast(cython.p_ulonglong, PyMem_Calloc(count, 8))
            if self.codes == cython.NULL:
                raise MemoryError
        else:
            self.codes = [0] * count
            powers = [0] * 25
        powers[0] = 1
        for x in range(1, self.area):
            powers[x] = 3 * powers[x - 1]
        for y in range(self.rows):
            for pattern in range(patterns):
                for x in range(self.columns):
                    digit = (pattern >> x & 1) + 2 * (pattern >> (x + self.columns) & 1)
                    for way in range(8):
                        i = (y * patterns + pattern) * 8 + way
                        self.codes[i] += digit * powers[self.places[8 * (y * self.stride + x) + way]]

    def clear(self):
        """Forget all results."""
        count: cython.size_t = (ONE << self.size) + 8
        if cython.compiled:
            PyMem_Free(self.block)
            self.block = cython.cast(cython.p_ulonglong, PyMem_Calloc(count, 8))
            if self.block == cython.NULL:
                raise MemoryError
            # Buckets begin where lines of the processor's cache do.
            address: cython.size_t = cython.cast(cython.size_t, self.block)
            self.entries = self.block + ((64 - address % 64) % 64) // 8
        else:
            self.entries = [0] * count
        i: cython.int
        for i in range(128):
            self.killers[i] = -1
            self.history[i] = 0

    # -- the board -----------------------------------------------------------------------------

    def near(self, points):
        """The points beside these, some of these among them."""
        return (points << 1 | points >> 1 | points << self.stride | points >> self.stride) & self.board

    def flood(self, seed, within):
        """What is joined to `seed` within a set that holds it."""
        more: cython.ulonglong
        while True:
            more = (seed | self.near(seed)) & within
            if more == seed:
                return seed
            seed = more

    def alive(self, own, other):
        """The stones of `own` that cannot be taken though their side passes for ever (Benson's algorithm)."""
        rest: cython.ulonglong = self.board & ~own
        region: cython.ulonglong
        empty: cython.ulonglong = rest & ~other
        alive: cython.ulonglong = own
        regions: cython.int = 0
        chains: cython.int = 0
        r: cython.int
        k: cython.int
        vital: cython.int
        # 1. The regions that the stones leave: a chain wants two.
        if not rest:
            return 0
        region = self.flood(rest & -rest, rest)
        if region == rest:
            return 0
        while True:
            self.regions[regions] = region
            regions += 1
            rest ^= region
            if not rest:
                break
            region = self.flood(rest & -rest, rest)
        # 2. The chains, each with the points beside it.
        rest = own
        while rest:
            region = self.flood(rest & -rest, own)
            rest ^= region
            self.chains[chains] = region
            self.beside[chains] = self.near(region)
            chains += 1
        # 3. A region is vital to a chain whose liberties are all its empty points. Chains without two vital
        #    regions go, then regions that such a chain bounds, until nothing goes any more.
        while True:
            rest = alive
            for k in range(chains):
                if not self.chains[k] & alive:
                    continue
                vital = 0
                for r in range(regions):
                    if not self.regions[r] & empty & ~self.beside[k]:
                        vital += 1
                if vital < 2:
                    alive &= ~self.chains[k]
            if alive == rest or not alive:
                return alive
            k = 0
            for r in range(regions):
                if not self.near(self.regions[r]) & own & ~alive:
                    self.regions[k] = self.regions[r]
                    k += 1
            regions = k

    def secure(self, own, other):
        """The points that `own` keeps: stones that live, and regions between them where `other` cannot.

        Nobody has two eyes where the points not beside living stones are none, one, or two side by side.
        """
        alive: cython.ulonglong = self.alive(own, other)
        if not alive:
            return 0
        found: cython.ulonglong = alive
        beside: cython.ulonglong = self.near(alive)
        rest: cython.ulonglong = self.board & ~alive
        region: cython.ulonglong
        inner: cython.ulonglong
        while rest:
            region = self.flood(rest & -rest, rest)
            rest ^= region
            inner = region & ~beside
            if not inner & (inner - 1) or (
                popcount(inner) == 2 and inner & ~other and inner == self.flood(inner & -inner, inner)
            ):
                found |= region
        return found

    def lead(self, own, other):
        """The area of `own` less that of `other`, as the board stands."""
        total: cython.int = popcount(own) - popcount(other)
        rest: cython.ulonglong = self.board & ~(own | other)
        region: cython.ulonglong
        beside: cython.ulonglong
        while rest:
            region = self.flood(rest & -rest, rest)
            rest ^= region
            beside = self.near(region)
            if not beside & other and beside & own:
                total += popcount(region)
            elif not beside & own and beside & other:
                total -= popcount(region)
        return total

    def play(self, own, other, bit, number):
        """Put a stone of `own` on an empty point, and note what is after it. False: suicide."""
        stone: cython.ulonglong = ONE << bit
        beside: cython.ulonglong = self.near(stone)
        empty: cython.ulonglong
        taken: cython.ulonglong = 0
        rest: cython.ulonglong = beside & other
        chain: cython.ulonglong
        joined: cython.bint = beside & own != 0
        free: cython.bint
        own |= stone
        empty = self.board & ~(own | other)
        free = beside & empty != 0
        while rest:
            chain = self.flood(rest & -rest, other)
            rest &= ~chain
            if not self.near(chain) & empty:
                taken |= chain
        if not taken and not free and (not joined or not self.near(self.flood(stone, own)) & empty):
            return False
        self.next_own[number] = own
        self.next_other[number] = other & ~taken
        self.next_ko[number] = taken if not taken & (taken - 1) and not joined and not free else 0
        self.moves[number] = bit
        self.worth[number] = popcount(taken)
        return True

    # -- the table -----------------------------------------------------------------------------

    def key(self, mine, theirs, ko, mover, passed):
        """What stands for a position, however its board lies: the least code of the eight."""
        codes: cython.ulonglong[8]
        row: cython.int
        way: cython.int
        i: cython.size_t
        mask: cython.ulonglong = (ONE << self.columns) - 1
        if not cython.compiled:
            codes = [0] * 8
        for way in range(8):
            codes[way] = 0
        for row in range(self.rows):
            i = cython.cast(cython.size_t, (mine & mask) | (theirs & mask) << self.columns)
            i = (cython.cast(cython.size_t, row) << (2 * self.columns) | i) * 8
            for way in range(8):
                codes[way] += self.codes[i + way]
            mine >>= self.stride
            theirs >>= self.stride
        if ko:
            row = lowest(ko)
            for way in range(8):
                codes[way] |= cython.cast(cython.ulonglong, self.places[8 * row + way] + 1) << 40
        self.turned = 0
        for way in range(1, 8):
            if codes[way] < codes[self.turned]:
                self.turned = way
        return codes[self.turned] | cython.cast(cython.ulonglong, 2 * passed + mover) << 45

    def look(self, key):
        """The entry of a position, without its key; 0: there is none."""
        start: cython.size_t = cython.cast(cython.size_t, ((key * MIX) & M64) >> (67 - self.size)) * 8
        i: cython.size_t
        for i in range(start, start + 8):
            if self.entries[i] >> KEY == key and self.entries[i]:
                return self.entries[i] & ((ONE << KEY) - 1)
        return 0

    def note(self, key, turned, depth, found, move):
        """Keep what a search so deep has found; of eight the one goes that was searched least."""
        start: cython.size_t = cython.cast(cython.size_t, ((key * MIX) & M64) >> (67 - self.size)) * 8
        i: cython.size_t
        at: cython.size_t = start
        fails: cython.int = 0
        proves: cython.int = EVER
        least: cython.int = 1000
        deep: cython.int
        for i in range(start, start + 8):
            if not self.entries[i]:
                at = i
                break
            fails = cython.cast(cython.int, self.entries[i] & 63)
            proves = cython.cast(cython.int, self.entries[i] >> 6 & 63)
            if self.entries[i] >> KEY == key:
                at = i
                least = -1
                break
            deep = fails if fails < EVER else 0
            if proves < EVER and proves > deep:
                deep = proves
            if deep < least:
                least = deep
                at = i
        if least >= 0:
            fails, proves = 0, EVER
        if found == YES:
            proves = depth
        elif found == NEVER:
            fails = EVER
        elif depth > fails:
            fails = depth
        number: cython.int = NONE
        if move == PASS:
            number = 31
        elif move >= 0:
            number = self.places[8 * move + turned]
        self.entries[at] = key << KEY | number << 12 | proves << 6 | fails

    # -- the search ----------------------------------------------------------------------------

    def rank(self, ply, count, mover, first):
        """Say what each move of a ply is worth trying."""
        i: cython.int
        bit: cython.int
        for i in range(WIDTH * ply, WIDTH * ply + count):
            bit = self.moves[i]
            if bit == first:
                self.worth[i] = ONE << 60
                continue
            self.worth[i] = (self.worth[i] << 8) + self.history[64 * mover + bit]
            if bit == self.killers[2 * ply]:
                self.worth[i] += ONE << 50
            elif bit == self.killers[2 * ply + 1]:
                self.worth[i] += ONE << 49

    def prefer(self, ply, mover, move, depth):
        """A move did it: try it early elsewhere."""
        i: cython.int
        if self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move
        self.history[64 * mover + move] += depth * depth
        if self.history[64 * mover + move] >> 40:
            for i in range(128):
                self.history[i] >>= 1

    def whole(self, own):
        """The points without a stone of `own`, if they are one region; else 0."""
        rest: cython.ulonglong = self.board & ~own
        return rest if self.flood(rest & -rest, rest) == rest else 0

    def parts(self, bit, whole):
        """May a stone leave more than one region? Not where it has one neighbour, or none, in the `whole`."""
        beside: cython.ulonglong = self.near(ONE << bit) & whole
        return not whole or beside & (beside - 1) != 0

    def finish(self, ply):
        """Has the attacker, to move, one after which the margin is safe?"""
        mine: cython.ulonglong = self.mine[ply]
        theirs: cython.ulonglong = self.theirs[ply]
        empty: cython.ulonglong = self.board & ~(mine | theirs | self.ko[ply])
        last: cython.int = WIDTH * (PLIES + 1)
        whole: cython.ulonglong = self.whole(mine)
        bit: cython.int
        while empty:
            bit = lowest(empty)
            empty &= empty - 1
            if not self.parts(bit, whole) or not self.play(mine, theirs, bit, last):
                continue
            if popcount(self.secure(self.next_own[last], self.next_other[last])) >= self.need:
                return True
        return False

    def visit(self, ply, depth):
        """Can the attacker prove the margin in so many plies? YES, NO, or NEVER: not in any number."""
        mover: cython.int = (self.first + ply) & 1
        mine: cython.ulonglong = self.mine[ply]
        theirs: cython.ulonglong = self.theirs[ply]
        own: cython.ulonglong = theirs if mover else mine
        other: cython.ulonglong = mine if mover else theirs
        empty: cython.ulonglong = self.board & ~(mine | theirs | self.ko[ply])
        # So many points end it at once: what the attacker needs, or one more than they leave.
        enough: cython.int = self.area + 1 - self.need if mover else self.need
        base: cython.int = WIDTH * ply
        count: cython.int = 0
        first: cython.int = -1
        low: cython.int = PLIES + 1
        found: cython.int
        fails: cython.int
        proves: cython.int
        known: cython.ulonglong
        i: cython.int
        j: cython.int
        self.nodes += 1
        self.low = low
        if self.stopped:
            return NO
        # 1. A position that comes again, a second pass, and the last ply.
        if self.superko and not self.passed[ply]:
            for i in range(ply - 2, -1, -1):
                if self.mine[i] == mine and self.theirs[i] == theirs:
                    self.low = i
                    return NO if mover else YES
        if self.passed[ply]:
            found = YES if self.lead(mine, theirs) >= self.margin else NEVER
            if found == (NEVER if mover else YES):
                return found
        if depth == 1:
            return YES if not mover and self.finish(ply) else NO
        # 2. What is known of the position.
        key: cython.ulonglong = self.key(mine, theirs, self.ko[ply], mover, self.passed[ply])
        turned: cython.int = self.turned
        known = self.look(key)
        if known:
            fails = cython.cast(cython.int, known & 63)
            proves = cython.cast(cython.int, known >> 6 & 63)
            if proves <= depth:
                return YES
            if fails >= depth:
                return NEVER if fails == EVER else NO
            i = cython.cast(cython.int, known >> 12)
            first = PASS if i == 31 else -1 if i == NONE else self.bits[8 * i + turned]
        # 3. The moves. One after which enough points are safe needs no search.
        whole: cython.ulonglong = self.whole(own)
        while empty:
            i = lowest(empty)
            empty &= empty - 1
            if not self.play(own, other, i, base + count):
                continue
            j = base + count
            if self.parts(i, whole) and popcount(self.secure(self.next_own[j], self.next_other[j])) >= enough:
                found = NEVER if mover else YES
                self.note(key, turned, 1, found, i)
                return found
            count += 1
        if not self.passed[ply]:
            j = base + count
            self.next_own[j], self.next_other[j], self.next_ko[j] = own, other, 0
            self.moves[j], self.worth[j] = PASS, 0
            count += 1
        # 4. What the table knows of the positions after them: one may be enough, others need no search.
        result: cython.int = YES if mover else NEVER
        if depth >= 3:
            i = base
            for j in range(base, base + count):
                own, other = self.next_own[j], self.next_other[j]
                if mover:
                    known = self.key(other, own, self.next_ko[j], 0, self.moves[j] == PASS)
                else:
                    known = self.key(own, other, self.next_ko[j], 1, self.moves[j] == PASS)
                known = self.look(known)
                if known:
                    fails = cython.cast(cython.int, known & 63)
                    proves = cython.cast(cython.int, known >> 6 & 63)
                    found = YES if proves < depth else NEVER if fails == EVER else NO
                    if proves < depth or fails >= depth - 1:
                        if mover ^ (found == YES):
                            self.note(key, turned, depth, found, self.moves[j])
                            return found
                        if found == NO:
                            result = NO
                        continue
                self.next_own[i], self.next_other[i], self.next_ko[i] = own, other, self.next_ko[j]
                self.moves[i], self.worth[i] = self.moves[j], self.worth[j]
                i += 1
            count = i - base
        # 5. The best first.
        self.rank(ply, count, mover, first)
        move: cython.int = -1
        while count:
            j = i = base
            for j in range(base + 1, base + count):
                if self.worth[j] > self.worth[i]:
                    i = j
            move = self.moves[i]
            own, other = self.next_own[i], self.next_other[i]
            self.mine[ply + 1], self.theirs[ply + 1] = (other, own) if mover else (own, other)
            self.ko[ply + 1] = self.next_ko[i]
            self.passed[ply + 1] = move == PASS
            found = self.visit(ply + 1, depth - 1)
            if self.stopped:
                return NO
            if mover ^ (found == YES):
                self.prefer(ply, mover, move, depth)
                if self.low >= ply:
                    self.note(key, turned, depth, found, move)
                return found
            low = min(low, self.low)
            if found == NO:
                result = NO
            count -= 1
            j = base + count
            self.next_own[i], self.next_other[i], self.next_ko[i] = (
                self.next_own[j],
                self.next_other[j],
                self.next_ko[j],
            )
            self.moves[i], self.worth[i] = self.moves[j], self.worth[j]
        self.low = low
        if low >= ply:
            self.note(key, turned, depth, result, -1)
        return result

    # -- for people ----------------------------------------------------------------------------

    def read(self, stones, side: cython.int):
        """The stones of a side, as bits, from rows as `Go.stones()` gives them."""
        found: cython.ulonglong = 0
        x: cython.int
        y: cython.int
        for y in range(self.rows):
            for x in range(self.columns):
                if stones[self.rows - 1 - y][x] == "XO"[side]:
                    found |= ONE << (y * self.stride + x)
        return found

    def safe(self, stones, side: cython.int):
        """The stones of a side that live unconditionally, and all points that it keeps, as sets of (x, y).

        Columns are counted from 0 at the left, rows from 0 at the top, as in `stones`.
        """
        own: cython.ulonglong = self.read(stones, side)
        other: cython.ulonglong = self.read(stones, 1 - side)
        found = []
        for points in (self.alive(own, other), self.secure(own, other)):
            bits = [bit for bit in range(64) if points >> bit & 1]
            found.append({(bit % self.stride, self.rows - 1 - bit // self.stride) for bit in bits})
        return tuple(found)

    def proves(
        self,
        stones,
        turn: cython.int,
        attacker: cython.int,
        margin: cython.int,
        depth: cython.int,
        superko: cython.bint = False,
    ):
        """Can `attacker` force a lead of `margin` points by area within `depth` plies?

        stones: the rows from the top, as `Go.stones()`. turn, attacker: 0 Black, 1 White. depth: 1 to 62; it
        ends with a move of the attacker, so that one ply more than the least that proves it says the same.
        True; False, which says nothing of more plies; None where it was stopped.
        """
        found: cython.int
        if (attacker, margin, superko) != self.asked:
            self.clear()
            self.asked = (attacker, margin, superko)
        self.first = turn ^ attacker
        self.mine[0], self.theirs[0] = self.read(stones, attacker), self.read(stones, 1 - attacker)
        self.ko[0], self.passed[0] = 0, False
        self.margin = margin
        self.need = (margin + self.area + 1) // 2 if margin > -self.area else 0
        self.superko = superko
        # Where enough is safe already nothing needs to be searched.
        if popcount(self.secure(self.mine[0], self.theirs[0])) >= self.need:
            return True
        if popcount(self.secure(self.theirs[0], self.mine[0])) > self.area - self.need:
            return False
        with cython.nogil:
            found = self.visit(0, min(max(1, depth), PLIES))
        return None if self.stopped else found == YES
