# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Go boards of up to 25 points as sets of bits: chains, regions, life.  Types: bitboard.pxd.

A set of points is a number of 64 bits, the lower left point the lowest: a row takes `stride` bits, one more
than there are columns, so that neighbours are reached by shifts.

Unconditional life: D. B. Benson, Life in the game of Go, 1976. `secure` is the "unconditional territory" of
van der Werf, van den Herik and Uiterwijk, Solving Go on small boards, 2003.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.errors import Usage

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import zeroed
    from cython.cimports.gameplay.native.bits import ONE, lowest, popcount
else:
    from gameplay.native.bits import ONE, lowest, popcount

MOST = 25  # points: the key of a position fills 48 bits


class GoBitboard:
    """The rules on a small board. `play` and `ends` write the board after a move to a numbered place."""

    def __init__(self, columns: cython.int, rows: cython.int):
        """Raises Usage for a board too large."""
        if columns * rows > MOST:
            raise Usage(f"boards are solved up to {MOST} points, not {columns}x{rows}")
        self.columns, self.rows = columns, rows
        self.area = columns * rows
        self.stride = columns + 1
        self.lie = 0
        if not cython.compiled:
            self.places, self.weights = [0] * 512, [0] * 34
            self.next_own, self.next_other, self.next_ko, self.moves = ([0] * 4096 for _ in range(4))
            self.regions, self.chains, self.beside = ([0] * 32 for _ in range(3))
        self.board = self.edge = 0
        self.draw()

    def __dealloc__(self):
        PyMem_Free(self.codes)

    # -- the board -----------------------------------------------------------------------------

    @cython.final
    def near(self, points):
        """The points beside these, some of these among them."""
        return (points << 1 | points >> 1 | points << self.stride | points >> self.stride) & self.board

    @cython.final
    def flood(self, seed, within):
        """What is joined to `seed` within a set that holds it."""
        more: cython.ulonglong
        while True:
            more = (seed | self.near(seed)) & within
            if more == seed:
                return seed
            seed = more

    @cython.final
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

    @cython.final
    def secure(self, own, other):
        """The points that `own` keeps: stones that live, and regions between them where `other` cannot.

        A region has no room for two eyes if its points not beside living stones are none, one, or two
        adjacent ones.
        """
        alive: cython.ulonglong = self.alive(own, other)
        self.living = alive
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

    @cython.final
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

    @cython.final
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
        return True

    @cython.final
    def whole(self, own):
        """The points without a stone of `own`, if they are one region; else 0."""
        rest: cython.ulonglong = self.board & ~own
        return rest if self.flood(rest & -rest, rest) == rest else 0

    @cython.final
    def ends(self, own, other, bit, number, whole, enough):
        """Does this stone make so many points safe? -1: it is illegal. `whole`: as above, before it."""
        beside: cython.ulonglong
        if not self.play(own, other, bit, number):
            return -1
        if whole:
            # It leaves one region still where it has one neighbour, or none, in the whole.
            beside = self.near(ONE << bit) & whole
            if not beside & (beside - 1):
                return 0
        return popcount(self.secure(self.next_own[number], self.next_other[number])) >= enough

    @cython.final
    def weigh(self, own, other, empty, first):
        """The stones of a side and what they have, weighed with the weights from this place on."""
        beside: cython.ulonglong = self.near(own) & empty
        rest: cython.ulonglong = own
        chain: cython.ulonglong
        free: cython.ulonglong
        chains: cython.int = 0
        few: cython.int = 0
        stones: cython.int = 0
        regions: cython.int = 0
        while rest:
            chain = self.flood(rest & -rest, own)
            rest ^= chain
            chains += 1
            free = self.near(chain) & empty
            if not free & (free - 1):
                few += 1
                stones += popcount(chain)
        rest = self.board & ~own
        while rest:
            rest &= ~self.flood(rest & -rest, rest)
            regions += 1
        return (
            popcount(own) * self.weights[first]
            + popcount(beside) * self.weights[first + 1]
            + popcount(beside & ~self.near(other)) * self.weights[first + 2]
            + popcount(own & self.edge) * self.weights[first + 3]
            + chains * self.weights[first + 4]
            + few * self.weights[first + 5]
            + stones * self.weights[first + 6]
            + regions * self.weights[first + 7]
        )

    # -- turned and mirrored boards --------------------------------------------------------------

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
                if x == 0 or y == 0 or x == self.columns - 1 or y == self.rows - 1:
                    self.edge |= ONE << bit
                for way in range(8):
                    # A rectangle has four ways, each twice.
                    left = self.columns - 1 - x if way & 1 else x
                    low = self.rows - 1 - y if way & 2 else y
                    if way & 4 and self.columns == self.rows:
                        left, low = low, left
                    self.places[8 * bit + way] = low * self.columns + left
        patterns: cython.int = 1 << (2 * self.columns)
        pattern: cython.int
        digit: cython.ulonglong
        count: cython.size_t = 8 * patterns * self.rows
        powers: cython.ulonglong[25]
        if cython.compiled:
            self.codes = cython.cast(cython.p_ulonglong, zeroed(count, 8))
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

    @cython.final
    def key(self, mine, theirs, ko, mover, passed):
        """What stands for a position, however its board lies: the least of eight codes, of the way `lie`."""
        codes: cython.ulonglong[8]
        row: cython.int
        way: cython.int
        i: cython.size_t
        mask: cython.ulonglong = (ONE << self.columns) - 1
        least: cython.ulonglong
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
        least = codes[0]
        self.lie = 0
        for way in range(1, 8):
            if codes[way] < least:
                least = codes[way]
                self.lie = way
        return least | cython.cast(cython.ulonglong, 4 + 2 * passed + mover) << 45

    @cython.final
    def turned(self, points, way):
        """Points as a bit each of the board that lies this way; those off the board are left out."""
        found: cython.ulonglong = 0
        points &= self.board
        while points:
            found |= ONE << self.places[8 * lowest(points) + way]
            points &= points - 1
        return found

    @cython.final
    def turned_back(self, code, way):
        """The points that `turned` made this of."""
        found: cython.ulonglong = 0
        rest: cython.ulonglong = self.board
        bit: cython.int
        while rest:
            bit = lowest(rest)
            rest &= rest - 1
            if code >> self.places[8 * bit + way] & 1:
                found |= ONE << bit
        return found

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
