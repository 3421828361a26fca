# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Max^n: minimax for any number of players, each of whom maximizes their own payoff.

Carol Luckhardt and Keki Irani, "An algorithmic solution of n-person games", AAAI 1986; pruning by Richard
Korf, "Multi-player alpha-beta pruning", Artificial Intelligence 48, 1991.

Theorem: with enough depth, `values` are the payoffs if each player always makes the first of their best moves
(Luckhardt and Irani: an equilibrium in pure strategies). With less, `evaluate_for()` replaces the values at
that depth; rolls are weighted by their probabilities. In two-player zero-sum games it is minimax.

Ties for the mover decide the payoffs of the others, so a game may have many such values. Here the first move
in the order of generation is made; hence there is no option `order`.

`prune=shallow` cuts if the game declares bounds of payoffs (`low`, `high`, `total`); the complete vector of
the root stays the same. Let the mover's alliance have u from an earlier move, and let the player T who moved
to the position have b from another move. The payoffs sum to at most `total`, and each of the others gets at
least `low`, so T gets at most total - u - low * others. If that is no more than b, T does not choose this
position, and the remaining moves are not searched (shallow pruning). If u is the maximum payoff, no move is
better (immediate pruning). Korf shows that deeper pruning is unsound: a bound of a player two plies up does
not determine which of the moves below will be made.

The table preserves the vector: it depends only on position and depth, except in games with repetition.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from dataclasses import dataclass

from gameplay.engines.multiplayer.alliance import teams
from gameplay.engines.multiplayer.search import MultiplayerEngine, MultiplayerSearch, row_table_bits
from gameplay.kernel import Kernel
from gameplay.search.options import option

if cython.compiled:
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.search.trace import BY_TABLE, CUT, LEAVE, NOTHING_TO_GAIN, SHALLOW
    from cython.cimports.gameplay.value import EXACT, INF, LOWER, MAX_PLY
    from cython.cimports.libc.math import INFINITY
else:
    from math import inf as INFINITY

    from gameplay.position import CHANCE
    from gameplay.search.trace import BY_TABLE, CUT, LEAVE, NOTHING_TO_GAIN, SHALLOW
    from gameplay.value import EXACT, INF, LOWER, MAX_PLY

ALIASES = ("max^n", "max-n")


