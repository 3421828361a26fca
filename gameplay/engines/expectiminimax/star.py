# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Expectiminimax with pruning: alpha-beta at decisions, Star1 and Star2 at chance nodes.

Bruce Ballard, "The *-minimax search procedure for trees containing chance nodes", Artificial Intelligence
21, 1983; Thomas Hauk, Michael Buro and Jonathan Schaeffer, "Rediscovering *-minimax search", 2004.

Theorem: let v be the value that expectiminimax gives a position at this depth, and r = value(alpha, beta)
with alpha < beta. But for the rounding of sums,

    r <= alpha         then v <= r:  r is an upper bound
    alpha < r < beta   then v == r
    beta <= r          then r <= v:  r is a lower bound

so that the root has the value of expectiminimax, with or without pruning, table and order of moves.

Star1: the outcomes of a chance node are searched one after the other; the values of the remaining ones are
between `low` and `high`, the bounds of all values in the game. So the mean lies between two sums, and each
outcome has a window outside of which one of the sums leaves the window of the chance node.

Star2: before that, the most promising move of each outcome is searched. Its value is a lower bound of the
outcome if MAX moves next and an upper bound if MIN does; often these bounds suffice.

The table holds, for each position, a lower and an upper bound at its depth; equal, they are the value.
Types: star.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.engines.expectiminimax.search import ExpectationSearch
from gameplay.kernel import Kernel
from gameplay.search.ordering import Ordering

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import resized
    from cython.cimports.gameplay.native.hashing import spread
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.search import trace as steps
    from cython.cimports.gameplay.value import EXACT, HUGE, LOWER, MAX_PLY, UPPER
else:
    from gameplay.native.hashing import spread
    from gameplay.position import CHANCE
    from gameplay.search import trace as steps
    from gameplay.value import EXACT, HUGE, LOWER, MAX_PLY, UPPER

WORDS = cython.declare(cython.int, 4)  # of an entry of the table


