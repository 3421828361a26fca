"""Keeps a program responsive while user code runs in it, even in a C call that holds the interpreter.

A catastrophic regular expression holds the interpreter lock: no thread runs, no signal handler, no timeout.
So the process forks before the first user file is loaded (`start`). The child goes on as the program and
sends a heartbeat from a thread; the parent waits for it, forwards signals, and ends with its status. It kills
a child that has sent no heartbeat

    GRACE seconds after Ctrl-C or a request to end (SIGINT, SIGTERM, SIGHUP): status 128 + the signal
    as soon as the search of a user engine has used up its time and grace period (`allow_seconds`), or
        MAX_SILENCE seconds without one: status 5, with one line that names the file and the line where it is

restores the terminal, and reports a child that died by a signal in the same way.

The heartbeat is a time in memory that both processes share (`Pulse`), and so is the end of the search.
Workers of `gameplay.runs.pool` have the same.
"""

import mmap
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

BEAT = 0.2  # seconds between two heartbeats
GRACE = 2.0  # seconds without one after a signal that ends the program
MAX_SILENCE = (
    12.0  # seconds without one outside of searches by user engines: a call into a game, and a grace period
)
HELD_AFTER = 5 * BEAT  # seconds without one after which the interpreter counts as held
DUMP = 0.3  # seconds to say where it is
STATUS = 5  # of a program that user code ended, see `errors.STATUS`
LEAVE_FULL_SCREEN = (
    "\x1b[?1049l\x1b[?25h\x1b[?2004l\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[0m\r\n"  # a full screen
)

_allowed = False
_started = False


def allow() -> None:
    """From now on `start` may fork: this process is a command's, and has no other purpose."""
    global _allowed
    _allowed = hasattr(os, "fork") and hasattr(signal, "sigtimedwait") and hasattr(os, "WUNTRACED")


def start(place: str) -> None:
    """Supervise this process from another one from now on; `place`: the user's file.

    Does nothing in a process that has more threads already, or an open database: SQLite's locks do not
    survive a fork.
    """
    global _started
    database = sys.modules.get("gameplay.store.database")
    if not _allowed or _started or threading.active_count() > 1 or (database and database.connections):
        return
    _started = True
    shared = Pulse(memoryview(mmap.mmap(-1, 8 * Pulse.SIZE)).cast("d"))
    shared.beat()
    spot = _traceback_file()
    sys.stdout.flush()
    sys.stderr.flush()
    modes = _modes()
    forwarded = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, forwarded | {signal.SIGCHLD})
    child = os.fork()
    if child:
        signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        _supervise(child, shared, place, spot, modes, forwarded)
    _die_with_supervisor()
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if spot is not None:
        import faulthandler

        faulthandler.register(signal.SIGUSR2, spot, all_threads=True)
    shared.begin()


def _die_with_supervisor() -> None:
    """Be killed with the supervisor (Linux)."""
    with suppress(Exception):
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


# -- the supervisor ---------------------------------------------------------------------------------


def _supervise(
    child: int, shared: "Pulse", place: str, spot: Any, modes: Any, forwarded: set[Any]
) -> NoReturn:
    last = looked = time.monotonic()
    asked, number = 0.0, 0  # when a signal came, and which
    while True:
        received = signal.sigtimedwait(forwarded | {signal.SIGCHLD}, BEAT)
        now = time.monotonic()
        if now - looked > 10 * BEAT:  # this process was stopped itself, or the machine slept
            last = now
            asked = now if asked else 0.0
        looked = now
        last = max(last, shared.last)
        ended, status = os.waitpid(child, os.WNOHANG | os.WUNTRACED)
        if ended and os.WIFSTOPPED(status):
            os.kill(os.getpid(), signal.SIGSTOP)  # the shell sees this process alone
            os.kill(child, signal.SIGCONT)
            last = time.monotonic()
        elif ended:
            _end(status, place, number, modes)
        if received is not None and received.si_signo != signal.SIGCHLD:
            asked, number = now, received.si_signo
            if received.si_code <= 0:  # sent to this process alone; one of a terminal goes to both
                with suppress(OSError):
                    os.kill(child, number)
        silent = now - max(last, asked)
        if (asked and last < asked and silent > GRACE) or shared.overdue(last):
            where = _locate(child, spot, place)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            _restore(modes)
            _print(
                f"gameplay: {place}{where} has not returned for {now - last:.0f} s, and cannot be interrupted"
            )
            os._exit(128 + number if asked and last < asked else STATUS)


