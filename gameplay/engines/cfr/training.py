# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Counterfactual regret minimization: self-play in which each player minimizes regret at every infoset.

Martin Zinkevich, Michael Johanson, Michael Bowling and Carmelo Piccione, "Regret minimization in games with
incomplete information", NIPS 2007. The counterfactual value of a move is its expected payoff for its player
if all others follow their strategies and the player plays to reach the infoset; its regret is the sum of the
differences to the value of the strategy played. Each iteration plays moves in proportion to their positive
regrets (regret matching, Hart and Mas-Colell 2000).

Theorem (of that paper): in zero-sum games for two, the average strategy converges to an equilibrium: its
exploitability falls at least as the inverse square root of the iterations. With more players, or in
general-sum games, convergence is not guaranteed; best responses measure the result.

Players are updated in turn, each against the latest strategies of those before. The variants:

    cfr        as described above
    plus       CFR+: regrets never fall below 0, and iteration t counts t times in the average. Oskari
               Tammelin, "Solving large imperfect information games using CFR+", 2014
    linear     iteration t counts t times, in the regrets too. Noam Brown and Tuomas Sandholm, "Solving
               imperfect-information games via discounted regret minimization", AAAI 2019
    external   external sampling: one outcome for each chance node, one move for each of the others' infosets,
               all moves of the player being updated
    outcome    outcome sampling: one line of play, in which the player being updated explores uniformly with
               probability 0.6; values are importance-weighted. Both: Marc Lanctot, Kevin Waugh, Martin
               Zinkevich and Michael Bowling, "Monte Carlo sampling for regret minimization in extensive
               games", NIPS 2009

The unsampled variants iterate over leaves and infosets only, see `extensive.py`.  Types: training.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.engines.cfr import extensive
from gameplay.engines.cfr.profile import StrategyProfile, zeros

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import GOLDEN, finalize
    from cython.cimports.gameplay.position import CHANCE
else:
    from gameplay.native.bits import M64
    from gameplay.native.hashing import GOLDEN, finalize
    from gameplay.position import CHANCE

VARIANTS = ("cfr", "plus", "linear", "external", "outcome")
CFR = cython.declare(cython.int, 0)
PLUS = cython.declare(cython.int, 1)
LINEAR = cython.declare(cython.int, 2)
EXTERNAL = cython.declare(cython.int, 3)

LEAF = cython.declare(cython.int, extensive.LEAF)
ULP = cython.declare(cython.double, 2.0**-53)


