# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Base class of searches: root moves, node count, polling of the stop flag.

Subclasses add `run` and `report` to implement `session.Search`.  Types: root.pxd.
"""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython

from gameplay.errors import Fault
from gameplay.kernel import Kernel
from gameplay.search.limit import restrict_moves
from gameplay.search.report import Candidate

if cython.compiled:
    from cython.cimports.cpython.time import monotonic
else:
    from time import monotonic


class RootSearch:
    """One search of a position that is not over. `multipv`: number of lines to report, from 1."""

    def __init__(self, kernel: Kernel, control):
        self.kernel = kernel
        self.control = control
        self.nodes = 0
        self.seldepth = 0
        # Python is slow: poll more often, or Ctrl-C would wait.
        self.poll_interval = 16 if kernel.python else 1024 if cython.compiled else 64
        self.next_poll = 0
        self.node_limit = control.nodes
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
            raise Fault("moves() returned none although outcome() is None")
        if len(set(self.moves)) < len(self.moves) or min(self.moves) < 0:
            raise Fault(f"moves() returned {self.moves}: moves are distinct ints from 0 up")
        self.best = (self.nothing(), 0, False)

    def nothing(self):
        """The best moves before any value is known: the first move."""
        return (Candidate(self.moves[0], bound="unknown", pv=(self.moves[0],)),)

    def check(self):
        """Reraise an exception of a game written in Python or of the trace callback."""
        self.kernel.reraise()
        if self.failure is not None:
            error, self.failure = self.failure, None
            raise error

    def restrict_moves(self, moves):
        """Search only these moves at the root. Raises Usage if none of them is legal."""
        self.moves = restrict_moves(self.moves, moves)

    def count(self):
        """Count a position; true if the search must stop."""
        self.nodes += 1
        return self.nodes >= self.next_poll and self.poll()

    def poll(self):
        """Poll limits and the stop flag, once `nodes` reaches `next_poll`: true if the search must stop."""
        if self.control.has_callback:
            with cython.gil:
                self.control.call_back()
        if (self.node_limit and self.nodes >= self.node_limit) or (
            self.control.deadline and monotonic() >= self.control.deadline
        ):
            self.control.stop = True
        if self.control.stop or self.kernel.failed:
            self.stopped = True
        # Poll more often at first: while the system zeroes pages of a new table a node takes milliseconds.
        every: cython.longlong = min(self.poll_interval, 16 + self.nodes // 1024)
        self.next_poll = 0 if self.tracing or self.stopped else self.nodes + every
        if self.node_limit and self.next_poll > self.node_limit:
            self.next_poll = self.node_limit
        return self.stopped

    def defer_polling(self):
        """Do not poll until the root and each of its moves are visited, so that every move has a value.

        For a game in Python, which may be slow, poll after the usual interval; helpers keep their node limit.
        """
        if self.helper:
            return
        first = 2 + len(self.moves)  # the node after these
        if self.kernel.python:
            first = min(first, self.poll_interval)
        if not self.tracing:
            self.next_poll = first

    def put_first(self, moves):
        """Search these root moves before the others, in this order."""
        chosen = set(moves)
        self.moves = [*moves, *[move for move in self.moves if move not in chosen]]

    def set_trace(self, trace):
        """Call `trace` with each TraceEvent; None: no tracing."""
        self.trace = trace
        self.tracing = trace is not None

    def fail(self, error):
        """Record an exception of the trace callback and stop; `check` reraises it."""
        if self.failure is None:
            self.failure = error
        self.stopped = True
        self.control.stop = True
