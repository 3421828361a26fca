# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Selective search: quiescence, extensions, reductions and pruning.  Types: search.pxd.

Theorem of the leaves: the value of a position at the depth limit is that of a game in which each side may
stop at any position and take its evaluation, unless it must answer a threat, and else plays noisy moves only
(Greenblatt 1967; Beal 1990). With every other option off, a search of d plies has the value of minimax at d
plies over such leaves.

The other options trade this equality for depth: they prune or reduce moves that are rarely best and extend
those that often are. No option prunes moves of a side that is being mated, so every win found is proven. Most
use margins in units of `Position.quiet_margin`: a quiet move rarely changes the evaluation by more (about a
pawn in chess). They are off in games without it.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from math import log

from msgspec import structs

from gameplay import value as scale
from gameplay.engines.iterative import IterativeSearch
from gameplay.search.tree import TreeSearch

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import zeroed
    from cython.cimports.gameplay.native.hashing import spread
    from cython.cimports.gameplay.search import trace as steps
    from cython.cimports.gameplay.search.descend import descend
    from cython.cimports.gameplay.value import (
        DRAWN,
        EXACT,
        INF,
        KILLER,
        LOWER,
        MAX_EVAL,
        MAX_PLY,
        NEVER,
        UPPER,
        WIN,
    )
else:
    from gameplay.native.hashing import spread
    from gameplay.search import trace as steps
    from gameplay.search.descend import descend
    from gameplay.value import DRAWN, EXACT, INF, KILLER, LOWER, MAX_EVAL, MAX_PLY, NEVER, UPPER, WIN

LAST = cython.declare(cython.int, MAX_PLY - 1)
PLIES = cython.declare(cython.int, MAX_PLY + 3)
NULL = cython.declare(cython.int, -1)
QUIESCENCE_DEPTH = cython.declare(cython.int, -1000)  # marks nodes below the leaves: noisy moves only
UNDECIDED = cython.declare(cython.int, -2 * INF)  # not a value


if not cython.compiled:
    REDUCTIONS = [0] * (64 * 64)


def _fill():
    """Fill the table of late move reductions, once for all searches."""
    i: cython.int
    j: cython.int
    for i in range(1, 64):
        for j in range(1, 64):
            REDUCTIONS[64 * i + j] = int(0.75 + log(i) * log(j) / 2.25)


_fill()


class PlainNode:
    """Table entry and static evaluation of a node; see Node in search.pxd."""

    __slots__ = ("forced", "improving", "key", "static", "tt_bound", "tt_depth", "tt_move", "tt_value")

    def __init__(self):
        self.tt_value = 0  # not set without a table


