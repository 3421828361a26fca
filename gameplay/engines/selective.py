# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Selective search: deepen where it is noisy, stop early where nothing can change.  Types: selective.pxd.

Theorem of the leaves: the value of a position at the depth is that of a game in which each side may stop
at any calm position and take its evaluation, and otherwise plays noisy moves only; where the mover must
answer a threat he may not stop (Greenblatt 1967; Beal 1990). With every other option off, a search of d
plies has the value of minimax at d plies over such leaves.

The other options give that up for depth: each cuts what is seldom worth a look or looks longer at what
often is. None does so for a side that is being mated, so a win that is found is a win. Most measure by
`swing`, what a quiet move seldom changes the evaluation by (in chess about a pawn); in a game that does
not say it they do nothing.

What each is worth in chess: Elo of the search as it is over the same without the option, at 8,000 nodes a
move, 160 games in pairs from configs/openings/chess.txt, with the 95 % interval; and the nodes that a search
of 10 plies visits without it, over 89,536 with it, in one position of many captures ("Kiwipete").

    exchange   +171 [+133, +214]   2.6      extend      -7 [-53, +40]   0.9
    threshold   +66 [+23, +111]    1.2      mates       +2 [-7, +12]
    late        +64 [+23, +106]    1.5      null        +0 [-44, +44]   0.8
    singular    +46 [+4, +90]      0.6      futility    +0 [-44, +44]   1.1
    reduce      +33 [-10, +76]     3.4      checks      +0 [-47, +47]   1.0
                                            delta      -28 [-77, +19]   0.8

