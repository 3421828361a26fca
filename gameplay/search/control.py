# cython: language_level=3
# mypy: ignore-errors
"""Limits and stop flag of one search, shared by all its threads: any of them may set `stop` at any time.

A search that runs on the thread of its caller reports to it while it polls: it calls `look` every INTERVAL.
"""

import time

INTERVAL = 0.05  # seconds between two reports


class Control:
    """`nodes` and `deadline` (on the monotonic clock, seconds) are limits; 0 sets none."""

    def __init__(self, nodes=0, deadline=0.0):
        self.stop = False
        self.nodes = nodes
        self.deadline = deadline
        self.reason = ""
        self.look = None
        self.looking = False  # there is a `look`
        self.due = 0.0  # when it is called next
        self.error = None  # what it raised

    def look_by(self, look):
        """From now on have the search call `look()` while it polls; what it raises ends the search."""
        self.look = look
        self.looking = look is not None

    def consult(self):
        """Call `look` if it is due."""
        now = time.monotonic()
        if now < self.due or self.stop:
            return
        self.due = now + INTERVAL
        try:
            self.look()
        except KeyboardInterrupt:
            self.halt("interrupted")
        except BaseException as error:
            self.error = error
            self.stop = True

    def expired(self):
        """True if the search must stop: it was stopped, or its time is over."""
        if self.looking:
            self.consult()
        if self.deadline and not self.stop and time.monotonic() >= self.deadline:
            self.halt("time")
        return self.stop

    def halt(self, reason):
        """End the search; the first reason given is the one reported."""
        if not self.reason:
            self.reason = reason
        self.stop = True
