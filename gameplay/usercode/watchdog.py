"""Stops waiting for user code that does not return."""

import os
import signal
import sys
import threading
import time
from types import FrameType, TracebackType
from typing import Any

from gameplay.errors import Fault

PATIENCE = 10.0  # seconds that a call into a user-defined game may take
REPEAT = 0.1  # seconds after which the alarm repeats, for code that catches everything and goes on


class _Overtime(BaseException):
    """Raised inside the code that hangs. Not an Exception, so that `except Exception` lets it through."""


class GivenUp(BaseException):
    """Raised by `end`. No Exception either, for the same reason."""


def end(thread: threading.Thread) -> None:
    """Have a thread end, as far as Python can: one in a call into a C library goes on until that returns."""
    import ctypes

    for _ in range(20):
        ident = ctypes.c_ulong(thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(GivenUp))
        thread.join(0.05)
        if not thread.is_alive():
            return


def where_in(thread: threading.Thread, module: str) -> str:
    """Where a thread is in the code of a module (its first word): ` (mine.py, line 12)`, or ""."""
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] != module:
        frame = frame.f_back
    if frame is None:
        return ""
    return f" ({os.path.basename(frame.f_code.co_filename)}, line {frame.f_lineno})"


class patience:
    """Wait at most `seconds` for the code inside: `with patience(10, "moves()"): position.moves()`.

    Raises Fault, "<what> did not come back within 10 seconds", out of the code that hangs. Needs SIGALRM and
    the main thread; elsewhere it waits for ever. Code that never returns to the interpreter (one call
    into a C library) cannot be stopped. Within another `patience` the inner one holds, then the outer again.
    """

    def __init__(self, seconds: float, what: str) -> None:
        self.seconds = seconds
        self.what = what
        self.able = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()

    def __enter__(self) -> "patience":
        global _rings
        if self.able:
            self.ends = time.monotonic() + self.seconds
            if not _waiting:
                handler = signal.signal(signal.SIGALRM, _ring)
                remaining = signal.setitimer(signal.ITIMER_REAL, self.seconds, REPEAT)[0]
                _before.append((handler, remaining, self.ends - self.seconds + remaining))
                _rings = self.ends
            elif self.ends < _rings:
                signal.setitimer(signal.ITIMER_REAL, self.seconds, REPEAT)
                _rings = self.ends
            _waiting.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.able:
            _waiting.remove(self)
            if not _waiting:
                handler, remaining, due = _before.pop()
                signal.setitimer(signal.ITIMER_REAL, max(REPEAT, due - time.monotonic()) if remaining else 0)
                signal.signal(signal.SIGALRM, handler or signal.SIG_DFL)
        if isinstance(error, _Overtime) and error.args[0] is self:
            raise Fault(f"{self.what} did not come back within {self.seconds:g} seconds") from None


_waiting: list[patience] = []  # the innermost is the last; all share one handler and one alarm, dear to set
_before: list[Any] = []  # the handler that was there before, and when its alarm was due
_rings = 0.0  # when the alarm rings: no later than any of them ends, or soon after


def _ring(number: int, frame: FrameType | None) -> None:
    """Stop the innermost if its time is over; else the alarm was set for one that has come back."""
    global _rings
    if _waiting:
        now = time.monotonic()
        if _waiting[-1].ends <= now:
            raise _Overtime(_waiting[-1])
        remaining = max(REPEAT, min(one.ends for one in _waiting) - now)
        signal.setitimer(signal.ITIMER_REAL, remaining, REPEAT)
        _rings = now + remaining