The order of moves (120 games): without continuation +44 [-6, +95], without killers and countermoves either
+73 [+25, +124]. Two ideas of the first programs, off because they cost more than they bring (120 games):
plausible=8 loses 426 [344, 567] Elo, plausible=16 158 [109, 213]; secondary=2 loses 124 [73, 180]. In
Othello the whole choice is worth +168 [+99, +253] over `iterative` (100 games, 10,000 nodes a move).
"""

try:
    import cython
except ImportError:
    from gameplay import nocython as cython

from dataclasses import dataclass
from math import log

from gameplay import value as scale
from gameplay.engines.iterative import Iterative, IterativeSearcher
from gameplay.errors import Usage
from gameplay.search.engine import option

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Calloc, PyMem_Free

ALIASES = ("sel",)

INF = cython.declare(cython.int, scale.INF)
WIN = cython.declare(cython.int, scale.WIN)
GUESS = cython.declare(cython.int, scale.GUESS)
LAST = cython.declare(cython.int, scale.MAX_PLY - 1)
PLIES = cython.declare(cython.int, scale.MAX_PLY + 2)
KILLER = cython.declare(cython.int, scale.KILLER)
NULL = cython.declare(cython.int, -1)


class SelectiveSearcher(IterativeSearcher):
    """Iterative deepening with calm leaves and, by option, a choice of what to look at."""

    def __init__(self, kernel, control, table, ordering, pvs, shallow, aspiration, options=None):
        IterativeSearcher.__init__(self, kernel, control, table, ordering, pvs, shallow, aspiration)
        measured = kernel.swing > 0
        self.swing = kernel.swing
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
        if cython.compiled:
            self.statics = cython.cast(cython.p_int, PyMem_Calloc(PLIES, cython.sizeof(cython.int)))
            self.excluded = cython.cast(cython.p_int, PyMem_Calloc(PLIES, cython.sizeof(cython.int)))
            self.null_made = cython.cast(cython.p_int, PyMem_Calloc(PLIES, cython.sizeof(cython.int)))
            self.reductions = cython.cast(cython.p_int, PyMem_Calloc(64 * 64, cython.sizeof(cython.int)))
            if not (self.statics and self.excluded and self.null_made and self.reductions):
                raise MemoryError
        else:
            self.statics = [0] * PLIES
            self.excluded = [0] * PLIES
            self.null_made = [False] * PLIES
            self.reductions = [0] * (64 * 64)
        i: cython.int
        j: cython.int
        for i in range(PLIES):
            self.excluded[i] = NULL
        for i in range(1, 64):
            for j in range(1, 64):
                self.reductions[64 * i + j] = int(0.75 + log(i) * log(j) / 2.25)

    def __dealloc__(self):
        PyMem_Free(self.statics)
        PyMem_Free(self.excluded)
        PyMem_Free(self.null_made)
        PyMem_Free(self.reductions)

    def trust(self, depth, value):
        """Secondary search (Greenblatt 1967): look further along the line chosen before trusting it."""
        if not self.secondary or self.helper or scale.is_win(value):
            return value
        # 1. Search a few plies more at the end of the line, for the root's mover.
        kernel: Kernel = self.kernel
        chosen, _, _, pv, exact = self.best
        base: cython.int = len(self.moves)
        mover: cython.int = kernel.turn
        ply: cython.int = 0
        second: cython.int = value
        for move in pv:
            if kernel.result():
                break
            kernel.push(move)
            ply += 1
        if not kernel.result() and ply + self.secondary < LAST:
            self.following = False
            second = self.below(kernel, mover, base, ply, self.secondary, -INF, INF)
        for move in reversed(pv[:ply]):
            kernel.pop(move)
        if self.stopped or second >= value - self.swing // 2:
            return value

        # 2. The line fails: is any other move better than what it is now worth?
        moves = self.moves
        self.moves = [move for move in moves if move != chosen]
        found: cython.int = self.root(depth, second, INF) if self.moves else second
        self.moves = moves
        if found <= second or self.stopped:
            found = second
            self.best = (chosen, second, depth, pv, exact)
        else:
            self.finish(depth, found, exact)
        return found

    def child(self, kernel, base, depth, alpha, beta, mover, first):
        """As the inner nodes do: late quiet moves less deep first (see visit, 16)."""
        value: cython.int
        if (
            self.reduce
            and not self.whole
            and self.quiet
            and self.tried > 2
            and depth > 2
            and not kernel.threatened()
        ):
            value = self.below(kernel, mover, base, 1, depth - 1 - (self.tried > 12), alpha, alpha + 1)
            if value <= alpha or self.stopped:
                return value
        return IterativeSearcher.child(self, kernel, base, depth, alpha, beta, mover, first)

    # -- the leaves ------------------------------------------------------------------------------

    def leaf(self, kernel, base, ply, alpha, beta):
        self.horizon = True
        return self.quiesce(kernel, base, ply, alpha, beta, True)

    def quiesce(self, kernel, base, ply, alpha, beta, entry):
        # 1. Standing pat: some quiet move is at least as good as the evaluation says, unless forced.
        best: cython.int = -INF
        value: cython.int
        end: cython.int = kernel.gen_noisy(base)
        forced: cython.bint = kernel.is_forced
        stands: cython.bint = not forced or end == base or ply >= LAST
        if stands:
            best = kernel.score()
            if best >= beta or ply >= LAST:
                return best
            # 2. At the first ply also the quiet moves that threaten: checks (Beal and Smith 1990).
            if entry and self.checks and not forced:
                end = kernel.gen_threats(end)
            if end == base:
                return best
            alpha = max(alpha, best)

        # 3. The noisy moves, each to its calm end.
        ceiling: cython.int = best + 2 * self.swing
        mover: cython.int = kernel.turn
        result: cython.int
        move: cython.int
        gain: cython.int
        i: cython.int
        if end - base > 1:
            self.ordering.weigh(kernel, base, end, ply, NULL, NULL)
        for i in range(base, end):
            move = self.ordering.pick(kernel, i, end) if end - base > 1 else kernel.stack[i]
            if stands:
                gain = kernel.gain(move)
                # 4. Delta pruning: even with what it takes the move stays below alpha (Schaeffer 1986).
                if self.delta and gain and ceiling + gain <= alpha:
                    best = max(best, ceiling + gain)
                    continue
                # 5. An exchange that loses is not noise but a mistake (static exchange evaluation).
                if self.exchange and kernel.exchange(move) < 0:
                    continue
            kernel.push(move)
            self.nodes += 1
            if self.nodes >= self.next_poll and self.poll():
                kernel.pop(move)
                return best
            self.length[ply + 1] = 0
            if ply + 1 > self.seldepth:
                self.seldepth = ply + 1
            result = kernel.result()
            if result:
                value = self.end(kernel, result, ply + 1)
                value = value if kernel.turn == mover else -value
            elif kernel.turn == mover:
                value = self.quiesce(kernel, end, ply + 1, alpha, beta, False)
            else:
                value = -self.quiesce(kernel, end, ply + 1, -beta, -alpha, False)
            kernel.pop(move)
            if self.stopped:
                return best
            if value > best:
                best = value
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        break
                    self.update_pv(ply, move)
        return best

    # -- the tree --------------------------------------------------------------------------------

    def below(self, kernel, mover, base, ply, depth, alpha, beta):
        """The value of a position just reached, from the view of `mover`, who moved."""
        if kernel.turn == mover:
            return self.visit(kernel, base, ply, depth, alpha, beta)
        return -self.visit(kernel, base, ply, depth, -beta, -alpha)

    def visit(self, kernel, base, ply, depth, alpha, beta):
        # 1. Count the position; stop if told to.
        self.nodes += 1
        if self.nodes >= self.next_poll and self.poll():
            return 0
        self.length[ply] = 0
        if ply > self.seldepth:
            self.seldepth = ply

        # 2. A finished game has its value. What came before may come again: a draw.
        value: cython.int
        if kernel.repeated():
            self.horizon = True
            return 0
        result: cython.int = kernel.result()
        if result:
            return self.end(kernel, result, ply)
        if self.solves and depth > 0:
            value = kernel.near()
            if 0 < value <= depth:  # the depth reaches the end
                return self.settle(kernel, alpha, beta)
        if ply >= LAST:
            self.horizon = True
            return kernel.score()

        # 3. Mate-distance pruning: no line from here can beat a shorter win that is already sure.
        if self.mates:
            alpha = max(alpha, ply - WIN)
            beta = min(beta, WIN - ply - 1)
            if alpha >= beta:
                return alpha

        # 4. The table: outside the principal variation any result at least as deep will do.
        pv: cython.bint = beta - alpha > 1
        excluded: cython.int = self.excluded[ply]
        key: cython.ulonglong = 0
        first: cython.int = -1
        known: cython.int = 0  # bound of the value in the table, 0: none
        known_value: cython.int = 0
        known_depth: cython.int = 0
        if self.table is not None and excluded < 0:
            key = kernel.hash()
            self.probes += 1
            if self.lookup(key, ply):
                self.hits += 1
                first = self.found_move
                known = self.found_bound
                known_value = self.found_value
                known_depth = self.found_depth
                complete: cython.bint = self.found_complete
                if (complete or (known_depth >= depth and not pv)) and (
                    known == 1
                    or (known == 2 and known_value >= beta)
                    or (known == 3 and known_value <= alpha)
                ):
                    self.horizon = self.horizon or not complete
                    return known_value

        # 5. At the depth, the calm value.
        floor: cython.int = alpha
        if depth <= 0:
            value = self.leaf(kernel, base, ply, alpha, beta)
            if self.table is not None and excluded < 0 and not self.stopped:
                self.remember(
                    key, ply, 0, value, 3 if value <= floor else 2 if value >= beta else 1, first, False
                )
            return value

        # 6. What the position looks worth, and whether it gets better for the mover. Where the search reaches
        #    the end of the game that does not matter, and nothing is left out.
        swing: cython.int = 0 if self.whole else self.swing
        forced: cython.bint = kernel.threatened()
        static: cython.int = -INF
        improving: cython.bint = False
        self.statics[ply] = -INF
        if swing and not forced:
            static = kernel.score()
            self.statics[ply] = static
            improving = ply >= 2 and static > self.statics[ply - 2]
            if (
                known == 1 or (known == 2 and known_value > static) or (known == 3 and known_value < static)
            ) and (-GUESS <= known_value <= GUESS):
                static = known_value
        scout: cython.bint = swing and not pv and not forced and excluded < 0 and -GUESS <= beta <= GUESS

        # 7. Threshold: so far beyond bounds that a quiet move will not bring it back. (The lecture's; known
        #    as reverse futility or static null move pruning.)
        if self.threshold and scout and depth <= 7 and static - swing * (depth - improving) >= beta:
            self.horizon = True
            return static

        # 8. Null move (Beal 1989; Donninger 1993): if even leaving the move to the other side is good
        #    enough, some move is. Deep down that is verified by a search with a move, against zugzwang.
        less: cython.int
        if (
            self.null
            and scout
            and depth >= 3
            and static >= beta
            and not self.null_made[ply]
            and ply >= self.null_floor
            and kernel.null_move()
        ):
            less = 3 + depth // 4 + min((static - beta) // (2 * swing), 3)
            self.last[ply + 1] = NULL
            self.null_made[ply + 1] = True
            self.following = False
            value = -self.visit(kernel, base, ply + 1, depth - 1 - less, -beta, -beta + 1)
            self.null_made[ply + 1] = False
            kernel.undo_null_move()
            if self.stopped:
                return 0
            if value >= beta:
                self.horizon = True
                if value > GUESS:
                    value = beta
                if depth < 10 or self.null_floor:
                    return value
                self.null_floor = ply + 3 * (depth - less) // 4
                result = self.visit(kernel, base, ply, depth - 1 - less, beta - 1, beta)
                self.null_floor = 0
                if result >= beta or self.stopped:
                    return value

        # 9. Where the table knows no move, a ply less: the next visit will find one (Rebel).
        if self.reduce and swing and first < 0 and depth >= 4 and excluded < 0:
            depth -= 1

        # 10. The moves, in order: the last principal variation's, the table's, then as asked.
        if self.following:
            if self.last_pv[ply] >= 0:
                first = self.last_pv[ply]
            else:
                self.following = False
        mover: cython.int = kernel.turn
        best: cython.int = -INF
        best_move: cython.int = -1
        horizon: cython.bint = self.horizon
        self.horizon = False
        move: cython.int
        weight: cython.int
        quiet: cython.bint
        longer: cython.int  # plies of extension
        deeper: cython.int  # depth of the subtree
        tried: cython.int = 0
        quiets: cython.int = 0
        i: cython.int
        j: cython.int
        claimed: cython.ulonglong = 0
        put_off: cython.int = 0  # moves at stack[base:] that another thread is searching: they come last
        again: cython.bint = False
        end: cython.int = kernel.gen(base)
        self.ordering.weigh(kernel, base, end, ply, first, self.last[ply])
        stop: cython.int = end
        i = base - 1
        while True:
            i += 1
            if i == stop:
                if again or not put_off:
                    break
                again = True
                i = base
                stop = base + put_off
            move = kernel.stack[i] if again else self.ordering.pick(kernel, i, end)
            if move == excluded:
                continue
            weight = kernel.weight[i]
            quiet = kernel.gain(move) == 0

            # 11. Plausible moves only (Shannon's type B): the first k.
            if self.plausible and tried >= self.plausible and not forced:
                self.horizon = True
                break

            # 12. Near the leaves, once some move is not lost, leave out
            if swing and not pv and not forced and best >= -GUESS:
                # the late quiet moves ("move count based pruning") and those that cannot lift the
                # evaluation to alpha (futility, Heinz 1998), but none that threatens,
                few: cython.int = (3 + depth * depth) // (1 if improving else 2)
                if (
                    quiet
                    and (
                        (self.late and depth <= 7 and quiets >= few)
                        or (self.futility and depth <= 6 and static + swing * (1 + depth) <= alpha)
                    )
                    and not kernel.threatens(move)
                ):
                    self.horizon = True
                    continue
                # and those that lose in the exchange.
                if (
                    self.exchange
                    and depth <= 6
                    and weight < KILLER
                    and (kernel.exchange(move) < -(swing * depth if not quiet else swing * depth // 2))
                ):
                    self.horizon = True
                    continue

            # 13. Singular extension (Anantharaman, Campbell and Hsu 1988): if all other moves are worse by a
            #     margin, look a ply longer at this one; if they are good enough too, that is a cutoff.
            longer = 0
            if (
                self.singular
                and swing
                and move == first
                and depth >= 7
                and excluded < 0
                and (known == 1 or known == 2)
                and known_depth >= depth - 3
                and -GUESS <= known_value <= GUESS
            ):
                j = known_value - swing * depth // 40
                self.excluded[ply] = move
                value = self.visit(kernel, end, ply, (depth - 1) // 2, j - 1, j)
                self.excluded[ply] = NULL
                self.length[ply] = 0
                if self.stopped:
                    return best
                if value < j:
                    longer = 1
                elif j >= beta and not pv:
                    self.horizon = True
                    return j

            # 14. Check extension (Shannon 1950 already): an answer to a threat is forced.
            if self.extend and not longer and kernel.threatens(move):
                longer = 1
            # 15. With several threads: what another one is searching comes last; it may cut off meanwhile.
            if self.shared and tried and depth > 2 and excluded < 0:
                if (
                    not pv
                    and self.lookup(key, ply)
                    and self.found_depth >= depth
                    and self.found_bound == 2
                    and self.found_value >= beta
                ):
                    self.horizon = True
                    return self.found_value
                if not again:
                    claimed = self.claim(key, move, depth)
                    if not claimed:
                        kernel.stack[base + put_off] = move
                        kernel.weight[base + put_off] = weight
                        put_off += 1
                        continue
            self.last[ply + 1] = ((mover & 1) << 12) | kernel.history_index(move)
            kernel.push(move)
            deeper = depth - 1 + longer

            # 16. Late move reductions (Levy 1989; Heinz; Romstad 2006): late quiet moves are searched less
            #     deep, and again in full if they turn out well.
            less = 0
            if self.reduce and swing and depth >= 3 and tried > pv and weight < KILLER - 1 and not longer:
                less = self.reductions[64 * min(depth, 63) + min(tried, 63)]
                if pv:
                    less -= 1
                if not improving:
                    less += 1
                if forced:
                    less -= 1
                if quiet and weight > 8000:
                    less -= 1
                elif quiet and weight < -8000:
                    less += 1
                less = max(0, min(less, deeper - 1))

            # 17. PVS (Marsland and Campbell 1982): all but the first need only be shown to be no better,
            #     with an empty window; the one that is better after all is searched again.
            if tried == 0 or not self.pvs:
                value = self.below(kernel, mover, end, ply + 1, deeper, alpha, beta)
            else:
                value = self.below(kernel, mover, end, ply + 1, deeper - less, alpha, alpha + 1)
                if less and value > alpha and not self.stopped:
                    value = self.below(kernel, mover, end, ply + 1, deeper, alpha, alpha + 1)
                if alpha < value < beta and pv and not self.stopped:
                    value = self.below(kernel, mover, end, ply + 1, deeper, alpha, beta)
            kernel.pop(move)
            if claimed:
                self.free(claimed)
                claimed = 0
            self.following = False
            if self.stopped:
                return best
            tried += 1
            quiets += quiet

            if value > best:
                best = value
                if value > alpha:
                    best_move = move
                    alpha = value
                    if pv:
                        self.update_pv(ply, move)
                    # 18. Good enough: note what was and what was not, for the order of moves elsewhere.
                    if alpha >= beta:
                        self.cutoffs += 1
                        self.first_cutoffs += tried == 1
                        if quiet:
                            self.ordering.refute(ply, move, self.last[ply])
                            less = min(depth * depth, 400)
                            self.ordering.learn(kernel, mover, move, less, self.last[ply])
                            for j in range(base, i):
                                if kernel.gain(kernel.stack[j]) == 0:
                                    self.ordering.learn(kernel, mover, kernel.stack[j], -less, self.last[ply])
                        break

        # 19. All moves left out but the one excluded: it is singular.
        if tried == 0:
            self.horizon = True
            return alpha

        # 20. Remember what this says.
        if self.table is not None and excluded < 0:
            self.remember(
                key,
                ply,
                depth,
                best,
                3 if best <= floor else 2 if best >= beta else 1,
                best_move if best_move >= 0 else first,
                not self.horizon,
            )
        self.horizon = self.horizon or horizon
        return best


@dataclass
class Selective(Iterative):
    """Iterative deepening that plays its leaves on until they are calm, and looks where it matters."""

    name = "selective"
    keeps = True

    order: str = option("hint+killer+countermove+history+continuation", "move order after the last best move")
    mates: bool = option(True, "mate-distance pruning")
    threshold: bool = option(True, "stop where the evaluation is far beyond the bounds")
    null: bool = option(True, "null move with verification, where the game allows a skip")
    reduce: bool = option(True, "late move reductions")
    late: bool = option(True, "leave out late quiet moves near the leaves")
    futility: bool = option(True, "leave out quiet moves that cannot reach alpha")
    exchange: bool = option(True, "static exchange evaluation: order and leave out captures that lose")
    singular: bool = option(True, "extend a move that is better than all others by far")
    extend: bool = option(True, "extend moves that give check or threaten")
    delta: bool = option(True, "leave out captures that cannot reach alpha at the leaves")
    checks: bool = option(True, "checks at the first ply of the leaves")
    plausible: int = option(0, "look at so many moves of each position only (0: all)")
    secondary: int = option(0, "look so many plies further along the line chosen before trusting it")

    searcher_class = SelectiveSearcher

    def __post_init__(self):
        super().__post_init__()
        for name, most in (("plausible", 999), ("secondary", scale.MAX_PLY - 1)):
            count = getattr(self, name)
            if not 0 <= count <= most:
                raise Usage(f"{self.name}: {name} is 0 to {most}, not {count}")

    def searcher(self, kernel, control, table):
        return SelectiveSearcher(
            kernel,
            control,
            table,
            self.ordering(always=True),
            pvs=self.pvs,
            shallow="shallow" in self.orders(),
            aspiration=self.aspiration,
            options=self,
        )
