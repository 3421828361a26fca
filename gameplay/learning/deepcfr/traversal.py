# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Traversals by external sampling, the samples that they store, and networks fitted to these.

Noam Brown, Adam Lerer, Sam Gross and Tuomas Sandholm, "Deep counterfactual regret minimization", ICML 2019. A
traversal tries all moves of one player and samples a move of chance and of the others. At the player's
infosets it stores the advantage of each move over the strategy, divided by the greatest payoff; at the
others' infosets it stores the strategy. A network fitted to the advantages replaces the table of regrets;
another one, fitted to the strategies, is the average strategy. Samples are weighted by their iteration
(linear CFR).

A full memory is a uniform sample of all samples offered (reservoir sampling, Vitter 1985). Networks are
trained from random weights, on samples drawn from a memory.  C types: traversal.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from array import array
from itertools import accumulate

from gameplay.engines.cfr.training import RegretMinimizer

if cython.compiled:
    from cython.cimports.gameplay.native.bits import M64
    from cython.cimports.gameplay.native.hashing import GOLDEN, finalize
    from cython.cimports.gameplay.native.pointers import doubles, ints
    from cython.cimports.gameplay.networks.network import Network
    from cython.cimports.libc.math import exp
else:
    from math import exp

    from gameplay.native.bits import M64
    from gameplay.native.hashing import GOLDEN, finalize
    from gameplay.native.pointers import doubles, ints
    from gameplay.networks.network import Network

ULP = cython.declare(cython.double, 2.0**-53)


class Reservoir:
    """At most `capacity` samples: an infoset, an iteration, a value for each of its moves."""

    def __init__(self, capacity, width):
        self.capacity, self.width, self.seen = capacity, width, 0
        self.owners = [
            memoryview(array("i", bytes(4 * capacity))),
            memoryview(array("i", bytes(4 * capacity))),
            memoryview(array("d", bytes(8 * capacity * width))),
        ]
        infosets, iterations, targets = self.owners
        self.infoset = ints(infosets)
        self.iteration = ints(iterations)
        self.target = doubles(targets)

    @property
    def size(self):
        """The number of samples stored."""
        return min(self.seen, self.capacity)

    def add(self, share, infoset, iteration):
        """Add a sample; return the row for its values, -1: dropped. `share`: a random number in [0, 1)."""
        at: cython.longlong = self.seen
        self.seen += 1
        if at >= self.capacity:
            at = cython.cast(cython.longlong, share * self.seen)
            if at >= self.capacity:
                return -1
        self.infoset[at] = infoset
        self.iteration[at] = cython.cast(cython.int, iteration)
        return cython.cast(cython.int, at)


class Encoding:
    """The inputs of each infoset that are 1 (`features`), and the output of each slot of the form."""

    def __init__(self, features, outputs):
        starts = [0, *accumulate(map(len, features))]
        inputs = [index for index_list in features for index in index_list] + [0]
        self.owners = [memoryview(array("i", numbers)) for numbers in (starts, inputs, outputs)]
        start, feature, output = self.owners
        self.start = ints(start)
        self.feature = ints(feature)
        self.output = ints(output)


