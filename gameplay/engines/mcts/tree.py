# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""The state of a Monte Carlo tree search that its four phases share.  Types: tree.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay import value as scale
from gameplay.engines.mcts import arena
from gameplay.kernel import Kernel
from gameplay.search.root import RootSearch

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.gameplay.native.allocation import zeroed
    from cython.cimports.gameplay.search.barrier import added
    from cython.cimports.gameplay.value import HUGE, MAX_PLY
else:
    from gameplay.value import HUGE, MAX_PLY

CHUNK = cython.declare(cython.int, arena.CHUNK)

LEAVES = ("rollout", "evaluate", "mixed")
PRIORS = ("off", "hint", "evaluation", "policy")
MARKS = 4096  # a power of two: moves with the same lowest bits share a mark


class MonteCarloTree(RootSearch):
    """One search of one position.

    options: the engine, `Mcts`.
    bounds: least and greatest payoff of the first of two players, times `unit`; None if unknown.
    leaf_search: an alpha-beta search for the leaves, `plies` deep, or None.
    guide: the learned policy for PUCT, whose values are the evaluation; or None.
    """

    def __init__(
        self, kernel: Kernel, control, options, policy, bounds, leaf_search=None, plies=0, guide=None
    ):
        RootSearch.__init__(self, kernel, control)
        self.policy = policy
        self.players = kernel.players
        self.two_player_zero_sum = kernel.players == 2 and kernel.zero_sum
        self.unit = kernel.unit
        self.guide = guide
        self.guided = guide is not None
        self.c = options.c_in(kernel, self.guided)
        self.fpu = options.fpu or (0.5 if self.guided else 0.0)
        self.rave, self.widen = options.rave_in(kernel, self.guided), options.widen
        self.prior = PRIORS.index(options.prior_in(kernel, self.guided))
        self.prior_visits = options.weight if self.prior and not self.guided else 0
        self.leaf_search, self.plies = leaf_search, plies
        self.leaf = 0 if plies else LEAVES.index(options.leaf_in(kernel, self.guided))
        # A learned value does not predict points, so points are not proved with it.
        self.solver = options.solver and not (self.guided and kernel.scored)
        self.half = 0.0 if kernel.scored or kernel.calibrated else scale.half_win(kernel.unit)
        if guide is not None:
            bounds = -guide.goal, guide.goal
        self.min_payoff, self.max_payoff = bounds or (-HUGE, HUGE)
        self.floor = self.min_payoff if bounds else 0.0
        self.min_seen, self.max_seen = bounds if guide is not None else (HUGE, -HUGE)
        self.visits = self.next = self.end = self.number = 0
        self.proved = False
        self.source = 0
        self.selected_score = 0.0
        self.arena = None
        self.threads = 1
        self.visited = ()
        count = len(self.moves)
        self.halving = options.root == "halving"
        self.moves_total = self.remaining = self.place = 0
        marks = MARKS if self.rave else 1
        if cython.compiled:
            size: cython.size_t = cython.sizeof(cython.int)
            self.path = cython.cast(cython.p_int, zeroed(MAX_PLY + 2, size))
            self.tries = cython.cast(cython.p_int, zeroed(count, size))
            self.order = cython.cast(cython.p_int, zeroed(count, size))
            self.marks = cython.cast(cython.p_longlong, zeroed(marks, cython.sizeof(cython.longlong)))
            size = cython.sizeof(cython.double)
            self.sums = cython.cast(cython.p_double, zeroed(count, size))
            self.gains = cython.cast(cython.p_double, zeroed(self.players, size))
            self.squares = cython.cast(cython.p_double, zeroed(count, size))
        else:
            self.path, self.marks, self.tries = [0] * (MAX_PLY + 2), [0] * marks, [0] * count
            self.order = [0] * count
            self.gains, self.squares, self.sums = [0.0] * self.players, [0.0] * count, [0.0] * count

    def __dealloc__(self):
        PyMem_Free(self.path)
        PyMem_Free(self.marks)
        PyMem_Free(self.tries)
        PyMem_Free(self.order)
        PyMem_Free(self.gains)
        PyMem_Free(self.squares)
        PyMem_Free(self.sums)

    def reserve_nodes(self, count):
        """The first of `count` free nodes; -1 if the arena is full."""
        if self.next + count > self.end:
            size: cython.int = max(CHUNK, count)
            if self.arena.capacity < 64 * CHUNK:
                size = count  # a small arena is not shared out
            first: cython.int = self.arena.allocate(size)
            if first < 0:
                return -1
            self.next = first
            self.end = first + size
        self.next += count
        return self.next - count

    def add_leaf(self, node, move):
        """Make a node an unvisited leaf with the bounds of the game."""
        self.arena.clear(node, move)
        self.arena.nodes[node].low = self.min_payoff
        self.arena.nodes[node].high = self.max_payoff

    def count_visit(self, node, by):
        """Add to a node's visits and return them; atomic with several threads."""
        tallies = self.arena.tallies
        if cython.compiled and self.threads > 1:
            return added(cython.address(tallies[node].visits), by)
        tallies[node].visits += by
        return tallies[node].visits

    def emit(self, event):
        """Report an event of the trace."""
        try:
            self.trace(event)
        except BaseException as error:
            self.fail(error)
