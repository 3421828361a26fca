# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Heuristics of sliding tiles beyond the Manhattan distance: linear conflicts and pattern databases.

The goal has tile t on cell t, numbered row by row from 0, and the blank on cell 0.  Types: heuristics.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

import mmap
import os
from hashlib import blake2b
from pathlib import Path

from gameplay.errors import BadInput, Usage

if cython.compiled:
    from cython.cimports.cpython.buffer import PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
    from cython.cimports.cpython.mem import PyMem_RawCalloc, PyMem_RawFree, PyMem_RawRealloc
    from cython.cimports.gameplay.native.bits import lowest, popcount
else:
    from gameplay.native.bits import lowest, popcount

VERSION = 1  # of the file format
HEADER_BYTES = 256  # before the costs in the file
CHUNK = 1 << 16  # placements between two checks for Ctrl-C
UNKNOWN_COST = cython.declare(cython.int, 255)  # of a placement not reached
STRIDE = cython.declare(cython.int, 32)  # cells of the largest board, rounded up
ONE = cython.declare(cython.uint, 1)


def digits(number, base):
    """The nonzero digits of a number, the lowest first."""
    values = []
    while number:
        number, digit = divmod(number, base)
        if digit:
            values.append(digit)
    return values


def min_removals(line):
    """The minimum number of tiles to remove from a line so that the rest are in order."""
    longest = [0] * len(line)
    for i, place in enumerate(line):
        longest[i] = 1 + max([longest[k] for k in range(i) if line[k] < place], default=0)
    return len(line) - max(longest, default=0)


class Conflicts:
    """Linear conflict: tiles in their goal line in the wrong order.

    Each tile that must leave its line costs two moves that the Manhattan distance does not count (Hansson,
    Mayer and Yung, "Criticizing solutions to relaxed models yields powerful admissible heuristics", 1992). A
    line has a number with a digit for each cell: the goal place, from 1, of a tile that belongs in the line.
    """

    def __init__(self, rows, columns):
        if not cython.compiled:
            self.in_row, self.in_column = [0] * 1024, [0] * 1024
            self.row, self.column = [0] * 7776, [0] * 7776
        tile: cython.int
        cell: cython.int
        number: cython.int
        for tile in range(1, rows * columns):
            home = divmod(tile, columns)
            for cell in range(rows * columns):
                y, x = divmod(cell, columns)
                if y == home[0]:
                    self.in_row[tile * STRIDE + cell] = (home[1] + 1) * (columns + 1) ** x
                if x == home[1]:
                    self.in_column[tile * STRIDE + cell] = (home[0] + 1) * (rows + 1) ** y
        for number in range((columns + 1) ** columns):
            self.row[number] = 2 * min_removals(digits(number, columns + 1))
        for number in range((rows + 1) ** rows):
            self.column[number] = 2 * min_removals(digits(number, rows + 1))