class MaxnSearch(MultiplayerSearch):
    """The vector of a position is that of the mover's best move."""

    def __init__(self, kernel: Kernel, control, teams, bits, prune):
        MultiplayerSearch.__init__(self, kernel, control, teams, bits, kernel.players)
        low, high, total = kernel.low, kernel.high, kernel.total
        if total is None and kernel.zero_sum:
            total = 0
        if kernel.two_player_zero_sum and not kernel.scored:
            low, high = -1, 1
        self.low = low * kernel.unit if low is not None and prune else -INFINITY
        self.high = high * kernel.unit if high is not None and prune else INFINITY
        self.total = total * kernel.unit if total is not None and prune else INFINITY
        self.cuts = prune and low is not None and total is not None

    def try_move(self, kernel, base, move, depth, floor):
        if floor >= self.ceiling(self.maximizer):
            return False
        return self.after(kernel, base, 1, move, depth, kernel.turn, floor) and (
            self.gain(self.maximizer, 1) > floor
        )

    def after(self, kernel, base, ply, move, depth, chooser, best):
        """Make a move, count and value the position, unmake the move. Its row is that of `ply`.

        False after a cutoff: `chooser`, who already has `best`, cannot get more.
        """
        complete: cython.bint = True
        self.frames[ply].length = 0
        kernel.push(move)
        if not self.count():
            if self.tracing:
                self.emit_enter(kernel, ply, move, depth, -INF, INF)
            complete = self.visit_row(kernel, base, ply, depth, chooser, best)
            if self.tracing and not self.stopped:
                self.emit_row(LEAVE, ply, move, EXACT if complete else LOWER)
        kernel.pop(move)
        return complete

    def visit_row(self, kernel, base, ply, depth, chooser, best):
        """The vector of a position, `depth` plies deep. `chooser`: the player who moved to it, or CHANCE."""
        if ply > self.seldepth:
            self.seldepth = ply

        # 1. A finished game has its payoffs; at depth 0 the evaluation replaces them. A chance node at
        #    depth 0 is expanded.
        if kernel.result():
            self.set_payoffs(kernel, ply)
            return True
        mover: cython.int = kernel.turn
        if (depth <= 0 and mover != CHANCE) or ply >= MAX_PLY:
            self.set_evaluations(kernel, ply)
            return True
        if mover == CHANCE:
            self.average(kernel, base, ply, depth)
            return True

        # 2. Look up the vector in the table.
        key: cython.ulonglong = 0
        if self.bits:
            key = kernel.hash()
            if self.lookup_row(key, ply, depth):
                self.horizon = self.horizon or not self.found_complete
                if self.tracing:
                    self.emit_row(CUT, ply, self.found_move, BY_TABLE)
                return True

        # 3. The bounds of shallow and of immediate pruning on the mover's gain.
        shallow_bound: cython.double = INFINITY
        if self.cuts and chooser != CHANCE and self.team[chooser] != self.team[mover]:
            shallow_bound = self.total - best - self.low * self.others(chooser, mover)
        ceiling: cython.double = self.ceiling(mover)

        # 4. The mover makes the first of their best moves.
        horizon: cython.bint = self.horizon
        self.horizon = False
        best_gain: cython.double = -INFINITY
        best_move: cython.int = -1
        complete: cython.bint = True
        end: cython.int = kernel.gen(base)
        i: cython.int
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            if self.after(kernel, end, ply + 1, move, depth - 1, mover, best_gain):
                gain: cython.double = self.gain(mover, ply + 1)
                if gain > best_gain and not self.stopped:
                    best_gain = gain
                    best_move = move
                    self.copy_row(ply)
                    self.update_pv(ply, move)
            if self.stopped:
                break
            if best_gain >= ceiling or best_gain >= shallow_bound:
                complete = best_gain >= ceiling or i == end - 1
                if i < end - 1:
                    self.cutoffs += 1
                    self.first_cutoffs += i == base
                    if self.tracing:
                        self.emit_row(CUT, ply, move, NOTHING_TO_GAIN if best_gain >= ceiling else SHALLOW)
                break

        # 5. A vector without cutoffs is exact: store it for later visits.
        if self.bits and complete and not self.stopped:
            self.store_row(key, ply, depth, EXACT, best_move, not self.horizon)
        self.horizon = self.horizon or horizon
        return complete

    def average(self, kernel, base, ply, depth):
        """The vector of a chance node: each player's mean value."""
        k: cython.int
        i: cython.int
        for k in range(self.width):
            self.gains[ply * self.width + k] = 0.0
        end: cython.int = kernel.gen_chances(base)
        for i in range(base, end):
            self.after(kernel, end, ply + 1, kernel.stack[i], depth, CHANCE, -INFINITY)
            if self.stopped:
                break
            for k in range(self.width):
                self.gains[ply * self.width + k] += kernel.odds[i] * self.gains[(ply + 1) * self.width + k]
        self.frames[ply].length = 0  # the PV ends at a chance node

    def others(self, one, another):
        """The number of players in neither of two players' alliances."""
        count: cython.int = 0
        i: cython.int
        for i in range(self.players):
            count += self.team[i] != self.team[one] and self.team[i] != self.team[another]
        return count

    def ceiling(self, player):
        """Upper bound of the payoff of a player's alliance; INFINITY if unknown."""
        ceiling: cython.double = INFINITY
        allies: cython.int = self.players - self.others(player, player)
        if self.high < INFINITY:
            ceiling = allies * self.high
        if self.cuts and self.total - (self.players - allies) * self.low < ceiling:
            ceiling = self.total - (self.players - allies) * self.low
        return ceiling


@dataclass
class Maxn(MultiplayerEngine):
    """Max^n: each player maximizes their own payoff, to a fixed depth."""

    name = "maxn"
    theorem = "maxn"
    view = "each"
    growth = 1.0

    prune: str = option(
        "shallow",
        "Pruning, if the game declares bounds of payoffs; the values are the same",
        values={
            "off": "None: every position within the depth is visited",
            "shallow": "Immediate and shallow pruning: stop once the mover's value implies that the previous"
            " player prefers another move",
        },
        source="Korf 1991",
    )

    @classmethod
    def suitability(cls, position):
        """Best for games with an evaluation that have more than two players or are not zero-sum."""
        return cls.suitability_for_many(position, 8)

    def open(self, kernel, control, table):
        bits = row_table_bits(self.table, kernel.players)
        return MaxnSearch(kernel, control, teams(self.alliance, kernel), bits, self.prune == "shallow")
