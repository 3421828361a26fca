"""Time limits for calls into user code."""

import os
import signal
import sys
import threading
import time
from types import FrameType, TracebackType
from typing import Any

from gameplay.errors import Fault

CALL_SECONDS = 10.0  # default limit of a call into a user-defined game
REPEAT = 0.1  # seconds between repeated alarms, for code that catches every exception


class _Timeout(BaseException):
    """Raised in the hung code. A BaseException, so that `except Exception` does not catch it."""


class Abandoned(BaseException):
    """Raised in a thread by `stop_thread`. A BaseException for the same reason."""


def stop_thread(thread: threading.Thread) -> None:
    """Stop a thread by an exception; a call into a C library is not interrupted."""
    import ctypes

    for _ in range(20):
        ident = ctypes.c_ulong(thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(Abandoned))
        thread.join(0.05)
        if not thread.is_alive():
            return


def locate(thread: threading.Thread, module: str) -> str:
    """The place of a thread in the code of a top-level module: ` (mine.py, line 12)`, or ""."""
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] != module:
        frame = frame.f_back
    if frame is None:
        return ""
    return f" ({os.path.basename(frame.f_code.co_filename)}, line {frame.f_lineno})"


class time_limit:
    """Limit the time of the code inside: `with time_limit(10, "moves()"): position.moves()`.

    Raises Fault, "<what> did not return within 10 seconds", in the hung code. Needs SIGALRM and the main
    thread; elsewhere there is no limit. Code that does not return to the interpreter (a call into a C
    library) cannot be interrupted. Limits nest: the inner one applies until it is left.
    """

    def __init__(self, seconds: float, what: str) -> None:
        self.seconds = seconds
        self.what = what
        self.supported = (
            hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        )

    def __enter__(self) -> "time_limit":
        global _alarm_time
        if self.supported:
            self.ends = time.monotonic() + self.seconds
            if not _active:
                handler = signal.signal(signal.SIGALRM, _on_alarm)
                remaining = signal.setitimer(signal.ITIMER_REAL, self.seconds, REPEAT)[0]
                _previous_alarm.append((handler, remaining, self.ends - self.seconds + remaining))
                _alarm_time = self.ends
            elif self.ends < _alarm_time:
                signal.setitimer(signal.ITIMER_REAL, self.seconds, REPEAT)
                _alarm_time = self.ends
            _active.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.supported:
            _active.remove(self)
            if not _active:
                handler, remaining, due = _previous_alarm.pop()
                signal.setitimer(signal.ITIMER_REAL, max(REPEAT, due - time.monotonic()) if remaining else 0)
                signal.signal(signal.SIGALRM, handler or signal.SIG_DFL)
        if isinstance(error, _Timeout) and error.args[0] is self:
            raise Fault(f"{self.what} did not return within {self.seconds:g} seconds") from None


_active: list[time_limit] = []  # innermost last; they share one handler and one alarm, which are slow to set
_previous_alarm: list[Any] = []  # the handler replaced by ours, and when its alarm was due
_alarm_time = 0.0  # when the alarm is due: not after the end of any active limit


def _on_alarm(number: int, frame: FrameType | None) -> None:
    """Raise in the innermost limit if it is over; otherwise set the alarm again."""
    global _alarm_time
    if _active:
        now = time.monotonic()
        if _active[-1].ends <= now:
            raise _Timeout(_active[-1])
        remaining = max(REPEAT, min(deadline.ends for deadline in _active) - now)
        signal.setitimer(signal.ITIMER_REAL, remaining, REPEAT)
        _alarm_time = now + remaining
