# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Go bitboards of up to 25 points: chains, regions, unconditional life.  Types: bitboard.pxd.

A set of points is a 64-bit integer with the lower left point as the lowest bit. A row takes `stride` bits,
one more than there are columns, so that shifts give neighbours.

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

MAX_POINTS = 25  # points: the key of a position fills 48 bits


class GoBitboard:
    """The rules on a small board. `place_stone` and `secures` write the board after a move at `index`."""

    def __init__(self, columns: cython.int, rows: cython.int):
        """Raises Usage for a board too large."""
        if columns * rows > MAX_POINTS:
            raise Usage(f"boards are solved up to {MAX_POINTS} points, not {columns}x{rows}")
        self.columns, self.rows = columns, rows
        self.area = columns * rows
        self.stride = columns + 1
        self.symmetry = 0
        if not cython.compiled:
            self.transformed_index, self.weights = [0] * 512, [0] * 34
            self.next_own, self.next_other, self.next_ko, self.moves = ([0] * 4096 for _ in range(4))
            self.regions, self.chains, self.chain_neighbours = ([0] * 32 for _ in range(3))
        self.board = self.edge = 0
        self.init_tables()

    def __dealloc__(self):
        PyMem_Free(self.row_codes)

    # -- the board -----------------------------------------------------------------------------

    @cython.final
    def neighbours(self, points):
        """The neighbours of these points; may include some of them."""
        return (points << 1 | points >> 1 | points << self.stride | points >> self.stride) & self.board

    @cython.final
    def flood(self, seed, within):
        """The connected component of `seed` within a set that contains it."""
        more: cython.ulonglong
        while True:
            more = (seed | self.neighbours(seed)) & within
            if more == seed:
                return seed
            seed = more

    @cython.final
    def alive(self, own, other):
        """The unconditionally alive stones of `own` (Benson's algorithm)."""
        remaining: cython.ulonglong = self.board & ~own
        region: cython.ulonglong
        empty: cython.ulonglong = remaining & ~other
        alive: cython.ulonglong = own
        regions: cython.int = 0
        chains: cython.int = 0
        r: cython.int
        k: cython.int
        vital: cython.int
        # 1. The regions enclosed by the stones: a chain needs two vital ones.
        if not remaining:
            return 0
        region = self.flood(remaining & -remaining, remaining)
        if region == remaining:
            return 0
        while True:
            self.regions[regions] = region
            regions += 1
            remaining ^= region
            if not remaining:
                break
            region = self.flood(remaining & -remaining, remaining)
        # 2. The chains, each with its neighbouring points.
        remaining = own
        while remaining:
            region = self.flood(remaining & -remaining, own)
            remaining ^= region
            self.chains[chains] = region
            self.chain_neighbours[chains] = self.neighbours(region)
            chains += 1
        # 3. A region is vital to a chain whose liberties are all its empty points. Chains without two vital
        #    regions are removed, then the regions they border, until nothing changes.
        while True:
            remaining = alive
            for k in range(chains):
                if not self.chains[k] & alive:
                    continue
                vital = 0
                for r in range(regions):
                    if not self.regions[r] & empty & ~self.chain_neighbours[k]:
                        vital += 1
                if vital < 2:
                    alive &= ~self.chains[k]
            if alive == remaining or not alive:
                return alive
            k = 0
            for r in range(regions):
                if not self.neighbours(self.regions[r]) & own & ~alive:
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
        self.living_stones = alive
        if not alive:
            return 0
        territory: cython.ulonglong = alive
        liberties: cython.ulonglong = self.neighbours(alive)
        rest: cython.ulonglong = self.board & ~alive
        region: cython.ulonglong
        inner: cython.ulonglong
        while rest:
            region = self.flood(rest & -rest, rest)
            rest ^= region
            inner = region & ~liberties
            if not inner & (inner - 1) or (
                popcount(inner) == 2 and inner & ~other and inner == self.flood(inner & -inner, inner)
            ):
                territory |= region
        return territory

    @cython.final
    def area_lead(self, own, other):
        """The area of `own` minus that of `other` on the current board."""
        total: cython.int = popcount(own) - popcount(other)
        rest: cython.ulonglong = self.board & ~(own | other)
        region: cython.ulonglong
        neighbours: cython.ulonglong
        while rest:
            region = self.flood(rest & -rest, rest)
            rest ^= region
            neighbours = self.neighbours(region)
            if not neighbours & other and neighbours & own:
                total += popcount(region)
            elif not neighbours & own and neighbours & other:
                total -= popcount(region)
        return total

    @cython.final
    def place_stone(self, own, other, bit, index):
        """Place a stone of `own` on an empty point, and store the resulting board. False: suicide."""
        stone: cython.ulonglong = ONE << bit
        neighbours: cython.ulonglong = self.neighbours(stone)
        empty: cython.ulonglong
        captured: cython.ulonglong = 0
        rest: cython.ulonglong = neighbours & other
        chain: cython.ulonglong
        connects: cython.bint = neighbours & own != 0
        has_liberty: cython.bint
        own |= stone
        empty = self.board & ~(own | other)
        has_liberty = neighbours & empty != 0
        while rest:
            chain = self.flood(rest & -rest, other)
            rest &= ~chain
            if not self.neighbours(chain) & empty:
                captured |= chain
        if (
            not captured
            and not has_liberty
            and (not connects or not self.neighbours(self.flood(stone, own)) & empty)
        ):
            return False
        self.next_own[index] = own
        self.next_other[index] = other & ~captured
        self.next_ko[index] = (
            captured if not captured & (captured - 1) and not connects and not has_liberty else 0
        )
        self.moves[index] = bit
        return True

    @cython.final
    def single_region(self, own):
        """The points without a stone of `own` if they are one region, else 0."""
        rest: cython.ulonglong = self.board & ~own
        return rest if self.flood(rest & -rest, rest) == rest else 0

    @cython.final
    def secures(self, own, other, bit, index, region, required):
        """1 if a move secures `required` points, else 0; -1: illegal. region: `single_region` before it."""
        neighbours: cython.ulonglong
        if not self.place_stone(own, other, bit, index):
            return -1
        if region:
            # The region stays connected if the point has at most one neighbour in it.
            neighbours = self.neighbours(ONE << bit) & region
            if not neighbours & (neighbours - 1):
                return 0
        return popcount(self.secure(self.next_own[index], self.next_other[index])) >= required

    @cython.final
    def weighted_features(self, own, other, empty, first):
        """The weighted features of a side's stones; `first`: the index of the first weight."""
        liberties: cython.ulonglong = self.neighbours(own) & empty
        rest: cython.ulonglong = own
        chain: cython.ulonglong
        chain_liberties: cython.ulonglong
        chains: cython.int = 0
        atari_chains: cython.int = 0
        atari_stones: cython.int = 0
        regions: cython.int = 0
        while rest:
            chain = self.flood(rest & -rest, own)
            rest ^= chain
            chains += 1
            chain_liberties = self.neighbours(chain) & empty
            if not chain_liberties & (chain_liberties - 1):
                atari_chains += 1
                atari_stones += popcount(chain)
        rest = self.board & ~own
        while rest:
            rest &= ~self.flood(rest & -rest, rest)
            regions += 1
        return (
            popcount(own) * self.weights[first]
            + popcount(liberties) * self.weights[first + 1]
            + popcount(liberties & ~self.neighbours(other)) * self.weights[first + 2]
            + popcount(own & self.edge) * self.weights[first + 3]
            + chains * self.weights[first + 4]
            + atari_chains * self.weights[first + 5]
            + atari_stones * self.weights[first + 6]
            + regions * self.weights[first + 7]
        )

    # -- symmetries ------------------------------------------------------------------------------

    def init_tables(self):
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
                    self.transformed_index[8 * bit + symmetry] = row * self.columns + column
        patterns: cython.int = 1 << (2 * self.columns)
        pattern: cython.int
        digit: cython.ulonglong
        count: cython.size_t = 8 * patterns * self.rows
        powers: cython.ulonglong[25]
        if cython.compiled:
            self.row_codes = cython.cast(cython.p_ulonglong, zeroed(count, 8))
        else:
            self.row_codes = [0] * count
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
                        self.row_codes[i] += (
                            digit * powers[self.transformed_index[8 * (y * self.stride + x) + symmetry]]
                        )

    @cython.final
    def key(self, own, other, ko, mover, passed):
        """The canonical key of a position: the minimum of eight codes; sets `symmetry`."""
        codes: cython.ulonglong[8]
        row: cython.int
        symmetry: cython.int
        i: cython.size_t
        mask: cython.ulonglong = (ONE << self.columns) - 1
        canonical: cython.ulonglong
        if not cython.compiled:
            codes = [0] * 8
        for symmetry in range(8):
            codes[symmetry] = 0
        for row in range(self.rows):
            i = cython.cast(cython.size_t, (own & mask) | (other & mask) << self.columns)
            i = (cython.cast(cython.size_t, row) << (2 * self.columns) | i) * 8
            for symmetry in range(8):
                codes[symmetry] += self.row_codes[i + symmetry]
            own >>= self.stride
            other >>= self.stride
        if ko:
            row = lowest(ko)
            for symmetry in range(8):
                codes[symmetry] |= (
                    cython.cast(cython.ulonglong, self.transformed_index[8 * row + symmetry] + 1) << 40
                )
        canonical = codes[0]
        self.symmetry = 0
        for symmetry in range(1, 8):
            if codes[symmetry] < canonical:
                canonical = codes[symmetry]
                self.symmetry = symmetry
        return canonical | cython.cast(cython.ulonglong, 4 + 2 * passed + mover) << 45

    @cython.final
    def transform(self, points, symmetry):
        """The image of a set of points under a symmetry; those off the board are dropped."""
        image: cython.ulonglong = 0
        points &= self.board
        while points:
            image |= ONE << self.transformed_index[8 * lowest(points) + symmetry]
            points &= points - 1
        return image

    @cython.final
    def inverse_transform(self, image, symmetry):
        """The inverse of `transform`."""
        points: cython.ulonglong = 0
        rest: cython.ulonglong = self.board
        bit: cython.int
        while rest:
            bit = lowest(rest)
            rest &= rest - 1
            if image >> self.transformed_index[8 * bit + symmetry] & 1:
                points |= ONE << bit
        return points

    # -- for people ----------------------------------------------------------------------------

    def parse_stones(self, stones, side: cython.int):
        """The stones of a side, as bits, from rows as `Go.stones()` gives them."""
        bits: cython.ulonglong = 0
        x: cython.int
        y: cython.int
        for y in range(self.rows):
            for x in range(self.columns):
                if stones[self.rows - 1 - y][x] == "XO"[side]:
                    bits |= ONE << (y * self.stride + x)
        return bits

    def safe_points(self, stones, side: cython.int):
        """The unconditionally alive stones of a side, and its unconditional territory, as sets of (x, y).

        Columns are counted from 0 at the left, rows from 0 at the top, as in `stones`.
        """
        own: cython.ulonglong = self.parse_stones(stones, side)
        other: cython.ulonglong = self.parse_stones(stones, 1 - side)
        sets = []
        for points in (self.alive(own, other), self.secure(own, other)):
            bits = [bit for bit in range(64) if points >> bit & 1]
            sets.append({(bit % self.stride, self.rows - 1 - bit // self.stride) for bit in bits})
        return tuple(sets)
