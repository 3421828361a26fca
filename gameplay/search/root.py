# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""What every search is made of, whatever it searches: the root's moves, the count, the way to stop.

With `run` and `report`, which each adds, this is what a session asks for (`session.Search`).
Types: root.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.errors import Fault
from gameplay.kernel import Kernel
from gameplay.search.limit import restricted
from gameplay.search.report import Candidate

if cython.compiled:
    from cython.cimports.cpython.time import monotonic
else:
    from time import monotonic


class RootSearch:
    """One search of one position, which is not over. `multipv`: lines wanted, from 1."""

    def __init__(self, kernel: Kernel, control):
        self.kernel = kernel
        self.control = control
        self.nodes = 0
        self.seldepth = 0
        # Python is slow: poll more often, or Ctrl-C would wait.
        self.poll_interval = 16 if kernel.python else 1024 if cython.compiled else 64
        self.next_poll = 0
        self.most = control.nodes
        self.helpers = []
        self.helper = 0
        self.shared = False
        self.multipv = 1
        self.deepens = False
        self.probe = None
        self.trace = None
        self.tracing = False
        self.failure = None
        self.stopped = False
        i: cython.int
        self.moves = [kernel.stack[i] for i in range(kernel.gen(0))]
        self.check()
        if not self.moves:
            raise Fault("moves() gave none although outcome() is None")
        if len(set(self.moves)) < len(self.moves) or min(self.moves) < 0:
            raise Fault(f"moves() gave {self.moves}: moves are distinct ints from 0 up")
        self.best = (self.nothing(), 0, False)

    def nothing(self):
        """The best moves while no value is known: the first one, so that there is a move to play."""
        return (Candidate(self.moves[0], bound="unknown", pv=(self.moves[0],)),)

    def check(self):
        """Raise what a game written in Python raised, or the callable that traces."""
        if self.kernel.failed:
            error = self.kernel.error
            self.kernel.failed = False
            self.kernel.error = None
            raise error
        if self.failure is not None:
            error, self.failure = self.failure, None
            raise error

    def restrict_moves(self, moves):
        """Search none but these at the root. Raises Usage where none of them is legal."""
        self.moves = restricted(self.moves, moves)

    def count(self):
        """One position more; true if the search must stop."""
        self.nodes += 1
        return self.nodes >= self.next_poll and self.poll()

    def poll(self):
        """Called when `nodes` reaches `next_poll`: true if the search must stop."""
        if self.control.has_callback:
            with cython.gil:
                self.control.call_back()
        if (self.most and self.nodes >= self.most) or (
            self.control.deadline and monotonic() >= self.control.deadline
        ):
            self.control.stop = True
        if self.control.stop or self.kernel.failed:
            self.stopped = True
        # A new table is slow, milliseconds a node, while the system zeroes its pages: poll more often.
        every: cython.longlong = min(self.poll_interval, 16 + self.nodes // 1024)
        self.next_poll = 0 if self.tracing or self.stopped else self.nodes + every
        if self.most and self.next_poll > self.most:
            self.next_poll = self.most
        return self.stopped

    def defer_polling(self):
        """The first ply begins: it may visit the root and each of its moves whatever the limits.

        So the search knows a value of each move, unless it must look further for it. In a game in Python,
        which may be slow, it polls after an interval. A search that helps keeps its share of the limit.
        """
        if self.helper:
            return
        first = 2 + len(self.moves)  # node beyond these
        if self.kernel.python:
            first = min(first, self.poll_interval)
        if not self.tracing:
            self.next_poll = first

    def put_first(self, moves):
        """Try these moves before the others of the root, in this order."""
        chosen = set(moves)
        self.moves = [*moves, *[move for move in self.moves if move not in chosen]]

    def set_trace(self, trace):
        """From now on `trace` is called with each TraceEvent."""
        self.trace = trace
        self.tracing = trace is not None

    def fail(self, error):
        """The callable that traces raised `error`: stop, and raise it when the search is over."""
        if self.failure is None:
            self.failure = error
        self.stopped = True
        self.control.stop = True
