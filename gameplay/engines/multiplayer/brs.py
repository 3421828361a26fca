# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Best-reply search: after each move of the root's player only the best reply among all opponents is made.

Maarten Schadd and Mark Winands, "Best reply search for multiplayer games", IEEE Transactions on Computational
Intelligence and AI in Games 3, 2011; `others=move` as BRS+ in Markus Esser, Michael Gras, Mark Winands,
Maarten Schadd and Marc Lanctot, "Improving best-reply search", Computers and Games 2013.

The player at the root, MAX, moves; then the one opponent replies whose move minimizes MAX's value; then MAX
moves again. A ply is a move of MAX or a reply, so that MAX searches as deep as in a two-player game. The
other opponents pass, even if the rules do not allow it; in games without null moves (`Kernel.null_move`), and
with `others=move`, they make the first move that the game lists, so that all positions are legal. An opponent
who moves again before MAX pays a ply for each such turn.

Theorem: `value` is what MAX gets in this changed game, to the depth, whatever the options `order` and
`table`: alpha-beta prunes as in `paranoid`, fail-soft. After a chance node, each of the later opponents may
reply, or none. For two players who alternate it is paranoid, and in zero-sum games minimax.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from dataclasses import dataclass

from gameplay.engines.multiplayer.alliance import teams
from gameplay.engines.multiplayer.paranoid import ParanoidSearch
from gameplay.engines.multiplayer.search import MultiplayerEngine, row_table_bits
from gameplay.kernel import Kernel
from gameplay.search.options import option, order_option, seed_option

if cython.compiled:
    from cython.cimports.gameplay.position import CHANCE
    from cython.cimports.gameplay.search.trace import NO_REPLY, SKIP
    from cython.cimports.libc.math import INFINITY
else:
    from math import inf as INFINITY

    from gameplay.position import CHANCE
    from gameplay.search.trace import NO_REPLY, SKIP

ALIASES = ("bestreply", "brs+")


class BrsSearch(ParanoidSearch):
    """MAX maximizes; then one opponent makes the move that minimizes MAX's value."""

    def __init__(self, kernel: Kernel, control, teams, bits, ordering, passing):
        ParanoidSearch.__init__(self, kernel, control, teams, bits, ordering, True)
        self.passing = passing

    def decline(self, kernel, base, ply, depth, alpha, beta, replied, declined):
        """MAX's value if the mover does not reply: they pass, or make the first move in the list.

        INFINITY if no opponent is left to reply.
        """
        value: cython.double = INFINITY
        if self.passing and kernel.null_move():
            if replied or self.can_reply(kernel):
                if self.tracing:
                    self.emit_row(SKIP, ply, -1, NO_REPLY)
                value = self.visit_for(kernel, base, ply + 1, depth, alpha, beta, replied, declined)
                self.frames[ply].length = 0  # the PV ends at a pass that the rules do not allow
            kernel.undo_null_move()
            return value
        end: cython.int = kernel.gen(base)
        move: cython.int = kernel.stack[base]
        if not replied:
            kernel.push(move)
            can_reply: cython.bint = self.can_reply(kernel)
            kernel.pop(move)
            if not can_reply:
                return value
        value = self.after(kernel, end, ply + 1, move, depth, alpha, beta, replied, declined)
        self.update_pv(ply, move)
        return value

    def can_reply(self, kernel):
        """True while an opponent can still reply to MAX's last move."""
        if kernel.result():
            return False
        return kernel.turn == CHANCE or self.team[kernel.turn] != self.team[self.maximizer]


@dataclass
class Brs(MultiplayerEngine):
    """Best-reply search: of all opponents only the one with the strongest reply moves, to a fixed depth."""

    name = "brs"
    theorem = "brs"
    view = "root"
    growth = 1.3

    others: str = option(
        "pass",
        "What the opponents without the best reply do",
        values={
            "pass": "They pass, though the rules may not allow it; as move where the game has no null move",
            "move": "They make the first move that the game lists (BRS+): all positions are legal",
        },
        source="Schadd and Winands 2011; Esser and others 2013",
    )
    order: str = order_option()
    seed: int = seed_option()

    @classmethod
    def suitability(cls, position):
        """Best for zero-sum games with more than two players, an evaluation, no chance, and null moves.

        Measured in Chinese checkers with three players: 141 points of 144, max^n 73; in Connect Four 42 and
        43 of 72.
        """
        passing = isinstance(position, Kernel) and position.zero_sum and not position.chance
        return cls.suitability_for_many(position, 9 if passing else 6)

    def open(self, kernel, control, table):
        bits = row_table_bits(self.table, 1)
        alliances = teams(self.alliance, kernel)
        return BrsSearch(kernel, control, alliances, bits, self.ordering(), self.others == "pass")
