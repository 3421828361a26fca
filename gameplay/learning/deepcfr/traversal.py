# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Traversals by external sampling, the samples that they leave, and networks fitted to these.

Noam Brown, Adam Lerer, Sam Gross and Tuomas Sandholm, "Deep counterfactual regret minimization", ICML 2019. A
traversal looks at all moves of one player and at one of chance and of the others. At each infoset of the
player it stores what each move brought more than the strategy played, in parts of the greatest payoff; at
those of the others it stores the strategy. A network learns the first and stands in for the table of regrets,
another one learns the second and is the average strategy. Both weigh a sample by its iteration (linear CFR).

A memory that is full is a uniform sample of all that was stored (reservoir sampling, Vitter 1985). Networks
are trained from random weights, on samples drawn from a memory.  C types: traversal.pxd.
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
    """At most `capacity` samples: an infoset, an iteration, a number for each of its moves."""

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
        """How many samples it holds."""
        return min(self.seen, self.capacity)

    def place(self, share, infoset, iteration):
        """Where the numbers of the next sample go, -1: nowhere. `share`: a random number from 0 up to 1."""
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
    """What networks are shown of an infoset, and which output is which of its moves.

    `features` lists the inputs of each infoset that are 1, `outputs` the output of each slot of the form.
    """

    def __init__(self, features, outputs):
        starts = [0, *accumulate(map(len, features))]
        held = [array("i", starts), array("i", [x for one in features for x in one] + [0])]
        self.owners = [memoryview(one) for one in (*held, array("i", outputs))]
        start, feature, output = self.owners
        self.start = ints(start)
        self.feature = ints(feature)
        self.output = ints(output)


