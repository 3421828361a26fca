# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Go bitboards of up to 25 points: chains, regions, unconditional life.  Types: bitboard.pxd.

A set of points is a 64-bit integer, the lower left point the lowest bit: a row takes `stride` bits, one more
than there are columns, so that neighbours are found by shifts.

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
    """The rules on a small board. `play` and `ends` write the board after a move at the index `number`."""

    def __init__(self, columns: cython.int, rows: cython.int):
        """Raises Usage for a board too large."""
        if columns * rows > MOST:
            raise Usage(f"boards are solved up to {MOST} points, not {columns}x{rows}")
        self.columns, self.rows = columns, rows
        self.area = columns * rows
        self.stride = columns + 1
        self.symmetry = 0
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
        """The neighbours of these points, may include some of them."""
        return (points << 1 | points >> 1 | points << self.stride | points >> self.stride) & self.board

    @cython.final
    def flood(self, seed, within):
        """The connected component of `seed` within a set that contains it."""
        more: cython.ulonglong
        while True:
            more = (seed | self.near(seed)) & within
            if more == seed:
                return seed
            seed = more

    @cython.final
    def alive(self, own, other):
        """The unconditionally alive stones of `own` (Benson's algorithm)."""
        rest: cython.ulonglong = self.board & ~own
        region: cython.ulonglong
        empty: cython.ulonglong = rest & ~other
        alive: cython.ulonglong = own
        regions: cython.int = 0
        chains: cython.int = 0
        r: cython.int
        k: cython.int
        vital: cython.int
        # 1. The regions enclosed by the stones: a chain needs two vital ones.
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
        # 2. The chains, each with its neighbouring points.
        rest = own
        while rest:
            region = self.flood(rest & -rest, own)
            rest ^= region
            self.chains[chains] = region
            self.beside[chains] = self.near(region)
            chains += 1
        # 3. A region is vital to a chain whose liberties are all its empty points. Chains without two vital
        #    regions are removed, then the regions they border, until nothing changes.
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
        """The unconditional territory of `own`: living stones, and regions where `other` cannot live.

        A region has no room for two eyes if it has at most one point not adjacent to living stones, or two
        adjacent ones.
        """
        alive: cython.ulonglong = self.alive(own, other)
        self.living = alive
        if not alive:
            return 0
        safe: cython.ulonglong = alive
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
                safe |= region
        return safe

    @cython.final
    def lead(self, own, other):
        """The area of `own` minus that of `other` on the current board."""
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
        """Place a stone of `own` on an empty point, and store the resulting board. False: suicide."""
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
        """1 if this move makes `enough` points safe, -1 if it is illegal. `whole`: as above, before it."""
        beside: cython.ulonglong
        if not self.play(own, other, bit, number):
            return -1
        if whole:
            # The region stays connected if the point has at most one neighbour in it.
            beside = self.near(ONE << bit) & whole
            if not beside & (beside - 1):
                return 0
        return popcount(self.secure(self.next_own[number], self.next_other[number])) >= enough

    @cython.final
    def weigh(self, own, other, empty, first):
        """The weighted features of a side's stones; `first`: the index of the first weight."""
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

    # -- symmetries ------------------------------------------------------------------------------

    def draw(self):
        """Fill the tables of points and row codes under the eight symmetries."""
        x: cython.int
        y: cython.int
        symmetry: cython.int
        i: cython.size_t
        bit: cython.int
        for y in range(self.rows):
            for x in range(self.columns):
                bit = y * self.stride + x
                self.board |= ONE << bit
                if x == 0 or y == 0 or x == self.columns - 1 or y == self.rows - 1:
                    self.edge |= ONE << bit
                for symmetry in range(8):
                    # A rectangle has four symmetries, each twice.
                    column = self.columns - 1 - x if symmetry & 1 else x
                    row = self.rows - 1 - y if symmetry & 2 else y
                    if symmetry & 4 and self.columns == self.rows:
                        column, row = row, column
                    self.places[8 * bit + symmetry] = row * self.columns + column
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
                    for symmetry in range(8):
                        i = (y * patterns + pattern) * 8 + symmetry
                        self.codes[i] += digit * powers[self.places[8 * (y * self.stride + x) + symmetry]]

    @cython.final
    def key(self, own, other, ko, mover, passed):
        """The canonical key of a position: the least of eight codes; sets `symmetry`."""
        codes: cython.ulonglong[8]
        row: cython.int
        symmetry: cython.int
        i: cython.size_t
        mask: cython.ulonglong = (ONE << self.columns) - 1
        least: cython.ulonglong
        if not cython.compiled:
            codes = [0] * 8
        for symmetry in range(8):
            codes[symmetry] = 0
        for row in range(self.rows):
            i = cython.cast(cython.size_t, (own & mask) | (other & mask) << self.columns)
            i = (cython.cast(cython.size_t, row) << (2 * self.columns) | i) * 8
            for symmetry in range(8):
                codes[symmetry] += self.codes[i + symmetry]
            own >>= self.stride
            other >>= self.stride
        if ko:
            row = lowest(ko)
            for symmetry in range(8):
                codes[symmetry] |= cython.cast(cython.ulonglong, self.places[8 * row + symmetry] + 1) << 40
        least = codes[0]
        self.symmetry = 0
        for symmetry in range(1, 8):
            if codes[symmetry] < least:
                least = codes[symmetry]
                self.symmetry = symmetry
        return least | cython.cast(cython.ulonglong, 4 + 2 * passed + mover) << 45

    @cython.final
    def turned(self, points, symmetry):
        """The image of a set of points under a symmetry; those off the board are dropped."""
        code: cython.ulonglong = 0
        points &= self.board
        while points:
            code |= ONE << self.places[8 * lowest(points) + symmetry]
            points &= points - 1
        return code

    @cython.final
    def turned_back(self, code, symmetry):
        """The inverse of `turned`."""
        points: cython.ulonglong = 0
        rest: cython.ulonglong = self.board
        bit: cython.int
        while rest:
            bit = lowest(rest)
            rest &= rest - 1
            if code >> self.places[8 * bit + symmetry] & 1:
                points |= ONE << bit
        return points

    # -- for people ----------------------------------------------------------------------------

    def read(self, stones, side: cython.int):
        """The stones of a side, as bits, from rows as `Go.stones()` gives them."""
        bits: cython.ulonglong = 0
        x: cython.int
        y: cython.int
        for y in range(self.rows):
            for x in range(self.columns):
                if stones[self.rows - 1 - y][x] == "XO"[side]:
                    bits |= ONE << (y * self.stride + x)
        return bits

    def safe(self, stones, side: cython.int):
        """The unconditionally alive stones of a side, and its unconditional territory, as sets of (x, y).

        Columns are counted from 0 at the left, rows from 0 at the top, as in `stones`.
        """
        own: cython.ulonglong = self.read(stones, side)
        other: cython.ulonglong = self.read(stones, 1 - side)
        sets = []
        for points in (self.alive(own, other), self.secure(own, other)):
            bits = [bit for bit in range(64) if points >> bit & 1]
            sets.append({(bit % self.stride, self.rows - 1 - bit // self.stride) for bit in bits})
        return tuple(sets)
