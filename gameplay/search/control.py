# cython: language_level=3
# mypy: ignore-errors
"""Limits and stop flag of one search, shared by all its threads: any of them may set `stop` at any time."""

import time


class Control:
    """`nodes` and `deadline` (on the monotonic clock, seconds) are limits; 0 sets none."""

    def __init__(self, nodes=0, deadline=0.0):
        self.stop = False
        self.nodes = nodes
        self.deadline = deadline
        self.reason = ""

    def expired(self):
        """True if the search must stop: it was stopped, or its time is over."""
        if self.deadline and not self.stop and time.monotonic() >= self.deadline:
            self.halt("time")
        return self.stop

    def halt(self, reason):
        """End the search; the first reason given is the one reported."""
        if not self.reason:
            self.reason = reason
        self.stop = True
