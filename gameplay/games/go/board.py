# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The board of Go: stones, chains and the area, on up to 19x19 points.  C types: board.pxd.

A point is a number, and so is a move. An edge point precedes each row, with edge rows below and above, so
that the neighbours of a point p are p - 1, p + 1, p - stride and p + stride, and nothing wraps:

        - - - - -         stride = columns + 1
    4   - . . . .         A1 is stride + 1
    3   - . . . .         0, a point of the edge, is the move `pass`
    2   - . . . .
    1   - 6 7 8 9
        - - - - -
          A B C D

A chain is a circular list of stones, one of which is its root. Its liberties are kept as three sums over all
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
    PASS, EMPTY_NEIGHBOUR, KEY_MASK = 0, 256, 4095

    class GoUndoState:
        """The state outside the board that a move changes."""

        def __init__(self):
            self.zobrist = self.empty_count = self.ko_point = self.passes = self.last_move = (
                self.previous_move
            ) = 0
            self.repetitions = self.turn = 0
            self.captured = [0, 0]


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
        self.block_size = LISTS * self.cells
        self.undo_capacity = 0
        number: cython.int
        if cython.compiled:
            size_of: cython.size_t = cython.sizeof(cython.int)
            self.block = cython.cast(cython.p_short, calloc(self.block_size, cython.sizeof(cython.short)))
            self.centre_order = cython.cast(cython.p_int, calloc(5 * self.cells, size_of))
            self.key_counts = cython.cast(cython.p_int, calloc(KEY_MASK + 1, size_of))
            if (
                self.block == cython.NULL
                or self.centre_order == cython.NULL
                or self.key_counts == cython.NULL
            ):
                raise MemoryError
            self.mark = self.centre_order + self.cells
            self.queue = self.mark + self.cells
            self.candidates = self.queue + self.cells
            self.ownership_counts = self.candidates + self.cells
            self.colour = self.block
            self.neighbour_counts = self.colour + self.cells
            self.chain = self.neighbour_counts + self.cells
            self.next_stone = self.chain + self.cells
            self.length = self.next_stone + self.cells
            self.pseudo_liberties = self.length + self.cells
            self.empty_points = self.pseudo_liberties + self.cells
            self.empty_index = self.empty_points + self.cells
            self.liberty_sums = cython.cast(cython.p_int, self.empty_index + self.cells)
            self.liberty_squares = self.liberty_sums + self.cells
        else:
            self.key_counts = [0] * (KEY_MASK + 1)
            self.saved_boards, self.undo_stack, self.superko_keys = [], [], []
            self.offsets, self.captured = [0] * 8, [0, 0]
            lists = [[0] * self.cells for _ in range(15)]
            self.colour, self.neighbour_counts, self.chain, self.next_stone, self.length, *lists = lists
            (
                self.pseudo_liberties,
                self.liberty_sums,
                self.liberty_squares,
                self.empty_points,
                self.empty_index,
                *lists,
            ) = lists
            self.centre_order, self.mark, self.queue, self.candidates, self.ownership_counts = lists
        self.current_mark = 0
        for number, offset in enumerate((1, self.stride, -1, -self.stride)):
            self.offsets[number] = offset
            self.offsets[4 + number] = offset + (1, self.stride, -1, -self.stride)[(number + 1) % 4]
        for number, point in enumerate(notation.outwards(self.columns, self.rows)):
            self.centre_order[number] = point

    def __dealloc__(self):
        free(self.block)
        free(self.centre_order)
        free(self.key_counts)
        free(self.saved_boards)
        free(self.undo_stack)
        free(self.superko_keys)

    # -- history -----------------------------------------------------------------------------------

    @cython.final
    def grow_undo_stack(self):
        """Extend the undo stack."""
        if self.ply + 2 < self.undo_capacity:
            return
        self.undo_capacity = 2 * self.undo_capacity + 64
        if cython.compiled:
            bytes_of: cython.size_t = self.block_size * cython.sizeof(cython.short)
            shelf: cython.p_short = cython.cast(
                cython.p_short, realloc(self.saved_boards, self.undo_capacity * bytes_of)
            )
            past: cython.pointer(UndoState) = cython.cast(
                cython.pointer(UndoState),
                realloc(self.undo_stack, self.undo_capacity * cython.sizeof(UndoState)),
            )
            keys: cython.p_ulonglong = cython.cast(
                cython.p_ulonglong,
                realloc(self.superko_keys, self.undo_capacity * cython.sizeof(cython.ulonglong)),
            )
            if shelf == cython.NULL or past == cython.NULL or keys == cython.NULL:
                abort()  # no exception can be raised in the middle of a search
            self.saved_boards, self.undo_stack, self.superko_keys = shelf, past, keys
        else:
            more = self.undo_capacity - len(self.undo_stack)
            self.saved_boards += [None] * more
            self.superko_keys += [0] * more
            self.undo_stack += [GoUndoState() for _ in range(more)]

    @cython.final
    def save_state(self):
        """Save the state before the next move."""
        if self.ply + 2 >= self.undo_capacity:
            self.grow_undo_stack()
        if cython.compiled:
            at: cython.size_t = self.ply
            memcpy(
                self.saved_boards + at * self.block_size,
                self.block,
                self.block_size * cython.sizeof(cython.short),
            )
        else:
            self.saved_boards[self.ply] = [
                list(each)
                for each in (
                    *(self.colour, self.neighbour_counts, self.chain, self.next_stone, self.length),
                    *(
                        self.pseudo_liberties,
                        self.liberty_sums,
                        self.liberty_squares,
                        self.empty_points,
                        self.empty_index,
                    ),
                )
            ]
        self.undo_stack[self.ply].zobrist = self.zobrist
        self.undo_stack[self.ply].empty_count = self.empty_count
        self.undo_stack[self.ply].ko_point = self.ko_point
        self.undo_stack[self.ply].passes = self.passes
        self.undo_stack[self.ply].last_move = self.last_move
        self.undo_stack[self.ply].previous_move = self.previous_move
        self.undo_stack[self.ply].repetitions = self.repetitions
        self.undo_stack[self.ply].turn = self.turn
        self.undo_stack[self.ply].captured[0] = self.captured[0]
        self.undo_stack[self.ply].captured[1] = self.captured[1]

    @cython.final
    def restore_state(self):
        """Restore the state that save_state() saved."""
        if cython.compiled:
            at: cython.size_t = self.ply
            memcpy(
                self.block,
                self.saved_boards + at * self.block_size,
                self.block_size * cython.sizeof(cython.short),
            )
        else:
            saved = self.saved_boards[self.ply]
            self.colour[:], self.neighbour_counts[:], self.chain[:], self.next_stone[:], self.length[:] = (
                saved[:5]
            )
            (
                self.pseudo_liberties[:],
                self.liberty_sums[:],
                self.liberty_squares[:],
                self.empty_points[:],
                self.empty_index[:],
            ) = saved[5:]
        self.zobrist = self.undo_stack[self.ply].zobrist
        self.empty_count = self.undo_stack[self.ply].empty_count
        self.ko_point = self.undo_stack[self.ply].ko_point
        self.passes = self.undo_stack[self.ply].passes
        self.last_move = self.undo_stack[self.ply].last_move
        self.previous_move = self.undo_stack[self.ply].previous_move
        self.repetitions = self.undo_stack[self.ply].repetitions
        self.turn = self.undo_stack[self.ply].turn
        self.captured[0] = self.undo_stack[self.ply].captured[0]
        self.captured[1] = self.undo_stack[self.ply].captured[1]

    @cython.final
    def colour_at(self, ply, p):
        """The colour of a point after the first `ply` moves."""
        if ply == self.ply:
            return self.colour[p]
        if cython.compiled:
            return self.saved_boards[cython.cast(cython.size_t, ply) * self.block_size + p]
        else:
            return self.saved_boards[ply][0][p]

    # -- chains ------------------------------------------------------------------------------------

    @cython.final
    def clear(self):
        """Reset to an empty board."""
        p: cython.int
        direction: cython.int
        i: cython.int
        for p in range(self.cells):
            self.colour[p] = EDGE
            self.neighbour_counts[p] = self.chain[p] = 0
        for i in range(self.area):
            p = self.centre_order[i]
            self.colour[p] = EMPTY
            self.empty_points[i] = p
            self.empty_index[p] = i
        for i in range(self.area):
            p = self.centre_order[i]
            for direction in range(4):
                self.neighbour_counts[p] += (
                    EMPTY_NEIGHBOUR if self.colour[p + self.offsets[direction]] == EMPTY else BLACK + 16
                )
        self.empty_count = self.area
        self.zobrist = 0
        self.ko_point = self.passes = self.last_move = self.previous_move = self.repetitions = self.ply = 0
        self.captured[0] = self.captured[1] = 0

    @cython.final
    def place(self, p, c):
        """Put a stone of colour c on the empty point p and remove captured chains."""
        step: cython.int = (15 * c - 14) - EMPTY_NEIGHBOUR
        square: cython.int = p * p
        sums: cython.int = 0
        squares: cython.int = 0
        captured: cython.int = 0
        ko: cython.int = 0
        captured_colours: cython.int = 0  # bit n: a chain of colour n lost its last liberty
        own_chain: cython.int = 0  # the chain of the new stone
        direction: cython.int
        # 1. Neighbouring chains lose the point as a liberty; the new stone has its empty neighbours.
        self.empty_count -= 1
        q: cython.int = self.empty_points[self.empty_count]
        k: cython.int = self.empty_index[p]
        self.empty_points[k] = q
        self.empty_index[q] = k
        self.zobrist ^= ZOBRIST[POINTS * (c - 1) + p]
        self.colour[p] = c
        for direction in range(4):
            q = p + self.offsets[direction]
            self.neighbour_counts[q] += step
            k = self.chain[q]
            self.pseudo_liberties[k] -= 1
            self.liberty_sums[k] -= p
            self.liberty_squares[k] -= square
            captured_colours |= (self.pseudo_liberties[k] == 0) << self.colour[q]
            k = q * (self.colour[q] == EMPTY)
            sums += k
            squares += k * k
        # 2. The stone joins its neighbours.
        if self.neighbour_counts[p] & (15 if c == BLACK else 240):
            for direction in range(4):
                q = p + self.offsets[direction]
                k = self.chain[q]
                if self.colour[q] != c or k == own_chain:
                    continue
                if own_chain:
                    own_chain = self.merge_chains(k, own_chain)
                    continue
                own_chain = self.chain[p] = k
                self.next_stone[p] = self.next_stone[k]
                self.next_stone[k] = p
                self.length[k] += 1
                self.pseudo_liberties[k] += self.neighbour_counts[p] // EMPTY_NEIGHBOUR
                self.liberty_sums[k] += sums
                self.liberty_squares[k] += squares
        if not own_chain:
            own_chain = self.chain[p] = self.next_stone[p] = p
            self.length[p] = 1
            self.pseudo_liberties[p] = self.neighbour_counts[p] // EMPTY_NEIGHBOUR
            self.liberty_sums[p] = sums
            self.liberty_squares[p] = squares
        # 3. Remove chains of the other colour without liberties.
        if captured_colours >> (3 - c) & 1:
            for direction in range(4):
                q = p + self.offsets[direction]
                if self.colour[q] == 3 - c and self.pseudo_liberties[self.chain[q]] == 0:
                    captured += self.remove_chain(q)
                    ko = q
        # 4. Suicide: the own chain has no liberty.
        if self.pseudo_liberties[own_chain] == 0:
            self.remove_chain(p)
        self.ko_point = (
            ko
            if captured == 1 and self.length[own_chain] == 1 and self.pseudo_liberties[own_chain] == 1
            else 0
        )
        self.pseudo_liberties[0] = self.liberty_sums[0] = self.liberty_squares[0] = 0

    @cython.final
    def remove_chain(self, p):
        """Remove the chain of p from the board; return its number of stones."""
        c: cython.int = self.colour[p]
        step: cython.int = EMPTY_NEIGHBOUR - (15 * c - 14)
        s: cython.int = p
        direction: cython.int
        count: cython.int = 0
        while True:
            square: cython.int = s * s
            self.colour[s] = EMPTY
            self.chain[s] = 0
            self.zobrist ^= ZOBRIST[POINTS * (c - 1) + s]
            self.empty_points[self.empty_count] = s
            self.empty_index[s] = self.empty_count
            self.empty_count += 1
            for direction in range(4):
                q: cython.int = s + self.offsets[direction]
                k: cython.int = self.chain[q]
                self.neighbour_counts[q] += step
                self.pseudo_liberties[k] += 1
                self.liberty_sums[k] += s
                self.liberty_squares[k] += square
            count += 1
            s = self.next_stone[s]
            if s == p:
                break
        self.captured[2 - c] += count
        return count

    @cython.final
    def merge_chains(self, one, other):
        """Merge two chains under the root of the longer one, which is returned."""
        if self.length[one] < self.length[other]:
            q: cython.int = one
            one = other
            other = q
        self.length[one] += self.length[other]
        self.pseudo_liberties[one] += self.pseudo_liberties[other]
        self.liberty_sums[one] += self.liberty_sums[other]
        self.liberty_squares[one] += self.liberty_squares[other]
        q = other
        while True:
            self.chain[q] = one
            q = self.next_stone[q]
            if q == other:
                break
        q = self.next_stone[one]
        self.next_stone[one] = self.next_stone[other]
        self.next_stone[other] = q
        return one

    # -- area --------------------------------------------------------------------------------------

    @cython.final
    def area_balance(self):
        """Black's area minus White's."""
        total: cython.int = 0
        i: cython.int
        p: cython.int
        for p in range(self.cells):
            total += (self.colour[p] == BLACK) - (self.colour[p] == WHITE)
        self.current_mark += 1
        for i in range(self.empty_count):
            p = self.empty_points[i]
            # No empty neighbour: all 4 are one side's or the edge.
            if self.neighbour_counts[p] < EMPTY_NEIGHBOUR:
                total += (self.neighbour_counts[p] & 15 == 4) - (self.neighbour_counts[p] >> 4 == 4)
            elif self.mark[p] != self.current_mark:
                region: cython.int = self.flood_region(p)
                if region & 3 == 1:
                    total += region >> 2
                elif region & 3 == 2:
                    total -= region >> 2
        return total

    @cython.final
    def flood_region(self, p):
        """Mark the empty region of p; return 4 * its size, + 1 if it touches Black, + 2 if White."""
        count: cython.int = 1
        colours: cython.int = 0
        at: cython.int = 0
        direction: cython.int
        self.queue[0] = p
        self.mark[p] = self.current_mark
        while at < count:
            p = self.queue[at]
            at += 1
            for direction in range(4):
                q: cython.int = p + self.offsets[direction]
                if self.colour[q] == EMPTY:
                    if self.mark[q] != self.current_mark:
                        self.mark[q] = self.current_mark
                        self.queue[count] = q
                        count += 1
                elif self.colour[q] != EDGE:
                    colours |= self.colour[q]
        return 4 * count + colours

    @cython.final
    def set_payoffs(self):
        """Write each player's payoff."""
        lead: cython.int = self.margin() if self.passes > 1 else 0
        if not self.margin_counts:
            lead = 2 * ((lead > 0) - (lead < 0))
        self.gains[0] = UNIT // 2 * lead
        self.gains[1] = -self.gains[0]

    def margin(self):
        """Black's lead in half points if the game ended now."""
        return 2 * self.area_balance() - self.half_points

    @cython.final
    def count_ownership(self):
        """Add the owner of each point on the current board to `ownership_counts`."""
        i: cython.int
        k: cython.int
        self.current_mark += 1
        for i in range(self.area):
            p: cython.int = self.centre_order[i]
            if self.colour[p] == EMPTY and self.mark[p] != self.current_mark:
                region: cython.int = self.flood_region(p)
                for k in range(region >> 2):
                    self.ownership_counts[self.queue[k]] += (region & 3 == 1) - (region & 3 == 2)
            elif self.colour[p] != EMPTY:
                self.ownership_counts[p] += 3 - 2 * self.colour[p]
