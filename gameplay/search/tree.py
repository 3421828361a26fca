# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Base class of tree searches: root search, frames, principal variation, transposition table.

Subclasses override `visit`, the search of one position below the root, and `run`, the search at the root. All
searches make moves through `search.descend`.  Types: tree.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from bisect import insort
from itertools import chain

from msgspec import structs

from gameplay import value as scale
from gameplay.kernel import Kernel
from gameplay.search import trace as steps
from gameplay.search.report import Candidate, Report
from gameplay.search.root import RootSearch

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import zeroed
    from cython.cimports.gameplay.native.hashing import spread
    from cython.cimports.gameplay.search.descend import descend
else:
    from gameplay.native.hashing import spread
    from gameplay.search.descend import descend

WIN = cython.declare(cython.int, scale.WIN)
INF = cython.declare(cython.int, scale.INF)
MAX_EVAL = cython.declare(cython.int, scale.MAX_EVAL)
MAX_PLY = cython.declare(cython.int, scale.MAX_PLY)
WIDTH = cython.declare(cython.int, scale.MAX_PLY + 1)
FRAMES = cython.declare(cython.int, scale.MAX_PLY + 3)
NEVER = cython.declare(cython.int, scale.NEVER)
EXACT = cython.declare(cython.int, scale.EXACT)
LOWER = cython.declare(cython.int, scale.LOWER)
UPPER = cython.declare(cython.int, scale.UPPER)
ONGOING = cython.declare(cython.int, scale.ONGOING)
LOST = cython.declare(cython.int, scale.LOST)
DRAWN = cython.declare(cython.int, scale.DRAWN)
WON = cython.declare(cython.int, scale.WON)
SCORED = cython.declare(cython.int, scale.SCORED)
LEAVE = cython.declare(cython.int, steps.LEAVE)
CUT = cython.declare(cython.int, steps.CUT)
EVALUATE = cython.declare(cython.int, steps.EVALUATE)
KNOWN = cython.declare(cython.int, steps.KNOWN)
BETA = cython.declare(cython.int, steps.BETA)
ORDER = cython.declare(cython.int, steps.ORDER)
TABLE_MOVE = cython.declare(cython.int, steps.TABLE_MOVE)
LAST_LINE = cython.declare(cython.int, steps.LAST_LINE)
HISTORY = cython.declare(cython.int, steps.HISTORY)
EVALUATION = cython.declare(cython.int, steps.EVALUATION)

CHEAP_SOLVER_PLIES = 6  # plies before the end of the game at which calls of a solver cost next to nothing
SHALLOW = 2  # depth of the search that orders the root with order=shallow


class PlainFrame:
    """The state of a ply: see Frame in tree.pxd."""

    __slots__ = ("after_null", "excluded", "last_pv", "length", "previous_move", "static")

    def __init__(self):
        self.length = self.static = self.previous_move = 0
        self.last_pv = self.excluded = -1
        self.after_null = False