class RegretMinimizer(StrategyProfile):
    """Self-play on an extensive form; `played` is the current strategy."""

    def __init__(self, form, variant="plus", seed=0):
        StrategyProfile.__init__(self, form)
        self.variant = variant
        self.kind = VARIANTS.index(variant)
        self.rng_state = seed
        self.epsilon = 0.6
        self.iterations = self.visited = 0
        self.regret, self.strategy_sum = self.doubles(zeros(self.slots)), self.doubles(zeros(self.slots))
        widest = max([len(infoset.moves) for infoset in form.infosets] + [1])
        self.sample_values = self.doubles(zeros(widest * (extensive.MAX_PLIES + 1)))
        self.turn, self.first = self.ints(form.turn), self.ints(form.first)
        self.count, self.ref = self.ints(form.count), self.ints(form.ref)
        self.share = self.doubles(form.share)
        i: cython.int
        for i in range(self.players):
            self.update_reach(i)

    def iterate(self, count: cython.longlong):
        """Run `count` iterations; the result does not depend on how they are split into calls."""
        until: cython.longlong = self.iterations + count
        with cython.nogil:
            while self.iterations < until:
                self.iterations += 1
                self.step()

    def average(self):
        """The average strategy, the result of training. Uniform at infosets that were never reached."""
        i: cython.int
        k: cython.int
        mixed = StrategyProfile(self.form)
        for i in range(self.infosets):
            whole: cython.double = 0.0
            for k in range(self.slot[i], self.slot[i] + self.size[i]):
                whole += self.strategy_sum[k]
            if whole > 0:
                for k in range(self.slot[i], self.slot[i] + self.size[i]):
                    mixed.played_array[k] = self.strategy_sum[k] / whole
        return mixed

    def step(self):
        """One iteration: update each player once."""
        i: cython.int
        for i in range(self.players):
            if self.kind <= LINEAR:
                self.collect_leaves(i, True)
                self.visited += self.leaves
                self.update(i, 1.0 if self.kind == CFR else cython.cast(cython.double, self.iterations))
            elif self.kind == EXTERNAL:
                self.sample_external(0, i, 0)
            else:
                self.sample_outcome(0, i, 1.0, 1.0, 1.0)

    # -- full traversals ---------------------------------------------------------------------------

    def update(self, player, weight):
        """Update a player's regrets, average and current strategy."""
        i: cython.int
        k: cython.int
        first: cython.int = self.starts[player]
        end: cython.int = self.starts[player + 1]
        gain: cython.double = 1.0 if self.kind == PLUS else weight

        # 1. Bottom-up: the regret of each move.
        for i in range(end - 1, first - 1, -1):
            value: cython.double = 0.0
            for k in range(self.slot[i], self.slot[i] + self.size[i]):
                value += self.played[k] * self.sums[k]
            self.sums[self.before[i]] += value
            for k in range(self.slot[i], self.slot[i] + self.size[i]):
                self.regret[k] += gain * (self.sums[k] - value)
                if self.kind == PLUS and self.regret[k] < 0:
                    self.regret[k] = 0.0

                # 2. The average: weight by the player's reach probability.
                self.strategy_sum[k] += weight * self.reach[k]

        # 3. Top-down: regret matching.
        for i in range(first, end):
            self.match_regrets(i)
            for k in range(self.slot[i], self.slot[i] + self.size[i]):
                self.reach[k] = self.reach[self.before[i]] * self.played[k]

    def match_regrets(self, infoset):
        """Regret matching: probabilities in proportion to positive regrets; uniform if there are none."""
        k: cython.int
        first: cython.int = self.slot[infoset]
        end: cython.int = first + self.size[infoset]
        whole: cython.double = 0.0
        for k in range(first, end):
            if self.regret[k] > 0:
                whole += self.regret[k]
        for k in range(first, end):
            if whole > 0:
                self.played[k] = self.regret[k] / whole if self.regret[k] > 0 else 0.0
            else:
                self.played[k] = 1.0 / (end - first)

    # -- samples ---------------------------------------------------------------------------------

    def random_unit(self):
        """A random number in [0, 1): SplitMix64 (Steele, Lea and Flood 2014)."""
        self.rng_state = (self.rng_state + GOLDEN) & M64
        return (finalize(self.rng_state) >> 11) * ULP

    def sample(self, odds, first, count):
        """An index from 0 to count - 1, sampled by the probabilities odds[first:first + count]."""
        u: cython.double = self.random_unit()
        k: cython.int = 0
        while k < count - 1 and u >= odds[first + k]:
            u -= odds[first + k]
            k += 1
        return k

    def sample_external(self, node, player, base):
        """The sampled value of a node for `player`; updates the regrets below it."""
        mover: cython.int = self.turn[node]
        count: cython.int = self.count[node]
        child: cython.int = self.first[node]
        k: cython.int
        self.visited += 1
        if mover == LEAF:
            return self.gain[self.ref[node] * self.players + player]
        if mover == CHANCE:
            return self.sample_external(child + self.sample(self.share, child, count), player, base)
        slot: cython.int = self.slot[self.ref[node]]
        self.match_regrets(self.ref[node])
        if mover != player:
            self.update_average(self.ref[node], count, mover == (player + 1) % self.players)
            return self.sample_external(child + self.sample(self.played, slot, count), player, base)
        value: cython.double = 0.0
        for k in range(count):
            self.sample_values[base + k] = self.sample_external(child + k, player, base + count)
            value += self.played[slot + k] * self.sample_values[base + k]
        self.update_regrets(self.ref[node], count, base, value)
        return value

    def update_average(self, infoset, count, next):
        """Add the strategy at another player's infoset to the average, if that player is `next` in turn."""
        slot: cython.int = self.slot[infoset]
        k: cython.int
        if next:
            for k in range(count):
                self.strategy_sum[slot + k] += self.played[slot + k]

    def update_regrets(self, infoset, count, base, value):
        """Update regrets at an infoset of the player; `value`: of the current strategy."""
        slot: cython.int = self.slot[infoset]
        k: cython.int
        for k in range(count):
            self.regret[slot + k] += self.sample_values[base + k] - value

    def sample_outcome(self, node, player, own, others, sampled):
        """An estimate of the payoff of `player` below a node; updates their regrets.

        `own` and `others` are the reach probabilities of the player and of all others, `sampled` is the
        sampling probability of the node.
        """
        mover: cython.int = self.turn[node]
        count: cython.int = self.count[node]
        child: cython.int = self.first[node]
        k: cython.int = 0
        i: cython.int
        self.visited += 1
        if mover == LEAF:
            return self.gain[self.ref[node] * self.players + player]
        if mover == CHANCE:
            k = self.sample(self.share, child, count)
            odds: cython.double = self.share[child + k]
            return self.sample_outcome(child + k, player, own, others * odds, sampled * odds)
        slot: cython.int = self.slot[self.ref[node]]
        self.match_regrets(self.ref[node])
        explored: cython.double = self.epsilon if mover == player else 0.0
        u: cython.double = self.random_unit()
        odds = explored / count + (1.0 - explored) * self.played[slot]
        while k < count - 1 and u >= odds:
            u -= odds
            k += 1
            odds = explored / count + (1.0 - explored) * self.played[slot + k]
        if mover != player:
            p: cython.double = self.played[slot + k]
            return self.sample_outcome(child + k, player, own, others * p, sampled * odds) * p / odds
        estimate: cython.double = (
            self.sample_outcome(child + k, player, own * self.played[slot + k], others, sampled * odds) / odds
        )
        value: cython.double = self.played[slot + k] * estimate
        for i in range(count):
            self.regret[slot + i] += ((estimate if i == k else 0.0) - value) * others / sampled
            self.strategy_sum[slot + i] += own * self.played[slot + i] / sampled
        return value
