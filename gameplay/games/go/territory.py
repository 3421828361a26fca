# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Territory and dead stones, estimated by playouts."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.games.go import notation
from gameplay.games.go.moves import GoMoves

if cython.compiled:
    from cython.cimports.gameplay.games.go.board import EMPTY, GoStones
    from cython.cimports.gameplay.games.go.moves import MERCY
else:
    from gameplay.games.go.board import EMPTY, GoStones
    from gameplay.games.go.moves import MERCY

DEAD_THRESHOLD = 0.2  # a chain is dead if the opponent owns its points in 60 % of playouts


class GoTerritory(GoMoves):
    """A game with territory estimation."""

    def ownership(self, playouts: cython.int = 200, seed: cython.ulonglong = 0):
        """The owner of each point at the end of playouts from here, by point: from 1, always Black's, to -1.

        Each side moves first in half of them. An estimate: it misjudges what playouts misjudge, such as seki.
        """
        turn: cython.int = self.turn
        passed: cython.int = self.passes
        banned: cython.int = self.ko_point
        cycles: cython.int = self.repetitions
        rng_state: cython.ulonglong = self.rng_state
        policy: cython.int = self.policy
        p: cython.int
        i: cython.int
        for p in range(self.cells):
            self.ownership_counts[p] = 0
        self.allocate_gains()
        self.rng_state = seed
        self.policy = policy & ~MERCY
        self.passes = self.ko_point = self.repetitions = 0
        self.counts_ownership = True
        for i in range(playouts):
            self.turn = i & 1
            self.playout(0, 3 * self.area)
        self.counts_ownership = False
        self.turn, self.passes, self.ko_point, self.repetitions = turn, passed, banned, cycles
        self.rng_state, self.policy = rng_state, policy
        return {
            self.centre_order[i]: self.ownership_counts[self.centre_order[i]] / max(1.0, playouts)
            for i in range(self.area)
        }

    def territory(self):
        """The estimated territory, as `notation.Territory`."""
        return notation.territory(
            self.ownership(self.playout_count()), self.rows, self.columns, self.half_points
        )

    def chains(self):
        """The chains of stones, each as the numbers of its points."""
        chains = {}
        i: cython.int
        for i in range(self.area):
            p: cython.int = self.centre_order[i]
            if self.colour[p] != EMPTY:
                chains.setdefault(self.chain[p], []).append(p)
        return [tuple(sorted(chain)) for chain in chains.values()]

    def dead_chains(self):
        """The chains whose points the opponent mostly owns in the end, by `ownership`."""
        owned = self.ownership(self.playout_count())
        side = {p: 1 - 2 * self.owner(p) for chain in self.chains() for p in chain}
        return [
            chain
            for chain in self.chains()
            if sum(side[p] * owned[p] for p in chain) < -DEAD_THRESHOLD * len(chain)
        ]

    def playout_count(self):
        """The number of playouts for an estimate of ownership: fewer on large boards."""
        return min(100, 16200 // self.area)

    def owner(self, point: cython.int):
        """The owner of the stone on a point."""
        return self.colour[point] - 1

    def lead(self):
        """Black's lead by area, komi included, if the game ended now."""
        return 0.5 * self.margin()

    def lead_without(self, points):
        """Black's lead by area, komi included, without the stones on these points."""
        other: GoStones = self.initial()
        other.clear()
        p: cython.int
        for chain in self.chains():
            for p in chain:
                if p not in points:
                    other.place(p, self.colour[p])
        return other.lead()