class StarSearch(ExpectationSearch):
    """`stars`: 0 for no pruning, 1 for Star1, 2 for Star2. `table` may be None."""

    def __init__(self, kernel: Kernel, control, table, orders, seed, stars):
        ExpectationSearch.__init__(self, kernel, control, table, Ordering(orders, seed))
        self.sorts_moves = self.ordering.evaluation
        self.stars = stars
        self.size = 0
        self.star1_cuts = self.star2_cuts = 0
        self.lower_found = self.upper_found = 0.0
        if not cython.compiled:
            self.lower_bounds, self.upper_bounds = [], []
        if table is not None:
            table.words = WORDS
            if cython.compiled:
                self.doubles = cython.cast(cython.p_double, self.table.slots)
            else:
                self.doubles = table.owner.cast("B").cast("d")

    def __dealloc__(self):
        PyMem_Free(self.lower_bounds)
        PyMem_Free(self.upper_bounds)

    def report(self):
        """The current report, with the numbers of Star1 and Star2 cuts."""
        report = ExpectationSearch.report(self)
        return report.with_(star1_cuts=self.star1_cuts, star2_cuts=self.star2_cuts)

    # -- the root --------------------------------------------------------------------------------

    def order_root(self, depth):
        """Order the root's moves: the best of the last iteration first; at first as the options say."""
        if not self.best[1]:
            ExpectationSearch.order_root(self, depth)
            return
        self.put_first([candidate.move for candidate in self.best[0]])

    def root_move_value(self, kernel, base, move, depth, floor):
        if self.stars:
            return self.after(kernel, base, 1, move, depth, max(floor, self.low), self.high)
        return self.after(kernel, base, 1, move, depth, -HUGE, HUGE)

    # -- below it --------------------------------------------------------------------------------

    def after(self, kernel, base, ply, move, depth, alpha, beta):
        """MAX's expected value after `move`: make it, count and value the position, unmake it."""
        value: cython.double = 0.0
        kernel.push(move)
        if not self.count():
            if self.tracing:
                self.emit_window(kernel, ply, move, depth, alpha, beta)
            value = self.value(kernel, base, ply, depth, alpha, beta)
            if self.tracing and not self.stopped:
                self.emit_value(steps.LEAVE, ply, move, value, bound(value, alpha, beta))
        kernel.pop(move)
        return value

    def value(self, kernel, base, ply, depth, alpha, beta):
        """MAX's expected value of a position, `depth` decisions deep. See the theorem."""
        self.frames[ply].length = 0
        if ply > self.seldepth:
            self.seldepth = ply

        # 1. A finished game has its payoff; at depth 0 the evaluation replaces the value.
        if kernel.result():
            return kernel.payoff(self.maximizer)
        if self.is_leaf(kernel, depth, ply):
            return self.evaluate_leaf(kernel, ply)

        # 2. No value exceeds the maximum payoff: if the window is already there, search no further.
        if self.stars and (alpha >= self.high or beta <= self.low):
            value: cython.double = self.high if alpha >= self.high else self.low
            if self.tracing:
                self.emit_value(steps.CUT, ply, -1, value, steps.NOTHING_TO_GAIN)
            return value

        # 3. The table may have the value, or a sufficient bound.
        key: cython.ulonglong = 0
        move: cython.int = -1
        if self.table is not None:
            key = kernel.hash()
            if self.lookup_bounds(key, depth):
                value = self.upper_found if self.upper_found <= alpha else self.lower_found
                if self.upper_found <= alpha or value >= beta or value == self.upper_found:
                    if not self.found_complete:
                        self.horizon = True
                    if self.tracing:
                        self.emit_value(steps.TABLE, ply, self.found_move, value, self.found_bound)
                        self.emit_value(steps.CUT, ply, self.found_move, value, steps.BY_TABLE)
                    return value
            move = self.found_move

        # 4. A chance node or a decision.
        horizon: cython.bint = self.horizon
        self.horizon = False
        if kernel.turn == CHANCE:
            value = self.chance_node(kernel, base, ply, depth, alpha, beta)
        else:
            value = self.decision_node(kernel, base, ply, depth, alpha, beta, move)
            move = self.found_best

        # 5. Store the result in the table.
        if self.table is not None and not self.stopped:
            self.store_bounds(key, depth, value, bound(value, alpha, beta), move, not self.horizon)
        self.horizon = self.horizon or horizon
        return value

    def is_leaf(self, kernel, depth, ply):
        """True at the depth limit; at chance nodes only if the game evaluates those."""
        return ply >= MAX_PLY or (depth <= 0 and (self.evaluates_chance_nodes or kernel.turn != CHANCE))

    def decision_node(self, kernel, base, ply, depth, alpha, beta, move):
        """Search a decision node by alpha-beta, fail-soft. `move` (-1: none) is tried first."""
        maximizing: cython.bint = kernel.turn == self.maximizer
        mover: cython.int = kernel.turn
        best: cython.double = -HUGE if maximizing else HUGE
        best_move: cython.int = -1
        end: cython.int = kernel.gen(base)
        self.score_moves(kernel, base, end, ply, depth, move)
        i: cython.int
        for i in range(base, end):
            move = self.ordering.pick(kernel, i, end)
            value: cython.double = self.after(kernel, end, ply + 1, move, depth - 1, alpha, beta)
            if self.stopped:
                break
            if value <= best if maximizing else value >= best:
                continue
            best = value
            best_move = move
            if best <= alpha if maximizing else best >= beta:
                continue
            self.update_pv(ply, move)
            if not self.stars:
                continue
            if maximizing:
                alpha = best
            else:
                beta = best
            if alpha >= beta:
                self.cutoffs += 1
                self.first_cutoffs += i == base
                self.ordering.record_cutoff(ply, move, -1)
                self.ordering.update_history(kernel, mover, depth, move, -1)
                self.frames[ply].length = 0
                if self.tracing:
                    self.emit_value(steps.CUT, ply, move, best, steps.BETA)
                break
        self.found_best = best_move
        return best

    def score_moves(self, kernel, base, end, ply, depth, move):
        """Set the weights of the moves for ordering, the greatest for `move` (-1: none)."""
        # Just above the leaves, sorting by evaluation would repeat the search of the leaves.
        self.ordering.evaluation = self.sorts_moves and depth > 1
        self.ordering.score_moves(kernel, base, end, ply, move, -1)

    def chance_node(self, kernel, base, ply, depth, alpha, beta):
        """The mean of a chance node, or a bound as soon as the mean must lie outside the window."""
        end: cython.int = kernel.gen_chances(base)
        i: cython.int
        mean: cython.double = 0.0
        if not self.stars:
            for i in range(base, end):
                mean += kernel.odds[i] * self.after(kernel, end, ply + 1, kernel.stack[i], depth, -HUGE, HUGE)
                if self.stopped:
                    break
            self.frames[ply].length = 0
            return mean

        # 1. The mean lies between `lower_mean` and `upper_mean`, where each outcome counts with its bounds.
        if end > self.size:
            self.ensure_capacity(end)
            if self.stopped:
                return 0.0
        lower_mean: cython.double = 0.0
        upper_mean: cython.double = 0.0
        for i in range(base, end):
            self.lower_bounds[i] = self.low
            self.upper_bounds[i] = self.high
            lower_mean += kernel.odds[i] * self.low
            upper_mean += kernel.odds[i] * self.high

        # 2. Star2: probe one move of each outcome, if the window has a bound.
        if self.stars == 2 and (alpha > self.low or beta < self.high):
            for i in range(base, end):
                odds: cython.double = kernel.odds[i]
                if odds <= 0:
                    continue
                move: cython.int = kernel.stack[i]
                a: cython.double = max((alpha - upper_mean) / odds + self.high, self.low)
                b: cython.double = min((beta - lower_mean) / odds + self.low, self.high)
                self.bound_outcome(kernel, end, ply + 1, move, depth, a, b)
                if self.stopped:
                    return 0.0
                lower_mean += odds * (self.lower_found - self.low)
                upper_mean += odds * (self.upper_found - self.high)
                self.lower_bounds[i] = self.lower_found
                self.upper_bounds[i] = self.upper_found
                if lower_mean >= beta or upper_mean <= alpha:
                    self.star2_cuts += 1
                    self.frames[ply].length = 0
                    value: cython.double = lower_mean if lower_mean >= beta else upper_mean
                    if self.tracing:
                        self.emit_value(
                            steps.CUT,
                            ply,
                            move,
                            value,
                            steps.STAR2_BETA if lower_mean >= beta else steps.STAR2_ALPHA,
                        )
                    return value

        # 3. Star1: each outcome in the window given by the bounds of the others.
        for i in range(base, end):
            odds = kernel.odds[i]
            if odds <= 0:
                continue
            if self.lower_bounds[i] == self.upper_bounds[i]:
                mean += odds * self.lower_bounds[i]
                continue
            move = kernel.stack[i]
            a = (alpha - upper_mean) / odds + self.upper_bounds[i]
            b = (beta - lower_mean) / odds + self.lower_bounds[i]
            value = self.after(kernel, end, ply + 1, move, depth, max(a, self.low), min(b, self.high))
            if self.stopped:
                return 0.0
            lower_mean += odds * (value - self.lower_bounds[i])
            upper_mean += odds * (value - self.upper_bounds[i])
            mean += odds * value
            if value >= b or value <= a:
                self.star1_cuts += 1
                self.frames[ply].length = 0
                if value >= b:
                    value = max(lower_mean, beta)
                else:
                    value = min(upper_mean, alpha)
                if self.tracing:
                    self.emit_value(
                        steps.CUT, ply, move, value, steps.STAR1_BETA if value >= beta else steps.STAR1_ALPHA
                    )
                return value
        self.frames[ply].length = 0  # the PV ends at a chance node
        return mean

    def bound_outcome(self, kernel, base, ply, outcome, depth, alpha, beta):
        """Find bounds of an outcome, `lower_found` and `upper_found`, by one of its moves.

        The value of a move of MAX is a lower bound of the outcome; it is searched up to `beta`. That of
        a move of MIN is an upper bound; it is searched down to `alpha`.
        """
        lower: cython.double = self.low
        upper: cython.double = self.high
        kernel.push(outcome)
        if not self.count():
            if self.tracing:
                self.emit_window(kernel, ply, outcome, depth, alpha, beta)
            maximizing: cython.bint = kernel.turn == self.maximizer
            value: cython.double = upper if kernel.turn == CHANCE or not maximizing else lower
            result: cython.int = kernel.result()
            over: cython.bint = result != 0 or self.is_leaf(kernel, depth, ply)
            if over:
                value = kernel.payoff(self.maximizer) if result else self.evaluate_leaf(kernel, ply)
                lower = upper = value
            elif kernel.turn != CHANCE:
                move: cython.int = -1
                if self.table is not None:
                    if self.lookup_bounds(kernel.hash(), depth):
                        lower = max(lower, self.lower_found)
                        upper = min(upper, self.upper_found)
                        if not self.found_complete:
                            self.horizon = True
                        if self.tracing:
                            value = lower if maximizing else upper
                            self.emit_value(
                                steps.TABLE, ply, self.found_move, value, LOWER if maximizing else UPPER
                            )
                    move = self.found_move
                if lower < beta if maximizing else upper > alpha:
                    end: cython.int = kernel.gen(base)
                    self.score_moves(kernel, base, end, ply, depth, move)
                    move = self.ordering.pick(kernel, base, end)
                    if maximizing:
                        value = self.after(kernel, end, ply + 1, move, depth - 1, self.low, beta)
                        lower = max(lower, value)
                    else:
                        value = self.after(kernel, end, ply + 1, move, depth - 1, alpha, self.high)
                        upper = min(upper, value)
                    if end == base + 1 and alpha < value < beta:
                        lower = upper = value  # it was the only move
                value = lower if maximizing else upper
            if self.tracing and not self.stopped:
                if not over:
                    self.emit_value(steps.CUT, ply, -1, value, steps.PROBED)
                kind: cython.int = EXACT if lower == upper else UPPER if value == upper else LOWER
                self.emit_value(steps.LEAVE, ply, outcome, value, kind)
        kernel.pop(outcome)
        self.lower_found = lower
        self.upper_found = upper

    def ensure_capacity(self, end):
        """Allocate bounds for outcomes up to index `end` of the move stack."""
        with cython.gil:
            try:
                self.grow(2 * end)
            except BaseException as error:
                self.fail(error)

    def grow(self, size):
        if cython.compiled:
            room: cython.size_t = size * cython.sizeof(cython.double)
            self.lower_bounds = cython.cast(cython.p_double, resized(self.lower_bounds, room))
            self.upper_bounds = cython.cast(cython.p_double, resized(self.upper_bounds, room))
        else:
            self.lower_bounds += [0.0] * (size - self.size)
            self.upper_bounds += [0.0] * (size - self.size)
        self.size = size

    # -- the table: layout in search/table.py ----------------------------------------------------

    def lookup_bounds(self, key, depth):
        """True if the table bounds the position at this depth, by `lower_found` and `upper_found`.

        Also sets `found_move`, the best move stored at any depth; -1 if none.
        """
        i: cython.size_t = cython.cast(cython.size_t, spread(key) >> (self.table.shift + 1)) * WORDS
        data: cython.ulonglong = self.table.slots[i + 1]
        self.probes += 1
        self.found_move = -1
        if self.table.slots[i] != key or (data >> 35) & 31 < self.table.since:
            return False
        self.hits += 1
        self.found_move = cython.cast(cython.int, data >> 40) - 1
        self.found_depth = cython.cast(cython.int, (data >> 24) & 255)
        self.found_complete = (data >> 34) & 1
        self.lower_found = self.doubles[i + 2]
        self.upper_found = self.doubles[i + 3]
        self.found_bound = EXACT if self.lower_found == self.upper_found else LOWER
        return self.found_depth == depth or (self.found_complete and self.found_depth < depth)

    def store_bounds(self, key, depth, value, kind, move, complete):
        """Store a value or bound of a position, keeping earlier bounds."""
        i: cython.size_t = cython.cast(cython.size_t, spread(key) >> (self.table.shift + 1)) * WORDS
        lower: cython.double = -HUGE if kind == UPPER else value
        upper: cython.double = HUGE if kind == LOWER else value
        data: cython.ulonglong = self.table.slots[i + 1]
        same: cython.bint = self.table.slots[i] == key and (data >> 35) & 31 >= self.table.since
        if same and kind != EXACT and cython.cast(cython.int, (data >> 24) & 255) == depth:
            if kind == UPPER and self.doubles[i + 2] <= upper:
                lower = self.doubles[i + 2]
            elif kind == LOWER and self.doubles[i + 3] >= lower:
                upper = self.doubles[i + 3]
            complete = complete and (data >> 34) & 1
        if move >= 0xFFFFFF:
            move = -1
        self.table.slots[i] = key
        self.table.slots[i + 1] = (
            (cython.cast(cython.ulonglong, depth) << 24)
            | (cython.cast(cython.ulonglong, complete) << 34)
            | (self.table.generation << 35)
            | (cython.cast(cython.ulonglong, move + 1) << 40)
        )
        self.doubles[i + 2] = lower
        self.doubles[i + 3] = upper


def bound(value, alpha, beta):
    """The bound of a value returned by a search in a window: EXACT, LOWER or UPPER."""
    return UPPER if value <= alpha else LOWER if value >= beta else EXACT
