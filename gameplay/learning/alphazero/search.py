# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Searches of `mcts` by PUCT for self-play: one position after another, with noise at the root.  Types: .pxd.

The four phases are those of `engines.mcts`, without its solver. Each search begins with an empty tree. The
probability of a move of the root is, with noise,

    (1 - NOISE) * p + NOISE * e        e: Dirichlet(CONCENTRATION / moves)

(Silver and others 2018: the noise is in inverse proportion to the number of moves). Random numbers are those
of the kernel, `kernel.rng_state`.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.engines.mcts.arena import Arena
from gameplay.engines.mcts.engine import Mcts
from gameplay.engines.mcts.search import MonteCarloSearch
from gameplay.search.control import Control

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Realloc
    from cython.cimports.gameplay.engines.mcts.expansion import set_priors
    from cython.cimports.libc.math import cos, log, sqrt
    from cython.cimports.libc.math import pow as power
else:
    from math import cos, log, sqrt
    from math import pow as power

    from gameplay.engines.mcts.expansion import set_priors

NOISE = cython.declare(cython.double, 0.25)
CONCENTRATION = cython.declare(cython.double, 10.0)
TWO_PI = cython.declare(cython.double, 6.283185307179586)
MEMORY = 64 << 20  # of the tree: half a million nodes


class AlphaZeroSearch(MonteCarloSearch):
    """Searches positions of a kernel, `simulations` each, guided by a policy."""

    def __init__(self, kernel, guide, simulations):
        options = Mcts(solver=False, leaf="evaluate")
        MonteCarloSearch.__init__(self, kernel, Control(), options, simulations, 0, None, guide=guide)
        self.arena = Arena(MEMORY)
        self.width = 0
        self.make_room_for(len(self.moves))

    def make_room_for(self, count: cython.int):
        """Ensure room for `count` root moves."""
        size: cython.size_t
        if count <= self.width:
            return
        self.width = count
        if self.arena.node_count < 1 + count:
            self.arena.allocate(1 + count)
        self.kernel.reserve(2 * count)
        if cython.compiled:
            size = count * cython.sizeof(cython.double)
            self.sums = cython.cast(cython.p_double, PyMem_Realloc(self.sums, size))
            self.squares = cython.cast(cython.p_double, PyMem_Realloc(self.squares, size))
            size = count * cython.sizeof(cython.int)
            self.tries = cython.cast(cython.p_int, PyMem_Realloc(self.tries, size))
            if self.sums == cython.NULL or self.squares == cython.NULL or self.tries == cython.NULL:
                raise MemoryError
        else:
            self.sums, self.squares, self.tries = [0.0] * count, [0.0] * count, [0] * count

    def widen_root(self, count):
        """As `make_room_for`, without the GIL."""
        with cython.gil:
            self.make_room_for(count)

    def search(self, kernel, noisy):
        """Search the kernel's position; returns the number of moves, 0 on an error of the game.
        The moves are then nodes 1 to that number: `move_of`, `visits_of`.
        """
        i: cython.int
        count: cython.int = kernel.gen(0)
        if kernel.failed or count <= 0:
            return 0
        if count > self.width:
            self.widen_root(count)
        nodes = self.arena.nodes
        self.stopped = self.proved = False
        self.arena.full = False
        self.next = 1 + count
        self.end = self.arena.node_count
        self.add_leaf(0, -1)
        for i in range(count):
            self.add_leaf(1 + i, kernel.stack[i])
            self.sums[i] = self.squares[i] = 0.0
            self.tries[i] = 0
        nodes[0].mover = kernel.turn
        nodes[0].count = count
        nodes[0].first = 1
        set_priors(self, kernel, 1, count)
        if kernel.failed:
            return 0
        if noisy:
            self.add_noise(kernel, count)
        self.visits = 0
        self.run_batch(kernel, cython.cast(cython.int, self.simulations))
        return 0 if kernel.failed else count

    def add_noise(self, kernel, count):
        """Mix noise into the policy of the root's moves."""
        i: cython.int
        nodes = self.arena.nodes
        total: cython.double = 0.0
        for i in range(count):
            kernel.odds[i] = gamma(kernel, CONCENTRATION / count)
            total += kernel.odds[i]
        if total > 0:
            for i in range(count):
                nodes[1 + i].odds += NOISE * (kernel.odds[i] / total - nodes[1 + i].odds)

    def move_of(self, number):
        """Move `number` of the root, from 0."""
        return self.arena.nodes[1 + number].move

    def visits_of(self, number):
        """Its number of visits."""
        return self.arena.tallies[1 + number].visits


def gamma(kernel, shape):
    """Sample the gamma distribution with this shape and scale 1.

    Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26, 2000.
    """
    boost: cython.double = 1.0
    if shape < 1:
        boost = power(1.0 - kernel.random_unit(), 1.0 / shape)
        shape += 1
    d: cython.double = shape - 1.0 / 3.0
    c: cython.double = 1.0 / sqrt(9.0 * d)
    while True:
        # A normal number by Box and Muller 1958; 1 - random_unit() is above 0.
        radius: cython.double = sqrt(-2.0 * log(1.0 - kernel.random_unit()))
        x: cython.double = radius * cos(TWO_PI * kernel.random_unit())
        v: cython.double = 1.0 + c * x
        if v <= 0:
            continue
        v = v * v * v
        if log(1.0 - kernel.random_unit()) < 0.5 * x * x + d - d * v + d * log(v):
            return d * v * boost