class SelectiveSearch(IterativeSearch):
    """Iterative deepening with quiescence search, extensions, reductions and pruning."""

    def __init__(self, kernel, control, table, ordering, pvs, shallow, aspiration, mtdf=False, options=None):
        IterativeSearch.__init__(self, kernel, control, table, ordering, pvs, shallow, aspiration, mtdf)
        measured = kernel.quiet_margin > 0
        self.quiet_margin = kernel.quiet_margin
        self.mates = options.mates
        self.threshold = options.threshold and measured
        self.null = options.null and measured
        self.reduce = options.reduce and measured
        self.late = options.late and measured
        self.futility = options.futility and measured
        self.exchange = options.exchange and measured
        self.singular = options.singular and measured
        self.extend = options.extend
        self.delta = options.delta and measured
        self.checks = options.checks
        self.plausible = options.plausible
        self.secondary = options.secondary
        self.null_floor = 0
        self.evaluate_at(NEVER)
        if self.table_depth < INF:
            self.table_depth = QUIESCENCE_DEPTH + 1
        if cython.compiled:
            self.info = cython.cast(cython.pointer(Node), zeroed(2 * PLIES, cython.sizeof(Node)))
        else:
            self.info = [PlainNode() for _ in range(2 * PLIES)]

    def __dealloc__(self):
        PyMem_Free(self.info)

    # -- the root --------------------------------------------------------------------------------

    def secondary_search(self, depth, value):
        """Secondary search (Greenblatt 1967): verify the best move by a search at the end of its line."""
        if not self.secondary or self.helper or scale.is_win(value):
            return value
        # 1. Search a few plies more at the end of the line, for the root's mover.
        kernel: Kernel = self.kernel
        before = self.best
        chosen = before[0][0]
        base: cython.int = len(self.moves)
        mover: cython.int = kernel.turn
        ply: cython.int = 0
        second: cython.int = value
        line = self.searched_lines[chosen.move]
        for move in line:
            if kernel.result():
                break
            kernel.push(move)
            ply += 1
        if not kernel.result() and ply + self.secondary < LAST:
            self.following = False
            self.nodes += 1
            self.entry_reason, self.entry_line = steps.SECONDARY, tuple(line[:ply])
            second = self.enter_node(kernel, base, ply, NULL, self.secondary, -INF, INF)
            second = second if kernel.turn == mover else -second
        for move in reversed(line[:ply]):
            kernel.pop(move)
        if self.stopped or second >= value - self.quiet_margin // 2:
            return value

        # 2. The value of the line has dropped: search the other moves against its new value.
        moves = self.moves
        self.moves = [move for move in moves if move != chosen.move]
        self.entry_reason = steps.SECONDARY
        best: cython.int = self.root(depth, second, INF) if self.moves else second
        self.moves = moves
        if best <= second or self.stopped:
            best = second
            self.best = ((structs.replace(chosen, value=second), *before[0][1:]), depth, before[2])
        else:
            self.best = (self.best[0], depth, before[2])
        return best

    def child(self, kernel, base, move, depth, alpha, beta):
        """Reduce late quiet moves, as in inner nodes (see expand, 6)."""
        if (
            self.reduce
            and not self.reaches_end
            and self.tried > 2
            and alpha > -INF
            and depth > 2
            and kernel.gain(move) == 0
            and not self.threatens_after(kernel, move)
        ):
            if self.tracing:
                self.emit(steps.REDUCE, 0, move, 1 + (self.tried > 12), steps.LATE_MOVE)
            value: cython.int = descend(
                self, kernel, base, 1, move, depth - 1 - (self.tried > 12), alpha, alpha + 1
            )
            if value <= alpha or self.stopped:
                return value
        return IterativeSearch.child(self, kernel, base, move, depth, alpha, beta)

    def threatens_after(self, kernel, move):
        """True if the other side must answer a threat after the move; makes it, unlike kernel.threatens()."""
        kernel.push(move)
        is_threatened: cython.bint = kernel.is_threatened()
        kernel.pop(move)
        return is_threatened

    def end(self, kernel, result, ply):
        """As in `TreeSearch`; a draw by repetition depends on the path, so it is not complete."""
        if result == DRAWN and kernel.is_repeated():
            self.horizon = True
        return TreeSearch.end(self, kernel, result, ply)

    # -- the leaves ------------------------------------------------------------------------------

    def quiesce(self, kernel, base, ply, alpha, beta, entry):
        # 1. Stand pat: some quiet move is assumed to be as good as the evaluation, unless a threat forces.
        best: cython.int = -INF
        end: cython.int = kernel.gen_noisy(base)
        forced: cython.bint = kernel.is_forced
        stands: cython.bint = not forced or end == base or ply >= LAST
        if stands:
            best = kernel.score()
            if self.tracing:
                self.emit(steps.EVALUATE, ply, NULL, best, steps.STAND_PAT)
            if best >= beta or ply >= LAST:
                if self.tracing and best >= beta:
                    self.emit(steps.CUT, ply, NULL, best, steps.STAND_PAT)
                return best
            # 2. At the first ply of quiescence also quiet moves that threaten: checks (Beal and Smith 1990).
            if entry and self.checks and not forced:
                end = kernel.gen_threats(end)
            if end == base:
                return best
            alpha = max(alpha, best)

        # 3. The noisy moves, each played out until the position is quiet.
        ceiling: cython.int = best + 2 * self.quiet_margin
        i: cython.int
        if end - base > 1:
            self.ordering.score_moves(kernel, base, end, ply, NULL, NULL)
        for i in range(base, end):
            move: cython.int = self.ordering.pick(kernel, i, end) if end - base > 1 else kernel.stack[i]
            if stands:
                gain: cython.int = kernel.gain(move)
                # 4. Delta pruning: even with its material gain the move stays below alpha (Schaeffer 1986).
                if self.delta and gain and ceiling + gain <= alpha:
                    best = max(best, ceiling + gain)
                    if self.tracing:
                        self.emit(steps.SKIP, ply, move, ceiling + gain, steps.DELTA)
                    continue
                # 5. Skip captures that lose material (static exchange evaluation).
                if self.exchange and kernel.see(move) < 0:
                    if self.tracing:
                        self.emit(steps.SKIP, ply, move, kernel.see(move), steps.EXCHANGE)
                    continue
            value: cython.int = descend(self, kernel, end, ply + 1, move, QUIESCENCE_DEPTH, alpha, beta)
            if self.stopped:
                return best
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        if self.tracing:
                            self.emit(steps.CUT, ply, move, value, steps.BETA)
                        break
                    self.update_pv(ply, move)
        return best

    # -- the tree --------------------------------------------------------------------------------

    def visit(self, kernel, base, ply, depth, alpha, beta):
        self.frames[ply].length = 0
        if ply > self.seldepth:
            self.seldepth = ply

        # 1. Quiescence below the leaves; a repetition is a draw.
        if depth == QUIESCENCE_DEPTH:
            return self.quiesce(kernel, base, ply, alpha, beta, False)
        if kernel.is_repeated():
            self.horizon = True
            if self.tracing:
                self.emit(steps.CUT, ply, NULL, 0, steps.REPETITION)
            return 0
        if self.solves and depth > 0:
            value: cython.int = kernel.moves_left()
            if 0 < value <= depth:  # the depth reaches the end
                return self.solve_endgame(kernel, ply, alpha, beta)
        if ply >= LAST:
            self.horizon = True
            value = kernel.score()
            if self.tracing:
                self.emit(steps.EVALUATE, ply, NULL, value, 0)
            return value

        # 2. Mate-distance pruning: no line from here can improve on a shorter win found before.
        if self.mates:
            alpha = max(alpha, ply - WIN)
            beta = min(beta, WIN - ply - 1)
            if alpha >= beta:
                if self.tracing:
                    self.emit(steps.CUT, ply, NULL, alpha, steps.MATE_DISTANCE)
                return alpha

        # 3. The table: outside the principal variation any entry at least as deep suffices. Searches without
        #    a move (singular extensions) have entries of their own, for the other threads.
        pv: cython.bint = beta - alpha > 1
        excluded: cython.int = self.frames[ply].excluded
        at: cython.int = ply if excluded < 0 else ply + PLIES
        self.info[at].key = 0
        self.info[at].tt_move = NULL
        self.info[at].tt_bound = 0
        stored: cython.bint = self.table is not None and (excluded < 0 or self.shared)
        if stored:
            self.info[at].key = kernel.hash() if excluded < 0 else kernel.hash() ^ spread(excluded + 1)
            self.probes += 1
            if self.lookup(self.info[at].key, ply):
                self.hits += 1
                self.info[at].tt_move = self.found_move
                self.info[at].tt_bound = self.found_bound
                self.info[at].tt_value = self.found_value
                self.info[at].tt_depth = self.found_depth
                if self.tracing:
                    self.emit(steps.TABLE, ply, self.found_move, self.found_value, self.found_bound)
                deep: cython.bint = self.found_complete or (self.found_depth >= depth and not pv)
                if deep and self.entry_suffices(alpha, beta):
                    self.horizon = self.horizon or not self.found_complete
                    if self.tracing:
                        self.emit(steps.CUT, ply, self.found_move, self.found_value, steps.BY_TABLE)
                    return self.found_value

        if self.probe is not None and excluded < 0 and self.known(kernel, ply, alpha, beta):
            return self.probe.value

        # 4. At the depth limit, the value of the quiescence search.
        if depth <= 0:
            self.horizon = True
            value = self.quiesce(kernel, base, ply, alpha, beta, True)
            if stored and not self.stopped:
                self.remember(self.info[at].key, ply, 0, value, alpha, beta, self.info[at].tt_move, False)
            return value

        # 5. Pruning of the whole node, from the static evaluation.
        value = self.prune_node(kernel, base, ply, at, depth, alpha, beta)
        if value != UNDECIDED:
            return value

        # 6. Internal iterative reduction (Rebel): without a table move search a ply less; the next visit has
        #    one.
        if self.reduce and not self.reaches_end and self.info[at].tt_move < 0 and depth >= 4 and excluded < 0:
            depth -= 1
            if self.tracing:
                self.emit(steps.REDUCE, ply, NULL, 1, steps.NO_TABLE_MOVE)
        return self.expand(kernel, base, ply, at, depth, alpha, beta)

    def prune_node(self, kernel, base, ply, at, depth, alpha, beta):
        """The value of a position that is pruned before its moves are searched; UNDECIDED if it is not."""
        # 1. The static evaluation, and whether it improves for the mover. Nothing is pruned if the search
        #    reaches the end of the game.
        quiet_margin: cython.int = 0 if self.reaches_end else self.quiet_margin
        forced: cython.bint = kernel.is_threatened()
        static: cython.int = -INF
        improving: cython.bint = False
        bound: cython.int = self.info[at].tt_bound
        self.frames[ply].static = -INF
        if quiet_margin and not forced:
            static = kernel.score()
            self.frames[ply].static = static
            improving = ply >= 2 and static > self.frames[ply - 2].static
            if bound:
                value: cython.int = self.info[at].tt_value
                if (bound == UPPER and value > static) or (bound == LOWER and value < static):
                    value = static
                if -MAX_EVAL <= value <= MAX_EVAL:
                    static = value
        self.info[at].forced = forced
        self.info[at].static = static
        self.info[at].improving = improving
        if (
            not quiet_margin
            or beta - alpha > 1
            or forced
            or self.frames[ply].excluded >= 0
            or not -MAX_EVAL <= beta <= MAX_EVAL
        ):
            return UNDECIDED

        # 2. Reverse futility (static null move) pruning: the evaluation exceeds beta by a margin.
        if self.threshold and depth <= 7 and static - quiet_margin * (depth - improving) >= beta:
            self.horizon = True
            if self.tracing:
                self.emit(steps.CUT, ply, NULL, static, steps.THRESHOLD)
            return static

        # 3. Null move (Beal 1989; Donninger 1993): if a pass fails high, some move does, too. At high depth
        #    this is verified by a search without null moves, against zugzwang.
        if not (
            self.null
            and depth >= 3
            and static >= beta
            and not self.frames[ply].after_null
            and ply >= self.null_floor
            and kernel.null_move()
        ):
            return UNDECIDED
        reduction: cython.int = 3 + depth // 4 + min((static - beta) // (2 * quiet_margin), 3)
        self.frames[ply + 1].previous_move = NULL
        self.frames[ply + 1].after_null = True
        self.following = False
        self.nodes += 1
        self.entry_reason = steps.NULL_MOVE
        value = -self.enter_node(kernel, base, ply + 1, NULL, depth - 1 - reduction, -beta, -beta + 1)
        self.frames[ply + 1].after_null = False
        kernel.undo_null_move()
        if self.stopped:
            return 0
        if value < beta:
            return UNDECIDED
        self.horizon = True
        if value > MAX_EVAL:
            value = beta
        if depth >= 10 and not self.null_floor:
            self.null_floor = ply + 3 * (depth - reduction) // 4
            verified: cython.int = self.search_again(
                kernel, base, ply, NULL, depth - 1 - reduction, beta - 1, beta, steps.VERIFIED
            )
            self.null_floor = 0
            if verified < beta and not self.stopped:
                return UNDECIDED
        if self.tracing:
            self.emit(steps.CUT, ply, NULL, value, steps.NULL_MOVE)
        return value

    def search_again(self, kernel, base, ply, move, depth, alpha, beta, reason):
        """Search a position again within its own search. move: the excluded one, or NULL."""
        if self.count():
            return 0
        if self.tracing:
            self.entry_reason = reason
            self.emit_enter(kernel, ply, move, depth, alpha, beta)
        value: cython.int = self.visit(kernel, base, ply, depth, alpha, beta)
        if self.tracing and not self.stopped:
            self.emit_leave(ply, move, value, alpha, beta)
        return value

    def expand(self, kernel, base, ply, at, depth, alpha, beta):
        """Search the moves of a position and return its value."""
        pv: cython.bint = beta - alpha > 1
        excluded: cython.int = self.frames[ply].excluded
        key: cython.ulonglong = self.info[at].key
        first: cython.int = self.info[at].tt_move
        floor: cython.int = alpha
        best: cython.int = -INF
        best_move: cython.int = -1
        tried: cython.int = 0
        quiets: cython.int = 0
        horizon: cython.bint = self.horizon
        self.horizon = False
        deeper: cython.int  # depth of the subtree
        claimed: cython.ulonglong = 0
        mover: cython.int = kernel.turn

        # 1. The moves: that of the last principal variation, the table's, then by the option `order`.
        if self.following:
            if self.frames[ply].last_pv >= 0:
                first = self.frames[ply].last_pv
            else:
                self.following = False
        reported: cython.bint = not self.tracing
        end: cython.int = kernel.gen(base)
        self.picker.open(kernel, at, base, end, ply, first, self.frames[ply].previous_move, excluded)
        while True:
            move: cython.int = self.picker.next(kernel, at)
            if move < 0:
                break
            weight: cython.int = self.picker.weight
            if not reported:
                reported = True
                self.emit_order(
                    kernel, ply, move, weight, first, self.following, self.frames[ply].previous_move
                )
            quiet: cython.bint = kernel.gain(move) == 0
            replaying: cython.bint = self.picker.is_replaying(at)  # a deferred move: counted and not pruned

            # 2. Plausible moves only (Shannon's type B): the first few.
            if self.plausible and tried >= self.plausible and not self.info[at].forced and not replaying:
                self.horizon = True
                if self.tracing:
                    self.emit(steps.SKIP, ply, move, 0, steps.PLAUSIBLE)
                break

            # 3. Near the leaves, once a move does not lose, prune moves that are rarely best.
            if not pv and best >= -MAX_EVAL and not replaying:
                reason: cython.int = self.prune_move(
                    kernel, ply, at, move, weight, quiet, quiets, depth, alpha
                )
                if reason:
                    self.horizon = True
                    if self.tracing:
                        self.emit(steps.SKIP, ply, move, 0, reason)
                    continue

            # 4. Singular extension: search the table's move deeper if it is better than all others.
            deeper = depth - 1
            if self.singular and move == first and depth >= 7 and excluded < 0:
                value: cython.int = self.second_best(kernel, end, ply, at, move, depth)
                if self.stopped:
                    return best
                if value != UNDECIDED:
                    singular_beta: cython.int = self.info[at].tt_value - self.quiet_margin * depth // 40
                    if value < singular_beta:
                        deeper = depth
                        if self.tracing:
                            self.emit(steps.EXTEND, ply, move, 1, steps.SINGULAR)
                    elif singular_beta >= beta and not pv:
                        self.horizon = True
                        if self.tracing:
                            self.emit(steps.CUT, ply, move, singular_beta, steps.MULTI_CUT)
                        return singular_beta
            # Check extension (Shannon 1950): an answer to a threat is forced.
            if self.extend and deeper < depth and kernel.threatens(move):
                deeper = depth
                if self.tracing:
                    self.emit(steps.EXTEND, ply, move, 1, steps.THREAT)

            # 5. With several threads, defer moves that another thread is searching (simplified ABDADA).
            if self.shared and tried and depth > 2:
                if not pv and self.lookup(key, ply) and self.found_depth >= depth and self.fails_high(beta):
                    self.horizon = True
                    return self.found_value
                if not replaying:
                    claimed = self.claim(key, move, depth)
                    if not claimed:
                        self.picker.defer(kernel, at, move, weight)
                        tried += 1
                        quiets += quiet
                        continue
            self.frames[ply + 1].previous_move = ((mover & 1) << 12) | kernel.history_index(move)

            # 6. Late move reductions (Levy 1989; Heinz; Romstad 2006): search late moves less deep, and again
            #    in full if they exceed alpha. PVS (Marsland and Campbell 1982): a null window suffices to
            #    prove that a later move is no better than the first.
            if tried == 0 or not self.pvs:
                value = descend(self, kernel, end, ply + 1, move, deeper, alpha, beta)
            else:
                plies: cython.int = 0
                if tried > pv and weight < KILLER - 1 and deeper < depth:
                    plies = self.reduction(at, depth, tried, pv, quiet, weight)
                    if self.tracing and plies:
                        self.emit(steps.REDUCE, ply, move, plies, steps.LATE_MOVE)
                value = descend(self, kernel, end, ply + 1, move, deeper - plies, alpha, alpha + 1)
                if plies and value > alpha and not self.stopped:
                    value = descend(self, kernel, end, ply + 1, move, deeper, alpha, alpha + 1)
                if alpha < value < beta and pv and not self.stopped:
                    value = descend(self, kernel, end, ply + 1, move, deeper, alpha, beta)
            if claimed:
                self.free(claimed)
                claimed = 0
            self.following = False
            if self.stopped:
                return best
            if not replaying:
                tried += 1
                quiets += quiet

            if value > best:
                best = value
                if value > alpha:
                    best_move = move
                    alpha = value
                    if pv:
                        self.update_pv(ply, move)
                    # 7. Beta cutoff: update the move ordering.
                    if alpha >= beta:
                        self.cutoffs += 1
                        self.first_cutoffs += tried == 1
                        if quiet:
                            self.update_ordering(
                                kernel, mover, base, self.picker.pick_index(at), ply, depth, move
                            )
                        if self.tracing:
                            self.emit(steps.CUT, ply, move, value, steps.BETA)
                        break

        # 8. The excluded move is the only legal one, and therefore singular.
        if tried == 0:
            self.horizon = True
            return alpha

        # 9. Store the result in the table.
        if self.table is not None and (excluded < 0 or self.shared):
            if best_move < 0:
                best_move = first
            self.remember(key, ply, depth, best, floor, beta, best_move, not self.horizon)
        self.horizon = self.horizon or horizon
        return best

    def prune_move(self, kernel, ply, at, move, weight, quiet, quiets, depth, alpha):
        """The reason why a move is pruned near the leaves; 0 if it is not."""
        if self.reaches_end or not self.quiet_margin or self.info[at].forced:
            return 0
        # 1. Late quiet moves (move count pruning) and those that cannot raise the evaluation to alpha
        #    (futility, Heinz 1998), except threats.
        if quiet:
            reason: cython.int = 0
            max_quiets: cython.int = (3 + depth * depth) // (1 if self.info[at].improving else 2)
            if self.late and depth <= 7 and quiets >= max_quiets:
                reason = steps.LATE
            elif (
                self.futility
                and depth <= 6
                and self.info[at].static + self.quiet_margin * (1 + depth) <= alpha
            ):
                reason = steps.FUTILITY
            if reason and not kernel.threatens(move):
                return reason
        # 2. Moves that lose material (static exchange evaluation).
        max_loss: cython.int = self.quiet_margin * depth // 2 if quiet else self.quiet_margin * depth
        if self.exchange and depth <= 6 and weight < KILLER and kernel.see(move) < -max_loss:
            return steps.EXCHANGE
        return 0

    def second_best(self, kernel, base, ply, at, move, depth):
        """Singular extension (Anantharaman, Campbell and Hsu 1988): the value of the position without
        `move`, searched to half the depth in a null window below the value in the table; UNDECIDED if the
        table entry is insufficient. If all other moves are worse by a margin, `move` is singular; if another
        one also fails high, that is a cutoff.
        """
        singular_beta: cython.int = self.info[at].tt_value
        if (
            self.reaches_end
            or self.info[at].tt_bound not in (EXACT, LOWER)
            or self.info[at].tt_depth < depth - 3
            or not -MAX_EVAL <= singular_beta <= MAX_EVAL
        ):
            return UNDECIDED
        singular_beta -= self.quiet_margin * depth // 40
        self.frames[ply].excluded = move
        value: cython.int = self.search_again(
            kernel, base, ply, move, (depth - 1) // 2, singular_beta - 1, singular_beta, steps.SINGULAR
        )
        self.frames[ply].excluded = NULL
        self.frames[ply].length = 0
        return value

    def reduction(self, at, depth, tried, pv, quiet, weight):
        """The reduction of a late move, in plies."""
        if not self.reduce or self.reaches_end or depth < 3:
            return 0
        plies: cython.int = REDUCTIONS[64 * min(depth, 63) + min(tried, 63)]
        if pv:
            plies -= 1
        if not self.info[at].improving:
            plies += 1
        if self.info[at].forced:
            plies -= 1
        if quiet and weight > 8000:
            plies -= 1
        elif quiet and weight < -8000:
            plies += 1
        return max(0, min(plies, depth - 2))

    def update_ordering(self, kernel, mover, base, end, ply, depth, move):
        """Update killers and history: `move` cut off, the quiet moves at stack[base:end] did not."""
        previous_move: cython.int = self.frames[ply].previous_move
        bonus: cython.int = min(depth * depth, 400)
        j: cython.int
        self.ordering.record_cutoff(ply, move, previous_move)
        self.ordering.adjust_history(kernel, mover, move, bonus, previous_move)
        for j in range(base, end):
            if kernel.gain(kernel.stack[j]) == 0:
                self.ordering.adjust_history(kernel, mover, kernel.stack[j], -bonus, previous_move)