def _end(status: int, place: str, number: int, modes: Any) -> NoReturn:
    """End as the child ended."""
    if os.WIFEXITED(status):
        os._exit(os.WEXITSTATUS(status))
    by = os.WTERMSIG(status)
    _restore(modes)
    if by in (number, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        if by != signal.SIGKILL:
            signal.signal(by, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [by])
        os.kill(os.getpid(), by)
        os._exit(128 + by)
    _print(f"gameplay: the process that ran {place} ended by signal {by}, {signal.strsignal(by)}")
    os._exit(STATUS)


def _print(text: str) -> None:
    with suppress(OSError):
        os.write(2, (text + "\n").encode(errors="replace"))


def _modes() -> Any:
    """The modes of the terminal; None where there is none."""
    try:
        import termios

        return termios.tcgetattr(0)
    except Exception:
        return None


def _restore(modes: Any) -> None:
    """The terminal as it was."""
    if modes is None:
        return
    import termios

    with suppress(Exception):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTTOU])
        termios.tcsetattr(0, termios.TCSANOW, modes)
        if os.isatty(1):
            os.write(1, LEAVE_FULL_SCREEN.encode())


def _traceback_file() -> Any:
    """A file in memory for the traceback of a process that hangs; None where the system has none."""
    try:
        return open(os.memfd_create("traceback"), "w+")
    except (AttributeError, OSError):
        return None


def _locate(child: int, spot: Any, place: str) -> str:
    """Where the child is in the user's file: ` (line 12)`; "" where that cannot be found out."""
    if spot is None:
        return ""
    with suppress(OSError):
        os.kill(child, signal.SIGUSR2)
        time.sleep(DUMP)
        for line in os.pread(spot.fileno(), 65536, 0).decode(errors="replace").splitlines():
            if f'File "{place}", line ' in line:
                return f" (line {line.split('line ')[1].split()[0]})"
    return ""


# -- workers ----------------------------------------------------------------------------------------


class Pulse:
    """The heartbeat of a process that runs user code, in memory shared with its parent."""

    SIZE = 3  # numbers: the time of the last heartbeat; the seat from 1, and the end of the search, 0: none

    def __init__(self, shared: Any) -> None:
        self.shared = shared

    @classmethod
    def memory(cls, context: Any) -> Any:
        """What both sides share, for a worker that is about to be started."""
        return context.RawArray("d", cls.SIZE)

    def begin(self) -> None:
        """In the process itself: send heartbeats from now on."""
        global pulse
        pulse = self
        threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()

    def beat(self) -> None:
        """Send one heartbeat."""
        self.shared[0] = time.monotonic()

    def _beat(self) -> None:
        while True:
            self.beat()
            time.sleep(BEAT)

    @property
    def last(self) -> float:
        """When the last heartbeat was sent; 0.0 before the first."""
        return float(self.shared[0])

    def overdue(self, last: float) -> bool:
        """True if the interpreter is held since `last`, and longer than the code that runs may take."""
        now, until = time.monotonic(), self.shared[2]
        return now - last > (
            HELD_AFTER if until and now > until else MAX_SILENCE if not until else float("inf")
        )

    @property
    def held(self) -> bool:
        """True if the process has begun, and holds its interpreter longer than it may."""
        return bool(self.last) and self.overdue(self.last)

    @property
    def seat(self) -> int | None:
        """The seat whose user code runs; None where there is none."""
        return int(self.shared[1]) - 1 if self.shared[1] else None


pulse: Pulse | None = None  # of this process
_ends: list[float] = []  # when the searches in progress have used up their time and grace period


@contextmanager
def allow_seconds(seconds: float) -> Iterator[None]:
    """The search of a user engine, which may take so many seconds, its grace period among them."""
    end = time.monotonic() + seconds
    _ends.append(end)
    _announce()
    try:
        yield
    finally:
        _ends.remove(end)
        _announce()


def _announce() -> None:
    """Have the parent process know when the last of the searches in progress must have ended."""
    if pulse is not None:
        pulse.shared[2] = max(_ends, default=0.0)


def running(seat: int | None) -> None:
    """In a worker: the code of the user engine on this seat runs from now on; None: none does."""
    if pulse is not None:
        pulse.shared[1] = 0 if seat is None else seat + 1
