# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Strategy profiles of an extensive-form game: expected payoffs and best responses.

Numbers are exact up to rounding: every leaf counts, weighted by the probabilities of chance and of the other
players. A best response is computed bottom-up over a player's infosets, taking the best move of each; perfect
recall guarantees that everything below an infoset is known before what leads to it.

A profile of strategies is a Nash equilibrium if no player's best response earns more than their strategy.
NashConv is the sum of these gains, and the exploitability is NashConv divided by the number of players: in
zero-sum games for two, the average loss of each player to the best opponent, relative to the game's value.
Types: profile.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array

if cython.compiled:
    from cython.cimports.gameplay.native.pointers import doubles, ints
else:
    from gameplay.native.pointers import doubles, ints


class StrategyProfile:
    """A strategy for each player: probabilities of the moves at each infoset of `form`; uniform at first."""

    def __init__(self, form):
        self.form = form
        self.owners = []
        self.players, self.slots = form.players, form.slots
        self.leaves, self.infosets = form.leaves, len(form.infosets)
        self.starts, self.slot = self.ints(form.starts), self.ints(form.slot)
        self.size, self.before = self.ints(form.size), self.ints(form.before)
        self.last = self.ints(form.last)
        self.odds, self.gain = self.doubles(form.odds), self.doubles(form.gain)
        self.played_array = zeros(self.slots)
        self.played, self.reach = self.doubles(self.played_array), self.doubles(zeros(self.slots))
        self.sums = self.doubles(zeros(self.slots))
        i: cython.int
        k: cython.int
        for i in range(self.infosets):
            for k in range(self.slot[i], self.slot[i] + self.size[i]):
                self.played[k] = 1.0 / self.size[i]

    def ints(self, values):
        """The address of an array's numbers; the array is kept alive and must not be resized."""
        self.owners.append(memoryview(values))
        return ints(values)

    def doubles(self, values):
        self.owners.append(memoryview(values))
        return doubles(values)

    # -- by infoset ------------------------------------------------------------------------------

    def probabilities(self, infoset):
        """The probability of each move of an infoset."""
        return list(self.played_array[infoset.slot : infoset.slot + len(infoset.moves)])

    def set_probabilities(self, infoset, weights):
        """Set the probabilities of an infoset's moves: `weights`, normalized to a sum of 1."""
        total = sum(weights)
        for i, weight in enumerate(weights):
            self.played_array[infoset.slot + i] = weight / total

    def move_values(self, player):
        """By slot: a move's expected payoff for `player`, given that its infoset is reached.

        None if the others never reach it.
        """
        i: cython.int
        k: cython.int
        for i in range(self.players):
            self.update_reach(i)
        self.collect_leaves(player, False)
        self.back_up(player, False)
        masses = [self.sums[i] for i in range(self.slots)]  # probability that the others reach it
        self.collect_leaves(player, True)
        self.back_up(player, False)
        values = {}
        for i in range(self.starts[player], self.starts[player + 1]):
            for k in range(self.slot[i], self.slot[i] + self.size[i]):
                values[k] = self.sums[k] / masses[k] if masses[k] > 0 else None
        return values

    # -- of the game -----------------------------------------------------------------------------

    def values(self):
        """The expected payoff of each player."""
        return self.gains(False)

    def best_response_values(self):
        """The expected payoff of each player's best response to the others."""
        return self.gains(True)

    def gains(self, best: cython.bint):
        """The expected payoff of each player; `best`: of the best response."""
        i: cython.int
        for i in range(self.players):
            self.update_reach(i)
        gains = []
        for i in range(self.players):
            self.collect_leaves(i, True)
            gains.append(self.back_up(i, best))
        return gains

    def exploitability(self):
        """The exploitability: the mean gain by best responses; 0 at an equilibrium."""
        return max(0.0, (sum(self.best_response_values()) - sum(self.values())) / self.players)

    # -- passes ----------------------------------------------------------------------------------

    def update_reach(self, player):
        """Top-down: the reach probability of each choice of a player."""
        self.reach[player] = 1.0
        i: cython.int
        k: cython.int
        for i in range(self.starts[player], self.starts[player + 1]):
            for k in range(self.slot[i], self.slot[i] + self.size[i]):
                self.reach[k] = self.reach[self.before[i]] * self.played[k]

    def collect_leaves(self, player, paid):
        """Add to each slot of a player the payoffs, or probabilities, of the leaves directly below it."""
        i: cython.int
        k: cython.int
        self.sums[player] = 0.0
        for i in range(self.starts[player], self.starts[player + 1]):
            for k in range(self.slot[i], self.slot[i] + self.size[i]):
                self.sums[k] = 0.0
        at: cython.int = 0
        for i in range(self.leaves):
            odds: cython.double = self.odds[i]
            for k in range(self.players):
                if k != player:
                    odds *= self.reach[self.last[at + k]]
            self.sums[self.last[at + player]] += odds * self.gain[at + player] if paid else odds
            at += self.players

    def back_up(self, player, best):
        """Bottom-up: add to each slot the values of the infosets below it; return the total."""
        i: cython.int
        k: cython.int
        end: cython.int = self.starts[player + 1]
        for i in range(end - 1, self.starts[player] - 1, -1):
            value: cython.double = 0.0
            if best:
                value = self.sums[self.slot[i]]
            for k in range(self.slot[i], self.slot[i] + self.size[i]):
                if best:
                    value = max(value, self.sums[k])
                else:
                    value += self.played[k] * self.sums[k]
            self.sums[self.before[i]] += value
        return self.sums[player]


def zeros(count):
    """An array of `count` doubles."""
    return array("d", bytes(8 * count))
