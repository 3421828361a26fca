# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The board of Go: stones, chains and the area, on up to 19x19 points.  C types: board.pxd.

A point is a number, and so is a move. One point of edge stands before each row, and rows of edge below and
above, so that the neighbours of a point p are p - 1, p + 1, p - stride and p + stride, and nothing wraps:

        - - - - -         stride = columns + 1
    4   - . . . .         A1 is stride + 1
    3   - . . . .         0, a point of the edge, is the move `pass`
    2   - . . . .
    1   - 6 7 8 9
        - - - - -
          A B C D

A chain is a circular list of stones, one of which is its name. Its liberties are kept as three sums over all
pairs of a stone and an empty neighbour (pseudo-liberties): the number of pairs, the sum of the neighbours and
of their squares. The chain is in atari exactly if sum * sum = pairs * squares (Cauchy and Schwarz), and then
its liberty is sum / pairs: no list of liberties is needed (as in Lukasz Lew's libEGO). Empty points and the
edge belong to chain 0, whose sums are meaningless: so a move updates its four neighbours without a branch.
A move is undone by copying back the board before it.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.go import notation
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.gameplay.native.hashing import splitmix
    from cython.cimports.libc.stdlib import abort, calloc, free, realloc
    from cython.cimports.libc.string import memcpy
else:
    from gameplay.native.hashing import splitmix

LISTS = cython.declare(cython.int, 12)  # of shorts in the block of the board: eight, and two of ints
UNIT = cython.declare(cython.int, 10)  # of a point

if not cython.compiled:
    ZOBRIST = [0] * 1403
    POINTS, KO, MOVER, PASSED = 440, 880, 1400, 1401
    EMPTY, BLACK, WHITE, EDGE = range(4)
    PASS, VACANT, SEEN = 0, 256, 4095

    class Recollection:
        """The state outside the board that a move changes."""

        def __init__(self):
            self.zobrist = self.free = self.banned = self.passed = self.last = self.before = 0
            self.cycles = self.turn = 0
            self.caught = [0, 0]


for _i in range(1403):
    ZOBRIST[_i] = splitmix(_i)


class GoStones(Kernel):
    """The stones, and the boards before each move."""

    def __init__(self, columns: cython.int, rows: cython.int):
        self.columns, self.rows = columns, rows
        self.area = self.columns * self.rows
        Kernel.__init__(self, self.area + 1)
        self.stride = self.columns + 1
        self.cells = self.stride * (self.rows + 2) + 1
        self.words = LISTS * self.cells
        self.room = 0
        number: cython.int
        if cython.compiled:
            size_of: cython.size_t = cython.sizeof(cython.int)
            self.block = cython.cast(cython.p_short, calloc(self.words, cython.sizeof(cython.short)))
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
            self.empties = self.libs + self.cells
            self.where = self.empties + self.cells
            self.sums = cython.cast(cython.p_int, self.where + self.cells)
            self.squares = self.sums + self.cells
        else:
            self.seen = [0] * (SEEN + 1)
            self.shelf, self.past, self.keys = [], [], []
            self.offsets, self.caught = [0] * 8, [0, 0]
            lists = [[0] * self.cells for _ in range(15)]
            self.colour, self.around, self.chain, self.link, self.length, *lists = lists
            self.libs, self.sums, self.squares, self.empties, self.where, *lists = lists
            self.order, self.mark, self.walk, self.picks, self.shares = lists
        self.marks = 0
        for number, offset in enumerate((1, self.stride, -1, -self.stride)):
            self.offsets[number] = offset
            self.offsets[4 + number] = offset + (1, self.stride, -1, -self.stride)[(number + 1) % 4]
        for number, point in enumerate(notation.outwards(self.columns, self.rows)):
            self.order[number] = point

    def __dealloc__(self):
        free(self.block)
        free(self.order)
        free(self.seen)
        free(self.shelf)
        free(self.past)
        free(self.keys)

    # -- history -----------------------------------------------------------------------------------

    @cython.final
    def grow(self):
        """Extend the undo stack."""
        if self.ply + 2 < self.room:
            return
        self.room = 2 * self.room + 64
        if cython.compiled:
            bytes_of: cython.size_t = self.words * cython.sizeof(cython.short)
            shelf: cython.p_short = cython.cast(cython.p_short, realloc(self.shelf, self.room * bytes_of))
            past: cython.pointer(Past) = cython.cast(
                cython.pointer(Past), realloc(self.past, self.room * cython.sizeof(Past))
            )
            keys: cython.p_ulonglong = cython.cast(
                cython.p_ulonglong, realloc(self.keys, self.room * cython.sizeof(cython.ulonglong))
            )
            if shelf == cython.NULL or past == cython.NULL or keys == cython.NULL:
                abort()  # no exception can be raised in the middle of a search
            self.shelf, self.past, self.keys = shelf, past, keys
        else:
            more = self.room - len(self.past)
            self.shelf += [None] * more
            self.keys += [0] * more
            self.past += [Recollection() for _ in range(more)]

    @cython.final
    def save_state(self):
        """Save the state before the next move."""
        if self.ply + 2 >= self.room:
            self.grow()
        if cython.compiled:
            at: cython.size_t = self.ply
            memcpy(self.shelf + at * self.words, self.block, self.words * cython.sizeof(cython.short))
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

    @cython.final
    def restore_state(self):
        """Restore the state that save_state() saved."""
        if cython.compiled:
            at: cython.size_t = self.ply
            memcpy(self.block, self.shelf + at * self.words, self.words * cython.sizeof(cython.short))
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

    @cython.final
    def stood(self, ply, p):
        """The colour of a point after `ply` moves, at most those made."""
        if ply == self.ply:
            return self.colour[p]
        if cython.compiled:
            return self.shelf[cython.cast(cython.size_t, ply) * self.words + p]
        else:
            return self.shelf[ply][0][p]

    # -- chains ------------------------------------------------------------------------------------

    @cython.final
    def clear(self):
        """An empty board."""
        p: cython.int
        direction: cython.int
        i: cython.int
        for p in range(self.cells):
            self.colour[p] = EDGE
            self.around[p] = self.chain[p] = 0
        for i in range(self.area):
            p = self.order[i]
            self.colour[p] = EMPTY
            self.empties[i] = p
            self.where[p] = i
        for i in range(self.area):
            p = self.order[i]
            for direction in range(4):
                self.around[p] += VACANT if self.colour[p + self.offsets[direction]] == EMPTY else BLACK + 16
        self.free = self.area
        self.zobrist = 0
        self.banned = self.passed = self.last = self.before = self.cycles = self.ply = 0
        self.caught[0] = self.caught[1] = 0

    @cython.final
    def place(self, p, c):
        """Put a stone of colour c on the empty point p and remove captured chains."""
        step: cython.int = (15 * c - 14) - VACANT
        square: cython.int = p * p
        sums: cython.int = 0
        squares: cython.int = 0
        taken: cython.int = 0
        ko: cython.int = 0
        lost: cython.int = 0  # bit n: a chain of colour n lost its last liberty
        own: cython.int = 0  # the chain of the new stone
        direction: cython.int
        # 1. Neighbouring chains lose the point as a liberty; the new stone has its empty neighbours.
        self.free -= 1
        q: cython.int = self.empties[self.free]
        k: cython.int = self.where[p]
        self.empties[k] = q
        self.where[q] = k
        self.zobrist ^= ZOBRIST[POINTS * (c - 1) + p]
        self.colour[p] = c
        for direction in range(4):
            q = p + self.offsets[direction]
            self.around[q] += step
            k = self.chain[q]
            self.libs[k] -= 1
            self.sums[k] -= p
            self.squares[k] -= square
            lost |= (self.libs[k] == 0) << self.colour[q]
            k = q * (self.colour[q] == EMPTY)
            sums += k
            squares += k * k
        # 2. The stone joins its neighbours.
        if self.around[p] & (15 if c == BLACK else 240):
            for direction in range(4):
                q = p + self.offsets[direction]
                k = self.chain[q]
                if self.colour[q] != c or k == own:
                    continue
                if own:
                    own = self.join(k, own)
                    continue
                own = self.chain[p] = k
                self.link[p] = self.link[k]
                self.link[k] = p
                self.length[k] += 1
                self.libs[k] += self.around[p] // VACANT
                self.sums[k] += sums
                self.squares[k] += squares
        if not own:
            own = self.chain[p] = self.link[p] = p
            self.length[p] = 1
            self.libs[p] = self.around[p] // VACANT
            self.sums[p] = sums
            self.squares[p] = squares
        # 3. Remove chains of the other colour without liberties.
        if lost >> (3 - c) & 1:
            for direction in range(4):
                q = p + self.offsets[direction]
                if self.colour[q] == 3 - c and self.libs[self.chain[q]] == 0:
                    taken += self.remove(q)
                    ko = q
        # 4. Suicide: the own chain has no liberty.
        if self.libs[own] == 0:
            self.remove(p)
        self.banned = ko if taken == 1 and self.length[own] == 1 and self.libs[own] == 1 else 0
        self.libs[0] = self.sums[0] = self.squares[0] = 0

    @cython.final
    def remove(self, p):
        """Remove the chain of p from the board; return its number of stones."""
        c: cython.int = self.colour[p]
        step: cython.int = VACANT - (15 * c - 14)
        s: cython.int = p
        direction: cython.int
        count: cython.int = 0
        while True:
            square: cython.int = s * s
            self.colour[s] = EMPTY
            self.chain[s] = 0
            self.zobrist ^= ZOBRIST[POINTS * (c - 1) + s]
            self.empties[self.free] = s
            self.where[s] = self.free
            self.free += 1
            for direction in range(4):
                q: cython.int = s + self.offsets[direction]
                k: cython.int = self.chain[q]
                self.around[q] += step
                self.libs[k] += 1
                self.sums[k] += s
                self.squares[k] += square
            count += 1
            s = self.link[s]
            if s == p:
                break
        self.caught[2 - c] += count
        return count

    @cython.final
    def join(self, one, other):
        """Merge two chains under the name of the longer one, which is returned."""
        if self.length[one] < self.length[other]:
            q: cython.int = one
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
        return one

    # -- area --------------------------------------------------------------------------------------

    @cython.final
    def balance(self):
        """Black's area minus White's."""
        total: cython.int = 0
        i: cython.int
        p: cython.int
        for p in range(self.cells):
            total += (self.colour[p] == BLACK) - (self.colour[p] == WHITE)
        self.marks += 1
        for i in range(self.free):
            p = self.empties[i]
            if self.around[p] < VACANT:  # no empty neighbour: all 4 are one side's or the edge
                total += (self.around[p] & 15 == 4) - (self.around[p] >> 4 == 4)
            elif self.mark[p] != self.marks:
                region: cython.int = self.fill(p)
                if region & 3 == 1:
                    total += region >> 2
                elif region & 3 == 2:
                    total -= region >> 2
        return total

    @cython.final
    def fill(self, p):
        """Mark the empty region of p; return 4 * its size, + 1 if it touches Black, + 2 if White."""
        count: cython.int = 1
        colours: cython.int = 0
        at: cython.int = 0
        direction: cython.int
        self.walk[0] = p
        self.mark[p] = self.marks
        while at < count:
            p = self.walk[at]
            at += 1
            for direction in range(4):
                q: cython.int = p + self.offsets[direction]
                if self.colour[q] == EMPTY:
                    if self.mark[q] != self.marks:
                        self.mark[q] = self.marks
                        self.walk[count] = q
                        count += 1
                elif self.colour[q] != EDGE:
                    colours |= self.colour[q]
        return 4 * count + colours

    @cython.final
    def settle(self):
        """Write each player's payoff."""
        lead: cython.int = self.margin() if self.passed > 1 else 0
        if not self.counted:
            lead = 2 * ((lead > 0) - (lead < 0))
        self.gains[0] = UNIT // 2 * lead
        self.gains[1] = -self.gains[0]

    def margin(self):
        """Black's lead in half points if the game ended now."""
        return 2 * self.balance() - self.halves

    @cython.final
    def share_out(self):
        """Add the owner of each point on the current board to `shares`."""
        i: cython.int
        k: cython.int
        self.marks += 1
        for i in range(self.area):
            p: cython.int = self.order[i]
            if self.colour[p] == EMPTY and self.mark[p] != self.marks:
                region: cython.int = self.fill(p)
                for k in range(region >> 2):
                    self.shares[self.walk[k]] += (region & 3 == 1) - (region & 3 == 2)
            elif self.colour[p] != EMPTY:
                self.shares[p] += 3 - 2 * self.colour[p]