class DeepTraversals(RegretMinimizer):
    """Traverses an extensive form; `played` is what the networks of the moment say."""

    def __init__(self, form, encoding: Encoding, capacity, seed):
        RegretMinimizer.__init__(self, form, "external", seed)
        self.encoding = encoding
        self.widest = max([len(one.moves) for one in form.infosets] + [1])
        self.advantages = [Reservoir(capacity, self.widest) for _ in range(form.players)]
        self.strategies = Reservoir(capacity, self.widest)
        self.gains = self.advantages[0]
        self.most = max([abs(gain) for gain in form.gain] + [1e-9])

    @property
    def generator(self):
        """The state of the generator that samples."""
        return self.rng_state

    @generator.setter
    def generator(self, state):
        self.rng_state = state

    @property
    def memories(self):
        """All of them: of the advantages of each player, and of strategies."""
        return [*self.advantages, self.strategies]

    def numbers(self):
        """Iterations, nodes visited, and how many samples each memory has seen."""
        return [self.iterations, self.visited, *[memory.seen for memory in self.memories]]

    def restore(self, numbers):
        """Take what `numbers` returned."""
        self.iterations, self.visited = numbers[0], numbers[1]
        for memory, seen in zip(self.memories, numbers[2:], strict=True):
            self.set_seen(memory, seen)

    def set_seen(self, memory: Reservoir, seen):
        memory.seen = seen

    def begin(self):
        """Another iteration begins."""
        self.iterations += 1

    def traverse(self, player: cython.int, times: cython.int):
        """Traverse the tree so many times for one player."""
        self.gains = self.advantages[player]
        _time: cython.int
        for _time in range(times):
            self.sample_external(0, player, 0)

    def match_regrets(self, infoset):
        """The strategy is what `soften` made of the networks."""

    def update_average(self, infoset, count, next):
        """Store the strategy at an infoset of another player."""
        slot: cython.int = self.slot[infoset]
        k: cython.int
        at: cython.int = self.strategies.place(self.random_unit(), infoset, self.iterations)
        if at >= 0:
            for k in range(count):
                self.strategies.target[at * self.widest + k] = self.played[slot + k]

    def update_regrets(self, infoset, count, base, worth):
        """Store what each move at an infoset of the player brought more than the strategy, `worth`."""
        k: cython.int
        at: cython.int = self.gains.place(self.random_unit(), infoset, self.iterations)
        if at >= 0:
            for k in range(count):
                self.gains.target[at * self.widest + k] = (self.sample_values[base + k] - worth) / self.most

    # -- networks --------------------------------------------------------------------------------------------

    def load(self, network: Network, infoset):
        """The outputs for an infoset; the number of its inputs."""
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
        mixing: cython.bint,
        seed: cython.ulonglong,
    ):
        """Train a network on samples of a memory, by Adam.

        `mixing`: outputs are logarithms of probabilities (cross entropy); else they are the numbers (squared
        error).
        """
        encoding: Encoding = self.encoding
        size: cython.longlong = min(memory.seen, memory.capacity)
        newest: cython.double = self.iterations
        lots: cython.ulonglong = seed
        k: cython.int
        _step: cython.int
        _sample: cython.int
        if not size:
            return
        for _step in range(steps):
            for _sample in range(batch):
                lots = (lots + GOLDEN) & M64
                share: cython.double = (finalize(lots) >> 11) * ULP
                at: cython.longlong = cython.cast(cython.longlong, share * size)
                infoset: cython.int = memory.infoset[at]
                slot: cython.int = self.slot[infoset]
                moves: cython.int = self.size[infoset]
                count: cython.int = self.load(network, infoset)
                for k in range(network.outputs):
                    network.slopes[k] = 0.0
                if mixing:
                    self.soften(network, slot, moves)
                for k in range(moves):
                    output: cython.int = encoding.output[slot + k]
                    network.slopes[output] = network.own_outputs[output] - memory.target[at * self.widest + k]
                weight: cython.double = memory.iteration[at] / newest / batch
                network.backward(
                    network.indices, network.amounts, count, network.own_nodes, network.slopes,
                    network.gradient, weight,
                )  # fmt: skip
            network.adam(rate)

    def soften(self, network: Network, slot, moves):
        """Make probabilities of the outputs of an infoset's moves: softmax."""
        encoding: Encoding = self.encoding
        k: cython.int
        most: cython.double = network.own_outputs[encoding.output[slot]]
        for k in range(1, moves):
            most = max(most, network.own_outputs[encoding.output[slot + k]])
        total: cython.double = 0.0
        for k in range(moves):
            output: cython.int = encoding.output[slot + k]
            network.own_outputs[output] = exp(network.own_outputs[output] - most)
            total += network.own_outputs[output]
        for k in range(moves):
            output = encoding.output[slot + k]
            network.own_outputs[output] = network.own_outputs[output] / total

    def play_by(self, network: Network, player):
        """From now on a player plays moves in the proportion of their advantages, of which none is below 0.

        Where no advantage is above 0 it plays the move of the greatest.
        """
        encoding: Encoding = self.encoding
        i: cython.int
        k: cython.int
        for i in range(self.starts[player], self.starts[player + 1]):
            self.load(network, i)
            slot: cython.int = self.slot[i]
            whole: cython.double = 0.0
            best: cython.int = 0
            for k in range(self.size[i]):
                advantage: cython.double = network.own_outputs[encoding.output[slot + k]]
                if advantage > 0:
                    whole += advantage
                if advantage > network.own_outputs[encoding.output[slot + best]]:
                    best = k
            for k in range(self.size[i]):
                advantage = network.own_outputs[encoding.output[slot + k]]
                if whole > 0:
                    self.played[slot + k] = advantage / whole if advantage > 0 else 0.0
                else:
                    self.played[slot + k] = 1.0 if k == best else 0.0

    def shares_of(self, network: Network, infoset: cython.int):
        """The strategy of a network at an infoset."""
        self.load(network, infoset)
        slot: cython.int = self.slot[infoset]
        self.soften(network, slot, self.size[infoset])
        found = []
        k: cython.int
        for k in range(self.size[infoset]):
            found.append(network.own_outputs[self.encoding.output[slot + k]])
        return found