class DeepTraversals(RegretMinimizer):
    """Traverses an extensive form; `played` is the current strategy, from the networks of advantages."""

    def __init__(self, form, encoding: Encoding, capacity, seed):
        RegretMinimizer.__init__(self, form, "external", seed)
        self.encoding = encoding
        self.widest = max([len(infoset.moves) for infoset in form.infosets] + [1])
        self.advantages = [Reservoir(capacity, self.widest) for _ in range(form.players)]
        self.strategies = Reservoir(capacity, self.widest)
        self.memory = self.advantages[0]
        self.max_payoff = max([abs(gain) for gain in form.gain] + [1e-9])

    @property
    def generator(self):
        """The state of the generator that samples."""
        return self.rng_state

    @generator.setter
    def generator(self, state):
        self.rng_state = state

    @property
    def memories(self):
        """The memories of advantages of each player, and that of strategies."""
        return [*self.advantages, self.strategies]

    def counters(self):
        """The iterations, the nodes visited, and the samples offered to each memory."""
        return [self.iterations, self.visited, *[memory.seen for memory in self.memories]]

    def restore(self, counters):
        """Restore the result of `counters`."""
        self.iterations, self.visited = counters[0], counters[1]
        for memory, seen in zip(self.memories, counters[2:], strict=True):
            self.set_seen(memory, seen)

    def set_seen(self, memory: Reservoir, seen):
        memory.seen = seen

    def begin_iteration(self):
        """Count an iteration."""
        self.iterations += 1

    def traverse(self, player: cython.int, times: cython.int):
        """Traverse the tree `times` times for one player."""
        self.memory = self.advantages[player]
        _time: cython.int
        for _time in range(times):
            self.sample_external(0, player, 0)

    def match_regrets(self, infoset):
        """Keep the strategy: `set_strategy` has set it."""

    def update_average(self, infoset, count, next):
        """Store the strategy at an infoset of another player."""
        slot: cython.int = self.slot[infoset]
        k: cython.int
        at: cython.int = self.strategies.add(self.random_unit(), infoset, self.iterations)
        if at >= 0:
            for k in range(count):
                self.strategies.target[at * self.widest + k] = self.played[slot + k]

    def update_regrets(self, infoset, count, base, worth):
        """Store the advantage of each move at an infoset of the player over the strategy's value `worth`."""
        k: cython.int
        at: cython.int = self.memory.add(self.random_unit(), infoset, self.iterations)
        if at >= 0:
            for k in range(count):
                self.memory.target[at * self.widest + k] = (
                    self.sample_values[base + k] - worth
                ) / self.max_payoff

    # -- networks --------------------------------------------------------------------------------------------

    def load(self, network: Network, infoset):
        """Compute the outputs for an infoset; return the number of its inputs."""
        encoding: Encoding = self.encoding
        i: cython.int
        begin: cython.int = encoding.start[infoset]
        count: cython.int = encoding.start[infoset + 1] - begin
        for i in range(count):
            network.indices[i] = encoding.feature[begin + i]
            network.amounts[i] = 1.0
        network.forward(network.indices, network.amounts, count, network.own_nodes, network.own_outputs)
        return count

    def fit(
        self,
        network: Network,
        memory: Reservoir,
        steps: cython.int,
        batch: cython.int,
        rate: cython.double,
        probabilities: cython.bint,
        seed: cython.ulonglong,
    ):
        """Train a network on samples of a memory, by Adam.

        `probabilities`: outputs are logits of probabilities (cross entropy), else values (squared error).
        """
        encoding: Encoding = self.encoding
        size: cython.longlong = min(memory.seen, memory.capacity)
        newest: cython.double = self.iterations
        state: cython.ulonglong = seed
        k: cython.int
        _step: cython.int
        _sample: cython.int
        if not size:
            return
        for _step in range(steps):
            for _sample in range(batch):
                state = (state + GOLDEN) & M64
                share: cython.double = (finalize(state) >> 11) * ULP
                at: cython.longlong = cython.cast(cython.longlong, share * size)
                infoset: cython.int = memory.infoset[at]
                slot: cython.int = self.slot[infoset]
                moves: cython.int = self.size[infoset]
                count: cython.int = self.load(network, infoset)
                for k in range(network.outputs):
                    network.slopes[k] = 0.0
                if probabilities:
                    self.softmax(network, slot, moves)
                for k in range(moves):
                    output: cython.int = encoding.output[slot + k]
                    network.slopes[output] = network.own_outputs[output] - memory.target[at * self.widest + k]
                weight: cython.double = memory.iteration[at] / newest / batch
                network.backward(
                    network.indices, network.amounts, count, network.own_nodes, network.slopes,
                    network.gradient, weight,
                )  # fmt: skip
            network.adam(rate)

    def softmax(self, network: Network, slot, moves):
        """Replace the outputs of an infoset's moves by their softmax."""
        encoding: Encoding = self.encoding
        k: cython.int
        largest: cython.double = network.own_outputs[encoding.output[slot]]
        for k in range(1, moves):
            largest = max(largest, network.own_outputs[encoding.output[slot + k]])
        total: cython.double = 0.0
        for k in range(moves):
            output: cython.int = encoding.output[slot + k]
            network.own_outputs[output] = exp(network.own_outputs[output] - largest)
            total += network.own_outputs[output]
        for k in range(moves):
            output = encoding.output[slot + k]
            network.own_outputs[output] = network.own_outputs[output] / total

    def set_strategy(self, network: Network, player):
        """Set the strategy of a player: each move in proportion to its advantage, if that is above 0.

        Where no advantage is above 0, it is the move with the greatest one.
        """
        encoding: Encoding = self.encoding
        i: cython.int
        k: cython.int
        for i in range(self.starts[player], self.starts[player + 1]):
            self.load(network, i)
            slot: cython.int = self.slot[i]
            total: cython.double = 0.0
            best: cython.int = 0
            for k in range(self.size[i]):
                advantage: cython.double = network.own_outputs[encoding.output[slot + k]]
                if advantage > 0:
                    total += advantage
                if advantage > network.own_outputs[encoding.output[slot + best]]:
                    best = k
            for k in range(self.size[i]):
                advantage = network.own_outputs[encoding.output[slot + k]]
                if total > 0:
                    self.played[slot + k] = advantage / total if advantage > 0 else 0.0
                else:
                    self.played[slot + k] = 1.0 if k == best else 0.0

    def strategy_of(self, network: Network, infoset: cython.int):
        """The strategy of a network at an infoset."""
        self.load(network, infoset)
        slot: cython.int = self.slot[infoset]
        self.softmax(network, slot, self.size[infoset])
        probabilities = []
        k: cython.int
        for k in range(self.size[infoset]):
            probabilities.append(network.own_outputs[self.encoding.output[slot + k]])
        return probabilities
