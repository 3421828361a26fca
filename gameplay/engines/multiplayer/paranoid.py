# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Paranoid search: the root's player against a coalition of all others.

Nathan Sturtevant and Richard Korf, "On pruning techniques for multi-player games", AAAI 2000.

Theorem: with enough depth, `value` is what the root's mover is guaranteed, on average over rolls, whatever
the others do: all of them minimize it. With less, `evaluate_for()` replaces the values at that depth. It is
never more than the mover gets under max^n's assumption that each opponent maximizes their own payoff.

With two sides alpha-beta applies (fail-soft): let v be the value of a position and r the result of
`visit_for` in the window alpha..beta.

    r <= alpha         then v <= r
    alpha < r < beta   then v == r
    beta <= r          then r <= v

Outcomes of a chance node are searched with an open window. A table entry is used if the position was searched
to the same depth for the same player, or less deep with every line searched to the end of the game.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from dataclasses import dataclass

from gameplay.engines.multiplayer.alliance import teams
from gameplay.engines.multiplayer.search import MultiplayerEngine, MultiplayerSearch, row_table_bits
from gameplay.kernel import Kernel
from gameplay.search.options import order_option, seed_option

if cython.compiled:
    from cython.cimports.gameplay.native.bits import ONE
    from cython.cimports.gameplay.native.hashing import spread
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.search.trace import LEAVE
    from cython.cimports.gameplay.value import EXACT, LOWER, MAX_PLY, UPPER
    from cython.cimports.libc.math import INFINITY
else:
    from math import inf as INFINITY

    from gameplay.native.bits import ONE
    from gameplay.native.hashing import spread
    from gameplay.position import CHANCE
    from gameplay.search.trace import LEAVE
    from gameplay.value import EXACT, LOWER, MAX_PLY, UPPER

ALIASES = ()


class ParanoidSearch(MultiplayerSearch):
    """MAX and their allies maximize; every other player minimizes.

    replies: for best-reply search, only one of the others moves before MAX moves again.
    """

    def __init__(self, kernel: Kernel, control, teams, bits, ordering, replies=False):
        MultiplayerSearch.__init__(self, kernel, control, teams, bits, 1, ordering)
        self.replies = replies

    def try_move(self, kernel, base, move, depth, floor):
        return self.after(kernel, base, 1, move, depth, floor, INFINITY, False, 0) > floor

    @cython.final
    def after(self, kernel, base, ply, move, depth, alpha, beta, replied, declined):
        """MAX's value after `move`: make it, count and value the position, unmake it."""
        value: cython.double = 0.0
        self.frames[ply].length = 0
        kernel.push(move)
        if not self.count():
            if self.tracing:
                self.emit_window(kernel, ply, move, depth, alpha, beta)
            value = self.visit_for(kernel, base, ply, depth, alpha, beta, replied, declined)
            self.gains[ply] = value
            if self.tracing and not self.stopped:
                self.emit_row(
                    LEAVE, ply, move, UPPER if value <= alpha else LOWER if value >= beta else EXACT
                )
        kernel.pop(move)
        return value

    @cython.final
    def visit_for(self, kernel, base, ply, depth, alpha, beta, replied, declined):
        """MAX's value of a position, `depth` plies deep, within the window.

        In best-reply search, `replied`: an opponent has replied to MAX's last move; `declined`: the players
        who declined to, bit p % 64 for player p.
        """
        if ply > self.seldepth:
            self.seldepth = ply

        # 1. A finished game has its payoff; at depth 0 the evaluation replaces it. A chance node at depth 0
        #    is expanded.
        if kernel.result():
            self.set_payoffs(kernel, ply)
            return self.gains[ply]
        mover: cython.int = kernel.turn
        mover_bit: cython.ulonglong = ONE << (mover & 63) if mover != CHANCE else 0
        if declined & mover_bit:
            depth -= 1  # moving again: without this, repeated turns, as in pig, would not terminate
        if (depth <= 0 and mover != CHANCE) or ply >= MAX_PLY:
            self.set_evaluations(kernel, ply)
            return self.gains[ply]
        if mover == CHANCE:
            return self.average(kernel, base, ply, depth, replied, declined)
        maximizing: cython.bint = self.team[mover] == self.team[self.maximizer]
        if replied and not maximizing:
            return self.decline(kernel, base, ply, depth, alpha, beta, True, declined | mover_bit)

        # 2. Look up the value, or a sufficient bound, in the table.
        key: cython.ulonglong = 0
        if self.bits:
            key = kernel.hash() ^ spread(declined)
            if self.probe_table(key, ply, depth, alpha, beta):
                return self.gains[ply]

        # 3. MAX maximizes, the others minimize; a value outside the window is a cutoff.
        window_alpha: cython.double = alpha
        window_beta: cython.double = beta
        reply: cython.bint = self.replies and not maximizing
        best: cython.double = -INFINITY if maximizing else INFINITY
        best_move: cython.int = -1
        horizon: cython.bint = self.horizon
        self.horizon = False
        end: cython.int = kernel.gen(base)
        if self.ordering is not None:
            self.ordering.sort(kernel, base, end, ply, -1, -1)
        i: cython.int
        for i in range(base, end):
            move: cython.int = kernel.stack[i]
            value: cython.double = self.after(
                kernel, end, ply + 1, move, depth - 1, alpha, beta, reply, 0 if maximizing else declined
            )
            if self.stopped:
                return best
            if value > best if maximizing else value < best:
                best = value
                best_move = move
                if maximizing and best > alpha:
                    alpha = best
                    self.update_pv(ply, move)
                elif not maximizing and best < beta:
                    beta = best
                    self.update_pv(ply, move)
                if alpha >= beta:
                    self.cut(kernel, ply, move, mover, depth, i == base, best)
                    break

        # 4. Best-reply search: a later opponent replies instead.
        if reply and alpha < beta:
            value = self.decline(kernel, end, ply, depth, alpha, beta, False, declined | mover_bit)
            if self.stopped:
                return best
            if value < best:
                best = value
                best_move = -1

        # 5. Store the result in the table.
        if self.bits:
            self.store_value(key, ply, depth, window_alpha, window_beta, best, best_move)
        self.horizon = self.horizon or horizon
        return best

    def decline(self, kernel, base, ply, depth, alpha, beta, replied, declined):
        """MAX's value if the mover does not reply, in best-reply search."""
        return INFINITY

    @cython.final
    def average(self, kernel, base, ply, depth, replied, declined):
        """MAX's mean value over the outcomes of a chance node."""
        mean: cython.double = 0.0
        end: cython.int = kernel.gen_chances(base)
        i: cython.int
        for i in range(base, end):
            mean += kernel.odds[i] * self.after(
                kernel, end, ply + 1, kernel.stack[i], depth, -INFINITY, INFINITY, replied, declined
            )
            if self.stopped:
                break
        self.frames[ply].length = 0  # the PV ends at a chance node
        return mean


@dataclass
class Paranoid(MultiplayerEngine):
    """Paranoid search: alpha-beta of one player against a coalition of all others, to a fixed depth."""

    name = "paranoid"
    theorem = "paranoid"
    view = "root"
    growth = 1.3

    order: str = order_option()
    seed: int = seed_option()

    @classmethod
    def suitability(cls, position):
        """Good for games with an evaluation that have more than two players or are not zero-sum."""
        return cls.suitability_for_many(position, 7)

    def open(self, kernel, control, table):
        bits = row_table_bits(self.table, 1)
        return ParanoidSearch(kernel, control, teams(self.alliance, kernel), bits, self.ordering())
