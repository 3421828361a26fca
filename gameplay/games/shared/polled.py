# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
# mypy: ignore-errors
"""Base of game solvers: counts nodes and polls the stop signal.  C types: polled.pxd."""

try:
    import cython
except ImportError:
    from gameplay.native import nocython as cython


class PolledSolver:
    """A solver that stops when its `control` (if any) expires, or at `node_limit` nodes (0: none).

    Its search counts each position in `nodes`, and calls `poll` when they reach `next_poll`.
    """

    def __init__(self, interval, control=None, node_limit: cython.longlong = 0):
        """interval: the maximal number of nodes between two polls."""
        self.interval = interval if cython.compiled else max(1, interval // 16)  # Python is slow
        self.control = control  # type: StopSignal | None
        self.node_limit = node_limit
        self.nodes = 0
        self.next_poll = 0
        self.stopped = False

    def poll(self):
        """Called when `nodes` reaches `next_poll`: true if the search must stop."""
        if (self.node_limit and self.nodes >= self.node_limit) or self.stop_requested():
            self.stopped = True
        self.next_poll = self.nodes + min(self.interval, 16 + self.nodes // 1024)  # a new table is slow
        if self.node_limit and self.next_poll > self.node_limit:
            self.next_poll = self.node_limit
        return self.stopped

    def stop_requested(self):
        """Poll `control`, if there is one."""
        with cython.gil:
            return self.control is not None and bool(self.control.expired())
