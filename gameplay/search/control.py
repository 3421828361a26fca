# cython: language_level=3
# mypy: ignore-errors
"""Limits and stop flag of one search, shared by all its threads: any of them may set `stop` at any time.

A search that runs on its caller's thread calls `callback` while it polls, at most once every INTERVAL.
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
        self.callback = None
        self.has_callback = False
        self.next_call = 0.0  # monotonic time of the next call
        self.error = None  # the exception that the callback raised

    def set_callback(self, callback):
        """Have the search call `callback()` while it polls; None: no more. An exception ends the search."""
        self.callback = callback
        self.has_callback = callback is not None

    def call_back(self):
        """Call `callback` if INTERVAL has passed since the last call."""
        now = time.monotonic()
        if now < self.next_call or self.stop:
            return
        self.next_call = now + INTERVAL
        try:
            self.callback()
        except KeyboardInterrupt:
            self.halt("interrupted")
        except BaseException as error:
            self.error = error
            self.stop = True

    def expired(self):
        """True if the search must stop: `stop` is set or the deadline has passed."""
        if self.has_callback:
            self.call_back()
        if self.deadline and not self.stop and time.monotonic() >= self.deadline:
            self.halt("time")
        return self.stop

    def halt(self, reason):
        """End the search; the first reason given is the one reported."""
        if not self.reason:
            self.reason = reason
        self.stop = True
