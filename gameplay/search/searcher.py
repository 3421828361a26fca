# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""What every tree search is made of: the root, the counters, the way to stop, the line, the table.

An engine's searcher overrides `visit`, the search of one position below the root, and `run`, what it does
at the root; the rest it finds here.  Types: searcher.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay import nocython as cython

from gameplay import value as scale
from gameplay.errors import Fault, Usage
from gameplay.kernel import Kernel

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Calloc, PyMem_Free
    from cython.cimports.cpython.time import monotonic
else:
    from time import monotonic

WIN = cython.declare(cython.int, scale.WIN)
INF = cython.declare(cython.int, scale.INF)
GUESS = cython.declare(cython.int, scale.GUESS)
MAX_PLY = cython.declare(cython.int, scale.MAX_PLY)
WIDTH = cython.declare(cython.int, scale.MAX_PLY + 1)
GOLD = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
M64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)

# Bounds: the value is exactly this, at least this, at most this.
EXACT, LOWER, UPPER = 1, 2, 3

SHALLOW = 2  # plies of the search that orders the root with order=shallow


class Searcher:
    """One search of one position. `table` and `ordering` may be None."""

    def __init__(self, kernel: Kernel, control, table=None, ordering=None, pvs=False, shallow=False):
        self.kernel = kernel
        self.control = control
        self.table = table
        self.ordering = ordering
        self.pvs = pvs
        self.shallow = shallow
        self.nodes = self.probes = self.hits = self.cutoffs = self.first_cutoffs = 0
        self.seldepth = 0
        # A game in Python may be slow: look at the control more often, or Ctrl-C would wait.
        self.interval = 16 if kernel.python else 1024
        self.next_poll = 0
        self.most = control.nodes
        self.helper = 0
        self.shared = False
        self.stopped = self.horizon = False
        self.found_value = self.found_depth = self.found_bound = self.found_move = 0
        self.found_complete = False
        if cython.compiled:
            self.line = cython.cast(cython.p_int, PyMem_Calloc(WIDTH * WIDTH, cython.sizeof(cython.int)))
            self.length = cython.cast(cython.p_int, PyMem_Calloc(WIDTH + 1, cython.sizeof(cython.int)))
            self.last = cython.cast(cython.p_int, PyMem_Calloc(WIDTH + 1, cython.sizeof(cython.int)))
            if self.line == cython.NULL or self.length == cython.NULL or self.last == cython.NULL:
                raise MemoryError
        else:
            self.line = [0] * (WIDTH * WIDTH)
            self.length = [0] * (WIDTH + 1)
            self.last = [0] * (WIDTH + 1)
        if kernel.max_moves:
            kernel.reserve((2 * MAX_PLY + 4) * kernel.max_moves)  # a ply searched inside itself counts twice
        i: cython.int
        self.moves = [kernel.stack[i] for i in range(kernel.gen(0))]
        self.check()
        if not self.moves:
            raise Fault("moves() gave none although outcome() is None")
        if len(set(self.moves)) < len(self.moves) or min(self.moves) < 0:
            raise Fault(f"moves() gave {self.moves}: moves are distinct ints from 0 up")
        self.best = (self.moves[0], 0, 0, (self.moves[0],), False)

    def __dealloc__(self):
        PyMem_Free(self.line)
        PyMem_Free(self.length)
        PyMem_Free(self.last)

    def check(self):
        """Raise what a game written in Python raised."""
        if self.kernel.failed:
            error = self.kernel.error
            self.kernel.failed = False
            self.kernel.error = None
            raise error

    # -- for engines to override -----------------------------------------------------------------

    def run(self, depth):
        """Search to `depth` plies or until stopped."""
        raise NotImplementedError

    def visit(self, kernel, base, ply, depth, alpha, beta):
        """The value of the position, from its mover's view, `depth` plies deep."""
        return 0

    # -- the root --------------------------------------------------------------------------------

    def root(self, depth: cython.int, alpha: cython.int, beta: cython.int):
        """Search the root's moves in turn; return the best value and note the best move and line.

        Fail-soft, as `visit`. When stopped in the middle, `best` holds what is known so far.
        """
        kernel: Kernel = self.kernel
        mover: cython.int = kernel.turn
        best: cython.int = -INF
        value: cython.int
        move: cython.int
        base: cython.int = len(self.moves)
        self.tried = 0
        self.nodes += 1
        if self.nodes >= self.next_poll and self.poll():
            return best
        for move in self.moves:
            self.quiet = kernel.gain(move) == 0
            self.last[1] = ((mover & 1) << 12) | kernel.history_index(move)
            kernel.push(move)
            if kernel.python:
                value = self.child(kernel, base, depth - 1, alpha, beta, mover, self.tried == 0)
            else:
                with cython.nogil:
                    value = self.child(kernel, base, depth - 1, alpha, beta, mover, self.tried == 0)
            kernel.pop(move)
            if self.stopped:
                break
            if value > best:
                best = value
                if value > alpha:
                    self.update_pv(0, move)
                    self.best = (move, value, self.best[2], self.pv(), False)
                    if value >= beta:
                        break
                    alpha = value
            self.tried += 1
        self.check()
        return best

    def child(self, kernel, base, depth, alpha, beta, mover, first):
        """The value of a move just made at the root, from the root mover's view."""
        same: cython.bint = kernel.turn == mover
        value: cython.int
        if self.pvs and not first:
            if same:
                value = self.visit(kernel, base, 1, depth, alpha, alpha + 1)
            else:
                value = -self.visit(kernel, base, 1, depth, -alpha - 1, -alpha)
            if value <= alpha or value >= beta or self.stopped:
                return value
        if same:
            return self.visit(kernel, base, 1, depth, alpha, beta)
        return -self.visit(kernel, base, 1, depth, -beta, -alpha)

    def only(self, moves):
        """Search none but these at the root. Raises Usage where none of them is legal."""
        self.moves = [move for move in self.moves if move in moves]
        if not self.moves:
            raise Usage(f"none of the moves to search, {', '.join(map(str, moves))}, is legal here")

    def order_root(self, depth):
        """Arrange the root's moves as the options say, before a search `depth` plies deep."""
        i: cython.int
        if self.ordering is not None and not self.ordering.idle:
            end: cython.int = self.kernel.gen(0)
            self.ordering.arrange(self.kernel, 0, end, 0, -1, -1)
            chosen = self.moves
            self.moves = [self.kernel.stack[i] for i in range(end) if self.kernel.stack[i] in chosen]
        if self.shallow and depth > SHALLOW:
            mover: cython.int = self.kernel.turn
            base: cython.int = len(self.moves)
            values = {}
            for move in self.moves:
                self.kernel.push(move)
                values[move] = self.child(self.kernel, base, SHALLOW - 1, -INF, INF, mover, True)
                self.length[1] = 0
                self.kernel.pop(move)
            if not self.stopped:
                self.moves = sorted(self.moves, key=values.__getitem__, reverse=True)
            self.horizon = False  # what this search did not see, the real one may
        self.best = (self.moves[0], 0, 0, (self.moves[0],), False)

    def finish(self, depth, value, exact):
        """A whole search of the root is done: `depth` plies, with this value."""
        move, _, _, pv, _ = self.best
        self.best = (move, value, min(depth, self.seldepth) if exact else depth, pv, exact)

    # -- what all searches do --------------------------------------------------------------------

    def poll(self):
        """Called when `nodes` reaches `next_poll`: must we stop?"""
        if (self.most and self.nodes >= self.most) or (
            self.control.deadline and monotonic() >= self.control.deadline
        ):
            self.control.stop = True
        if self.control.stop or self.kernel.failed:
            self.stopped = True
        self.next_poll = self.nodes + self.interval
        if self.most and self.next_poll > self.most:
            self.next_poll = self.most
        return self.stopped

    def end(self, kernel, result, ply):
        """The value of a finished game, from the mover's view: a win counts by its distance."""
        if ply > self.seldepth:
            self.seldepth = ply
        if result == 1:
            return ply - WIN
        if result == 2:
            return 0
        if result == 3:
            return WIN - ply
        return kernel.points()

    def update_pv(self, ply, move):
        """The line at `ply` is `move` and then the line below it, which is empty again from now on."""
        i: cython.int
        below: cython.int = self.length[ply + 1]
        self.line[ply * WIDTH] = move
        for i in range(below):
            self.line[ply * WIDTH + 1 + i] = self.line[(ply + 1) * WIDTH + i]
        self.length[ply] = below + 1
        self.length[ply + 1] = 0

    def pv(self):
        """The line from the root; where the table cut it short, as far as the table knows it."""
        i: cython.int
        line = [self.line[i] for i in range(self.length[0])]
        if self.table is None:
            return tuple(line)
        kernel: Kernel = self.kernel
        base: cython.int = len(self.moves)
        known: cython.int = len(line)
        for move in line:
            kernel.push(move)
        while len(line) < MAX_PLY and kernel.result() == 0:
            if not self.lookup(kernel.hash(), 0) or self.found_bound != 1 or self.found_move < 0:
                break
            if self.found_move not in [kernel.stack[i] for i in range(base, kernel.gen(base))]:
                break
            line.append(self.found_move)
            kernel.push(self.found_move)
            if len(line) > known + 40:
                break
        for move in reversed(line):
            kernel.pop(move)
        return tuple(line)

    # -- what other threads do: simplified ABDADA (Weill 1996; Kerrigan 2016) ---------------------

    def claim(self, key, move, depth):
        """Begin to search a move of a position; 0 if another thread is searching it already."""
        mark: cython.ulonglong = (
            key ^ (((move + 1) * GOLD) & M64) ^ (cython.cast(cython.ulonglong, depth) << 56)
        ) | 1
        i: cython.int = cython.cast(cython.int, (mark >> 32) & 4095)
        if self.table.busy[i] == mark:
            return 0
        self.table.busy[i] = mark
        return mark

    def free(self, claimed):
        """Such a search is over."""
        i: cython.int = cython.cast(cython.int, (claimed >> 32) & 4095)
        if self.table.busy[i] == claimed:
            self.table.busy[i] = 0

    # -- the table: layout in search/table.py ----------------------------------------------------

    def lookup(self, key, ply):
        """Is the position in the table? The `found_` fields then say what is known of it."""
        i: cython.size_t = cython.cast(cython.size_t, ((key * GOLD) & M64) >> self.table.shift) * 2
        data: cython.ulonglong = self.table.slots[i + 1]
        if self.table.slots[i] ^ data != key or (data >> 35) & 31 < self.table.since:
            self.found_move = -1
            return False
        value: cython.int = cython.cast(cython.int, data & 0xFFFFFF) - 0x800000
        if value > GUESS:
            value -= ply
        elif value < -GUESS:
            value += ply
        self.found_value = value
        self.found_depth = cython.cast(cython.int, (data >> 24) & 255)
        self.found_bound = cython.cast(cython.int, (data >> 32) & 3)
        self.found_complete = (data >> 34) & 1
        self.found_move = cython.cast(cython.int, data >> 40) - 1
        return True

    def remember(self, key, ply, depth, value, bound, move, complete):
        """Note what the search found at a position; `move` -1: none."""
        if value > GUESS:
            value += ply
        elif value < -GUESS:
            value -= ply
        i: cython.size_t = cython.cast(cython.size_t, ((key * GOLD) & M64) >> self.table.shift) * 2
        if move >= 0xFFFFFF:
            move = -1
        data: cython.ulonglong = (
            cython.cast(cython.ulonglong, value + 0x800000)
            | (cython.cast(cython.ulonglong, depth) << 24)
            | (cython.cast(cython.ulonglong, bound) << 32)
            | (cython.cast(cython.ulonglong, complete) << 34)
            | (self.table.generation << 35)
            | (cython.cast(cython.ulonglong, move + 1) << 40)
        )
        self.table.slots[i] = key ^ data
        self.table.slots[i + 1] = data