class TreeSearch(RootSearch):
    """One search of one position. `table` and `ordering` may be None."""

    def __init__(self, kernel: Kernel, control, table=None, ordering=None, pvs=False, shallow=False):
        RootSearch.__init__(self, kernel, control)
        self.table = table
        self.ordering = ordering
        self.pvs = pvs
        self.shallow = shallow
        self.probes = self.hits = self.cutoffs = self.first_cutoffs = 0
        self.horizon = False
        self.leaf_depth = self.quick_depth = NEVER
        self.table_depth = INF if table is None or kernel.python else 1
        self.found_value = self.found_depth = self.found_bound = self.found_move = 0
        self.found_complete = False
        self.tried = self.current_depth = 0
        self.lines, self.searched_lines = {}, {}
        self.fail_high_move = None
        self.entry_reason, self.entry_line = 0, ()
        i: cython.int
        if cython.compiled:
            self.line = cython.cast(cython.p_int, zeroed(WIDTH * WIDTH, cython.sizeof(cython.int)))
            self.frames = cython.cast(cython.pointer(Frame), zeroed(FRAMES, cython.sizeof(Frame)))
            for i in range(FRAMES):
                self.frames[i].last_pv = -1
                self.frames[i].excluded = -1
        else:
            self.line = [0] * (WIDTH * WIDTH)
            self.frames = [PlainFrame() for _ in range(FRAMES)]
        if kernel.max_moves:
            kernel.reserve((2 * MAX_PLY + 4) * kernel.max_moves)  # a verification search doubles a ply

    def __dealloc__(self):
        PyMem_Free(self.line)
        PyMem_Free(self.frames)

    # -- for engines to override -----------------------------------------------------------------

    def run(self, depth):
        """Search to `depth` plies or until stopped."""
        raise NotImplementedError

    def visit(self, kernel, base, ply, depth, alpha, beta):
        """Search a counted, unfinished position to `depth` plies; return the value for the mover."""
        return 0

    def child(self, kernel, base, move, depth, alpha, beta):
        """Search a root move to `depth` plies after it: the value from the view of the root's mover."""
        if self.pvs and self.tried and alpha > -INF:
            value: cython.int = descend(self, kernel, base, 1, move, depth, alpha, alpha + 1)
            if value <= alpha or value >= beta or self.stopped:
                return value
        return descend(self, kernel, base, 1, move, depth, alpha, beta)

    def evaluate_at(self, depth: cython.int):
        """Evaluate positions at remaining depth `depth`; NEVER: `visit` evaluates leaves itself."""
        self.leaf_depth = depth
        self.quick_depth = depth if self.kernel.has_leaf else NEVER

    def deepen(self, depth: cython.int):
        """Run an engine with a fixed depth: one search, or iterative deepening within the limits (see Limit).

        Reports the last finished search.
        """
        if not self.deepens:
            self.search_root(depth)
            return
        self.defer_polling()
        d: cython.int
        for d in range(1, depth + 1):
            kept, seldepth = self.best, self.seldepth
            self.horizon = False
            self.search_root(d)
            if self.stopped:
                if kept[1]:
                    self.best, self.seldepth = kept, seldepth
                return
            value = self.best[0][0].value
            if not self.horizon or (scale.is_win(value) and scale.plies(value) <= d and self.multipv == 1):
                self.control.reason = "proven"
                return

    def search_root(self, depth: cython.int):
        """Search the root with an infinite window."""
        self.order_root(depth)
        self.root(depth, -INF, INF)
        if self.horizon:
            self.seldepth = depth  # no line is deeper
        if not self.stopped:
            self.finish(depth)

    # -- the root --------------------------------------------------------------------------------

    def root(self, depth: cython.int, alpha: cython.int, beta: cython.int):
        """Search the root's moves in order; return the best value and update the best moves and their lines.

        Fail-soft, as `visit`. With `multipv` lines, a move gets an exact value unless that many better moves
        are known. When stopped, `best` holds the moves searched so far; a value that failed high or low is
        marked as a bound and keeps the last full line.
        """
        kernel: Kernel = self.kernel
        best: cython.int = -INF
        move: cython.int
        base: cython.int = len(self.moves)
        floor: cython.int = alpha
        found = []
        if self.tracing:
            self.emit_enter(kernel, 0, -1, depth, alpha, beta)
        self.tried = 0
        self.current_depth = depth
        if self.count():
            return best
        key: cython.ulonglong = kernel.hash() if self.shared else 0
        claimed: cython.ulonglong = 0
        deferred = []  # with several threads: moves that another one is searching, searched last
        for move in chain(self.moves, deferred):
            if self.shared and 0 < self.tried < len(self.moves) and depth > 2:
                claimed = self.claim(key, move, depth)
                if not claimed:
                    deferred.append(move)
                    self.tried += 1
                    continue
            self.frames[1].previous_move = ((kernel.turn & 1) << 12) | kernel.history_index(move)
            unseen = self.horizon
            self.horizon = False
            if kernel.python:
                value: cython.int = self.child(kernel, base, move, depth - 1, floor, beta)
            else:
                with cython.nogil:
                    value = self.child(kernel, base, move, depth - 1, floor, beta)
            if claimed:
                self.free(claimed)
                claimed = 0
            if self.stopped:
                break
            proven = not self.horizon
            self.horizon = self.horizon or unseen
            if value > best:
                best = value
            if value > floor:
                self.update_pv(0, move)
                bound = steps.BOUNDS[LOWER if value >= beta else EXACT]
                candidate = Candidate(move, value, bound, pv=self.full_pv(depth, proven), proven=proven)
                insort(found, candidate, key=_descending_value)
                del found[self.multipv :]
                if self.multipv == 1 or not self.best[1]:  # with multipv all lines have equal depth
                    self.update_best(tuple(found), candidate)
                if value >= beta:
                    if self.tracing:
                        self.emit(CUT, 0, move, value, BETA)
                    break
                if len(found) == self.multipv:
                    floor = max(floor, int(found[self.multipv - 1].value))
            self.tried += 1
        if found and not self.stopped and found[0].bound == "exact":
            self.best = (tuple(found), self.best[1], False)
            self.fail_high_move = None
        if self.tracing and self.stopped:
            if self.failure is None:
                self.emit(LEAVE, 0, -1, best, 0)
        elif self.tracing:
            self.emit_leave(0, -1, best, alpha, beta)
        self.check()
        return best

    def update_best(self, found, candidate):
        """Set the root's best moves to `found`, best first, after the search of `one`.

        A move that failed high stays the best during its re-search, unless another is at least as good. A
        line of one move does not replace the last full line of that move.
        """
        if candidate.bound == "lower":
            self.fail_high_move = candidate
            if candidate.move not in self.lines:
                return
        elif self.deepens and self.best[1]:
            return  # a partial iteration does not replace a finished one
        elif (
            self.fail_high_move is not None
            and candidate.move != self.fail_high_move.move
            and candidate.value < self.fail_high_move.value
        ):
            return
        self.best = (found, self.best[1], False)

    def fail_low(self, value):
        """The root failed low: `value` is an upper bound of its best move."""
        first, *others = self.best[0]
        self.fail_high_move = None
        self.best = ((structs.replace(first, value=value, bound="upper"), *others), self.best[1], False)

    def order_root(self, depth):
        """Order the root's moves by the options, before a search to `depth` plies."""
        i: cython.int
        if self.ordering is not None and not self.ordering.keeps_order:
            end: cython.int = self.kernel.gen(0)
            self.ordering.sort(self.kernel, 0, end, 0, -1, -1)
            chosen = set(self.moves)
            self.moves = [self.kernel.stack[i] for i in range(end) if self.kernel.stack[i] in chosen]
        if self.shallow and depth > SHALLOW:
            base: cython.int = len(self.moves)
            values = {}
            self.tried = 0
            for move in self.moves:
                values[move] = self.child(self.kernel, base, move, SHALLOW - 1, -INF, INF)
                self.frames[1].length = 0
            if not self.stopped:
                self.moves = sorted(self.moves, key=values.__getitem__, reverse=True)
            self.horizon = False  # of the ordering search, not of the real one
        if not (self.deepens and self.best[1]):
            self.best = (self.nothing(), 0, False)

    def finish(self, depth):
        """Record that the search of the root to `depth` plies, or to the end of every line, is finished."""
        exact = not self.horizon
        self.fail_high_move = None
        self.current_depth = 0
        self.best = (self.best[0], min(depth, self.seldepth) if exact else depth, exact)

    def report(self):
        """The current report. Thread-safe: counters are read while the search runs."""
        candidates, depth, exact = self.best
        fail_high_move = self.fail_high_move
        if self.stopped and fail_high_move is not None and fail_high_move.value > candidates[0].value:
            candidates = (fail_high_move,)
        first = candidates[0]
        bound = first.bound
        if self.current_depth and not depth and bound == "exact":
            bound = "lower"  # moves not searched yet may be better
        threads = [self, *self.helpers]
        nodes = sum(thread.nodes for thread in threads)
        return Report(
            move=first.move,
            value=first.value,
            bound=bound,
            candidates=candidates,
            depth=depth,
            seldepth=self.seldepth,
            ahead=self.current_depth,
            tried=self.tried if self.current_depth else 0,
            choices=len(self.moves) if self.current_depth else 0,
            nodes=nodes,
            pv=first.pv,
            exact=exact,
            probes=sum(thread.probes for thread in threads),
            hits=sum(thread.hits for thread in threads),
            fill=self.table.fill() if self.table is not None else 0.0,
            cutoffs=sum(thread.cutoffs for thread in threads),
            first_cutoffs=sum(thread.first_cutoffs for thread in threads),
            branching=nodes ** (1 / depth) if depth else 0.0,
        )

    # -- nodes --------------------------------------------------------------------

    def end(self, kernel, result, ply):
        """The value of a finished game from the mover's view, wins by distance from the root."""
        self.frames[ply].length = 0
        if ply > self.seldepth:
            self.seldepth = ply
        if result == LOST:
            return ply - WIN
        if result == DRAWN:
            return 0
        if result == WON:
            return WIN - ply
        return kernel.points()

    def enter_node(self, kernel, base, ply, move, depth, alpha, beta):
        """Enter a position that `search.descend` has counted: poll, trace, and return its value.

        `move` is -1 for a position that was not reached by a legal move.
        """
        if self.poll():
            return 0
        if self.tracing:
            self.emit_enter(kernel, ply, move, depth, alpha, beta)
        result: cython.int = kernel.result()
        if result:
            value: cython.int = self.end(kernel, result, ply)
        elif depth == self.leaf_depth:
            value = kernel.score()
            self.horizon = True
            if self.tracing:
                self.emit(EVALUATE, ply, -1, value, 0)
        else:
            value = self.visit(kernel, base, ply, depth, alpha, beta)
        if self.tracing and not self.stopped:
            self.emit_leave(ply, move, value, alpha, beta)
        return value

    def known(self, kernel, ply, alpha, beta):
        """Probe knowledge sources: true if the result suffices for the window. See `Probe.probe`."""
        if not self.probe.probe(kernel, ply, alpha, beta):
            return False
        if self.tracing:
            self.emit(KNOWN, ply, self.probe.move, self.probe.value, self.probe.bound)
        return True

    def update_pv(self, ply, move):
        """Set the PV at `ply` to `move` and the PV of the next ply, which is cleared."""
        i: cython.int
        below: cython.int = self.frames[ply + 1].length
        self.line[ply * WIDTH] = move
        for i in range(below):
            self.line[ply * WIDTH + 1 + i] = self.line[(ply + 1) * WIDTH + i]
        self.frames[ply].length = below + 1
        self.frames[ply + 1].length = 0

    def pv(self):
        """The PV from the root, extended by table moves where a table hit cut it short."""
        i: cython.int
        line = [self.line[i] for i in range(self.frames[0].length)]
        if self.table is None:
            return tuple(line)
        kernel: Kernel = self.kernel
        base: cython.int = len(self.moves)
        known: cython.int = len(line)
        for move in line:
            kernel.push(move)
        while len(line) < MAX_PLY and kernel.result() == ONGOING:
            if not self.lookup(kernel.hash(), 0) or self.found_bound != EXACT or self.found_move < 0:
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

    def full_pv(self, depth, proven):
        """The PV from the root, for display.

        A PV of one move is extended by a reply from the solver, the last full line, or the table. A `proven`
        PV is extended to the end of the game if the solver is fast there.
        """
        kernel: Kernel = self.kernel
        base: cython.int = len(self.moves)
        line = list(self.pv())
        move: cython.int = line[0]
        self.searched_lines[move] = tuple(line)
        if depth < 2 or (len(line) > 1 and not (proven and kernel.solves)):
            if len(line) > 1:
                self.lines[move] = line
            return tuple(line)
        reply: cython.int
        for reply in line:
            kernel.push(reply)
        made: cython.int = len(line)
        while kernel.result() == ONGOING and (
            made < 2 <= depth or (proven and 0 < kernel.moves_left() <= CHEAP_SOLVER_PLIES)
        ):
            reply = self.solved(base)
            if reply < 0:
                break
            line.append(reply)
            kernel.push(reply)
            made += 1
        over = kernel.result() != ONGOING
        if made < 2 <= depth and not over:
            known = self.lines.get(move)
            if known is not None:
                line = list(known)
            elif (
                self.table is not None
                and self.lookup(kernel.hash(), 0)
                and self.found_move in [kernel.stack[i] for i in range(base, kernel.gen(base))]
            ):
                line.append(self.found_move)
        for reply in reversed(line[:made]):
            kernel.pop(reply)
        if len(line) > 1 or over:
            self.lines[move] = line
        return tuple(line)

    def solved(self, base):
        """The best move of a position by the game's endgame solver; -1 if it does not solve the position."""
        kernel: Kernel = self.kernel
        if not kernel.solves or kernel.moves_left() <= 0:
            return -1
        best: cython.int = -INF
        chosen: cython.int = -1
        i: cython.int
        for i in range(base, kernel.gen(base)):
            move: cython.int = kernel.stack[i]
            mover: cython.int = kernel.turn
            kernel.push(move)
            same: cython.bint = kernel.turn == mover
            result: cython.int = kernel.result()
            if result:
                value: cython.int = kernel.points() if result == SCORED else (result - DRAWN) * WIN
            else:
                value = kernel.solve(best, INF) if same else kernel.solve(-INF, -best)
            kernel.pop(move)
            value = value if same else -value
            if value > best:
                best = value
                chosen = move
        return chosen

    # -- parallel search: simplified ABDADA (Weill 1996; Kerrigan 2016) ---------------------

    def claim(self, key, move, depth):
        """Claim a move for this thread; 0 if another thread is searching it."""
        mark: cython.ulonglong = (key ^ spread(move + 1) ^ (cython.cast(cython.ulonglong, depth) << 56)) | 1
        i: cython.int = cython.cast(cython.int, (mark >> 32) & 4095)
        if self.table.busy[i] == mark:
            return 0
        self.table.busy[i] = mark
        return mark

    def free(self, claimed):
        """Release a claimed move."""
        i: cython.int = cython.cast(cython.int, (claimed >> 32) & 4095)
        if self.table.busy[i] == claimed:
            self.table.busy[i] = 0

    # -- the table: layout in search/table.py ----------------------------------------------------

    def lookup(self, key, ply):
        """Look up a position in the table: true on a hit, with the entry in the `found_` fields."""
        i: cython.size_t = cython.cast(cython.size_t, spread(key) >> self.table.shift) * 2
        data: cython.ulonglong = self.table.slots[i + 1]
        if self.table.slots[i] ^ data != key or (data >> 35) & 31 < self.table.since:
            self.found_move = -1
            return False
        value: cython.int = cython.cast(cython.int, data & 0xFFFFFF) - 0x800000
        if value > MAX_EVAL:
            value -= ply
        elif value < -MAX_EVAL:
            value += ply
        self.found_value = value
        self.found_depth = cython.cast(cython.int, (data >> 24) & 255)
        self.found_bound = cython.cast(cython.int, (data >> 32) & 3)
        self.found_complete = (data >> 34) & 1
        self.found_move = cython.cast(cython.int, data >> 40) - 1
        return True

    def entry_suffices(self, alpha, beta):
        """True if the bound of the last lookup is sufficient for a cutoff in this window."""
        return (
            self.found_bound == EXACT
            or (self.found_bound == LOWER and self.found_value >= beta)
            or (self.found_bound == UPPER and self.found_value <= alpha)
        )

    def fails_high(self, beta):
        """True if the entry of the last lookup is a lower bound of at least beta."""
        return self.found_bound == LOWER and self.found_value >= beta

    def remember(self, key, ply, depth, value, alpha, beta, move, complete):
        """Store the result of a search in the window alpha..beta; `move` -1: none."""
        bound: cython.int = UPPER if value <= alpha else LOWER if value >= beta else EXACT
        if value > MAX_EVAL:
            value += ply
        elif value < -MAX_EVAL:
            value -= ply
        i: cython.size_t = cython.cast(cython.size_t, spread(key) >> self.table.shift) * 2
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

    # -- the trace -------------------------------------------------------------------------------

    def emit_enter(self, kernel, ply, move, depth, alpha, beta):
        """Trace the entry of a node, by a move or for the `entry_reason`."""
        with cython.gil:
            try:
                why = steps.REASONS[self.entry_reason]
                at = (ply, move, kernel.turn, depth, alpha, beta)
                self.trace(steps.TraceEvent("enter", *at, why=why, line=self.entry_line))
            except BaseException as error:
                self.fail(error)
            self.entry_reason, self.entry_line = 0, ()

    def emit_leave(self, ply, move, value, alpha, beta):
        """Trace the value of a node and its bound."""
        self.emit(LEAVE, ply, move, value, UPPER if value <= alpha else LOWER if value >= beta else EXACT)

    def emit_order(self, kernel, ply, move, weight, first, led, last):
        """Trace why `move` comes first; no event for moves in generation order.

        first: the first move, -1: none; from the last principal variation if `led`, else from the table.
        last: see `Ordering.score_moves`.
        """
        why: cython.int = 0
        if move == first:
            why = LAST_LINE if led else TABLE_MOVE
        else:
            why = self.ordering.reason(kernel, ply, move, weight, last)
        if why:
            self.emit(ORDER, ply, move, weight if why in (HISTORY, EVALUATION) else 0, why)

    def emit(self, what, ply, move, value, why):
        """Trace a step at a node; `what` and `why` are numbers defined in `search.trace`."""
        with cython.gil:
            try:
                names = steps.BOUNDS if what <= KNOWN else steps.REASONS
                self.trace(steps.TraceEvent(steps.EVENTS[what], ply, move, value=value, why=names[why]))
            except BaseException as error:
                self.fail(error)


def _descending_value(candidate):
    return -candidate.value
