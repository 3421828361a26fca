"""A stand-in for `runs.pool.Pool` whose tasks end when they are next waited for."""


class FakePool:
    """Slots for tasks; `log` has what was submitted and that the pool was closed. Tests define `wait`."""

    def __init__(self, slots):
        self.slots, self.running, self.log = slots, [], []

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.log.append("closed")

    @property
    def free(self):
        """Slots without a task."""
        return self.slots - len(self.running)
