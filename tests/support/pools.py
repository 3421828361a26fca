"""A replacement of `runs.pool.Pool` whose tasks end at the next wait."""


class FakePool:
    """Slots for tasks; `log` holds the submitted tasks and the closing of the pool. Tests define `wait`."""

    def __init__(self, slots):
        self.slots, self.running, self.log = slots, [], []

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.log.append("closed")

    @property
    def free(self):
        """The number of free slots."""
        return self.slots - len(self.running)