class PatternDatabase:
    """A pattern database: the cost to solve a subset of the tiles, for each placement of them.

    The tiles are partitioned into patterns and only moves of a pattern's own tiles count, so that the costs
    of all patterns add up to an admissible estimate (Korf and Felner, "Disjoint pattern database heuristics",
    2002). On a square board the mirror image of a position is probed too, and the greater sum is used.

    The costs of a pattern are computed by a breadth-first search backwards from the goal: one byte for each
    placement of its tiles, the minimum over all cells of the blank, indexed as partial permutations.
    """

    def __init__(self, game, rows, columns, name, parts):
        self.game = game
        self.rows, self.columns, self.name = rows, columns, name
        self.parts = tuple([tuple(part) for part in parts])
        self.count = rows * columns
        self.pattern_count = len(self.parts)
        self.square = rows == columns
        self.owner = None
        if not cython.compiled:
            self.tile_offset, self.cost_offset = [0] * 16, [0] * 16
            self.tiles, self.mirror = [0] * 32, [0] * 32
            self.costs = b""
        number: cython.int
        i: cython.int = 0
        begin: cython.longlong = 0
        for number, part in enumerate(self.parts):
            self.tile_offset[number] = i
            self.cost_offset[number] = begin
            begin += self.placements(number)
            for tile in part:
                self.tiles[i] = tile
                i += 1
        self.tile_offset[self.pattern_count] = i
        self.cost_offset[self.pattern_count] = begin
        for i in range(self.count):
            self.mirror[i] = i % columns * columns + i // columns if rows == columns else 0
        self.board = (ONE << self.count) - 1
        self.left_edge = self.right_edge = 0
        for i in range(rows):
            self.left_edge |= ONE << (i * columns)
            self.right_edge |= ONE << (i * columns + columns - 1)

    # -- probing -------------------------------------------------------------------------------------

    def estimate(self, place):
        """A lower bound of the moves to the goal; `place` has the cell of each tile."""
        total: cython.int = 0
        other: cython.int = 0
        part: cython.int
        i: cython.int
        for part in range(self.pattern_count):
            total += self.costs[self.cost_offset[part] + self.rank(place, part)]
        if not self.square:
            return total
        image = cython.declare(cython.uchar[32])
        if not cython.compiled:
            image = [0] * 32
        for i in range(self.count):
            image[self.mirror[i]] = self.mirror[place[i]]
        for part in range(self.pattern_count):
            other += self.costs[self.cost_offset[part] + self.rank(image, part)]
        return total if total > other else other

    def rank(self, place, part):
        """The index of a pattern's placement: the cell of each tile among those still free."""
        rank: cython.longlong = 0
        taken: cython.uint = 0
        i: cython.int
        free: cython.int = self.count
        for i in range(self.tile_offset[part], self.tile_offset[part + 1]):
            cell: cython.int = place[self.tiles[i]]
            rank = rank * free + cell - popcount(taken & ((ONE << cell) - 1))
            taken |= ONE << cell
            free -= 1
        return rank

    def placements(self, part):
        """The number of placements of a pattern."""
        total = 1
        for i in range(len(self.parts[part])):
            total *= self.count - i
        return total

    # -- the file ------------------------------------------------------------------------------------

    @property
    def path(self):
        """The path of the file, in the user's cache."""
        import platformdirs

        folder = Path(platformdirs.user_cache_path("gameplay")) / "patterns"
        return folder / f"tiles-{self.rows}x{self.columns}-{self.name}.bin"

    @property
    def size(self):
        """Bytes of the file."""
        return HEADER_BYTES + sum([self.placements(part) for part in range(self.pattern_count)])

    def header(self, checksum):
        """The header of the file."""
        parts = "/".join([",".join(map(str, part)) for part in self.parts])
        text = f"gameplay patterns {VERSION}\n{self.rows}x{self.columns} {parts}\n{checksum}\n"
        return text.encode().ljust(HEADER_BYTES, b"\0")

    def load(self):
        """Map the file into memory, read-only. Raises Usage if it is missing, BadInput if it is damaged."""
        if self.owner is not None:
            return
        path = self.path
        try:
            with open(path, "rb") as file:
                data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except FileNotFoundError:
            raise Usage(
                f"the pattern database {self.name} is not built yet: gameplay patterns {self.game}"
            ) from None
        except ValueError:
            data = memoryview(b"")  # an empty file cannot be mapped
        checksum = blake2b(data[HEADER_BYTES:], digest_size=16).hexdigest()
        if bytes(data[:HEADER_BYTES]) != self.header(checksum) or len(data) != self.size:
            raise BadInput(
                f"{path} is damaged or of another version: rebuild it with gameplay patterns {self.game}"
            )
        self.owner = data[HEADER_BYTES:]
        if cython.compiled:
            view = cython.declare(Py_buffer)
            PyObject_GetBuffer(self.owner, cython.address(view), PyBUF_SIMPLE)
            self.costs = cython.cast(cython.p_uchar, view.buf)
            PyBuffer_Release(cython.address(view))
        else:
            self.costs = self.owner

    # -- building ------------------------------------------------------------------------------------

    def build(self, watch=None):
        """Compute all costs and write them to the file; report the placements to `watch(done, total)`.

        Raises MemoryError, or OSError if the file cannot be written.
        """
        total = self.size - HEADER_BYTES
        body = bytearray()
        for part in range(self.pattern_count):
            done = len(body)
            progress = None if watch is None else lambda count, done=done: watch(done + count, total)
            body += self.compute_costs(part, progress)
        path = self.path
        path.parent.mkdir(parents=True, exist_ok=True)
        part_file = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            with open(part_file, "wb") as file:
                file.write(self.header(blake2b(body, digest_size=16).hexdigest()))
                file.write(body)
            part_file.replace(path)
        finally:
            part_file.unlink(missing_ok=True)

    def compute_costs(self, part, progress=None):
        """The cost of each placement of one pattern, UNKNOWN_COST if it cannot be reached.

        A state is a placement with a region of cells among which the blank can move without a tile of the
        pattern; only moves of such tiles cost. States are expanded in the order of their costs.
        """
        size: cython.longlong = self.placements(part)
        cost: cython.int = 0
        number: cython.int = part
        start: cython.longlong
        count: cython.longlong = 0
        place = cython.declare(cython.uchar[32])
        i: cython.int
        if cython.compiled:
            self.reached_cells = cython.cast(cython.p_uint, PyMem_RawCalloc(size, cython.sizeof(cython.uint)))
            self.best_costs = cython.cast(cython.p_uchar, PyMem_RawCalloc(size, 1))
        else:
            place = [0] * 32
            self.reached_cells, self.best_costs = [0] * size, bytearray(size)
            self.queue, self.next_queue = [], []
        try:
            self.queue_capacity = 0
            self.grow_queues()
            if cython.compiled and (self.reached_cells == cython.NULL or self.best_costs == cython.NULL):
                raise MemoryError
            for start in range(size):
                self.best_costs[start] = UNKNOWN_COST
            taken: cython.uint = 0
            for i in range(self.count):
                place[i] = i
            for i in range(self.tile_offset[part], self.tile_offset[part + 1]):
                taken |= ONE << self.tiles[i]
            self.length = self.next_length = 0
            self.add_state(self.rank(place, part), 0, self.board & ~taken, 0)
            while self.next_length:
                self.queue, self.next_queue = self.next_queue, self.queue
                self.length, self.next_length = self.next_length, 0
                cost += 1
                start = 0
                while start < self.length:
                    end: cython.longlong = min(start + CHUNK, self.length)
                    # Each position has at most 32 successors: each of 8 tiles moves to at most 4 cells.
                    while self.next_length + (end - start) * 32 > self.queue_capacity:
                        self.grow_queues()
                    with cython.nogil:
                        self.expand(number, start, end, cost)
                    start = end
                count += self.length
                if progress is not None:
                    progress(min(count, size))
            if cython.compiled:
                return cython.cast(cython.p_char, self.best_costs)[:size]
            else:
                return bytes(self.best_costs)
        finally:
            if cython.compiled:
                PyMem_RawFree(self.reached_cells)
                PyMem_RawFree(self.best_costs)
                PyMem_RawFree(self.queue)
                PyMem_RawFree(self.next_queue)
                self.reached_cells = self.best_costs = self.queue = self.next_queue = cython.NULL

    def grow_queues(self):
        """Double the capacity of both queues."""
        self.queue_capacity = 2 * self.queue_capacity if self.queue_capacity else 32 * CHUNK
        if not cython.compiled:
            more = self.queue_capacity - len(self.queue)
            self.queue, self.next_queue = self.queue + [0] * more, self.next_queue + [0] * more
            return
        size: cython.size_t = self.queue_capacity * cython.sizeof(cython.ulonglong)
        queue: cython.p_ulonglong = cython.cast(cython.p_ulonglong, PyMem_RawRealloc(self.queue, size))
        if queue == cython.NULL:
            raise MemoryError
        self.queue = queue
        queue = cython.cast(cython.p_ulonglong, PyMem_RawRealloc(self.next_queue, size))
        if queue == cython.NULL:
            raise MemoryError
        self.next_queue = queue

    def flood(self, start, free):
        """The cells that the blank can reach from `start` over free ones."""
        region: cython.uint = start
        before: cython.uint = 0
        while region != before:
            before = region
            region |= (region << self.columns) | (region >> self.columns)
            region |= ((before & ~self.right_edge) << 1) | ((before & ~self.left_edge) >> 1)
            region &= free
        return region

    def add_state(self, rank, blank, free, cost):
        """Add a reached state, if it is new, with its region and cost."""
        start: cython.uint = ONE << blank
        if self.reached_cells[rank] & start:
            return
        self.reached_cells[rank] |= self.flood(start, free)
        if cost < self.best_costs[rank]:
            self.best_costs[rank] = cost
        self.next_queue[self.next_length] = (cython.cast(cython.ulonglong, rank) << 5) | blank
        self.next_length += 1

    def expand(self, part, start, end, cost):
        """All moves of the pattern's tiles into the blank's region, from these states of the queue."""
        begin: cython.int = self.tile_offset[part]
        count: cython.int = self.tile_offset[part + 1] - begin
        place = cython.declare(cython.uchar[32])
        digits = cython.declare(cython.int[32])
        if not cython.compiled:
            place, digits = [0] * 32, [0] * 32
        number: cython.longlong
        i: cython.int
        for number in range(start, end):
            state: cython.ulonglong = self.queue[number]
            blank: cython.int = state & 31
            rest: cython.ulonglong = state >> 5
            for i in range(count - 1, -1, -1):
                digits[i] = rest % (self.count - i)
                rest //= self.count - i
            taken: cython.uint = 0
            for i in range(count):
                cell: cython.int = 0
                skip: cython.int = digits[i]
                while skip or (taken >> cell) & 1:  # the free cell after `skip` others
                    skip -= 1 - ((taken >> cell) & 1)
                    cell += 1
                place[self.tiles[begin + i]] = cell
                taken |= ONE << cell
            region: cython.uint = self.flood(ONE << blank, self.board & ~taken)
            for i in range(count):
                tile: cython.int = self.tiles[begin + i]
                cell = place[tile]
                here: cython.uint = ONE << cell
                near: cython.uint = (here << self.columns) | (here >> self.columns)
                near |= ((here & ~self.right_edge) << 1) | ((here & ~self.left_edge) >> 1)
                near &= region
                while near:
                    place[tile] = lowest(near)
                    near &= near - 1
                    free: cython.uint = self.board & ~(taken ^ here ^ (ONE << place[tile]))
                    self.add_state(self.rank(place, part), cell, free, cost)
                place[tile] = cell


# -- partitions -------------------------------------------------------------------------------------------

STANDARD_PARTITIONS = {
    "6-6-3": ((1, 2, 4, 5, 8, 9), (3, 6, 7, 10, 11, 15), (12, 13, 14)),
    "7-8": ((1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11, 12, 13, 14, 15)),
}


def partitions(rows, columns):
    """The partitions of the tiles of a board, by name, the default first."""
    if (rows, columns) == (4, 4):
        return STANDARD_PARTITIONS
    tiles = list(range(1, rows * columns))
    max_size = 6 if len(tiles) < 16 else 5
    groups = -(-len(tiles) // max_size)
    size = -(-len(tiles) // groups)
    parts = tuple([tuple(tiles[i : i + size]) for i in range(0, len(tiles), size)])
    return {"-".join([str(len(part)) for part in parts]): parts}
