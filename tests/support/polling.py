"""A control for solvers that records when it is polled."""


class PollRecorder:
    """Never stops the solver; records the node count at each poll."""

    def __init__(self, solver):
        self.solver, self.nodes = solver, []

    def expired(self):
        """Imitates `Control.expired`."""
        self.nodes.append(self.solver.nodes)
        return False


def polls(nodes, interval):
    """The node counts at which a solver polls: at growing intervals."""
    expected = [1]
    while (after := expected[-1] + min(interval, 16 + expected[-1] // 1024)) <= nodes:
        expected.append(after)
    return expected
