"""Keeps the program responsive while user code runs, even in a C call that holds the interpreter lock.

A catastrophic regular expression holds the interpreter lock: no thread runs, no signal handler, no timeout.
So the process forks before the first user file is loaded (`start`). The child continues as the program and
sends a heartbeat from a thread; the parent forwards signals and exits with the child's status. It kills a
child that has sent no heartbeat

    STOP_GRACE seconds after Ctrl-C or a request to end (SIGINT, SIGTERM, SIGHUP): status 128 + the signal
    as soon as the search of a user engine has used up its time and grace period (`allow_seconds`), or
        MAX_SILENCE seconds without one: status 5, with one line that names the file and the line where it is

It then restores the terminal. A child killed by a signal is reported in the same way.

The times of the last heartbeat and of the end of the search are in shared memory (`Heartbeat`). Workers of
`gameplay.runs.pool` use the same mechanism.
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

BEAT = 0.2  # seconds between heartbeats
STOP_GRACE = 2.0  # seconds without one after a signal that ends the program
MAX_SILENCE = (
    12.0  # seconds without one outside of searches by user engines: a call into a game, and a grace period
)
HELD_AFTER = 5 * BEAT  # seconds without one after which the interpreter counts as held
DUMP = 0.3  # seconds to write the traceback
STATUS = 5  # exit status if user code ended the program, see `errors.STATUS`
LEAVE_FULL_SCREEN = (
    "\x1b[?1049l\x1b[?25h\x1b[?2004l\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[0m\r\n"  # a full screen
)

_allowed = False
_started = False


def allow() -> None:
    """Allow `start` to fork: this process runs a command and nothing else."""
    global _allowed
    _allowed = hasattr(os, "fork") and hasattr(signal, "sigtimedwait") and hasattr(os, "WUNTRACED")


def start(place: str) -> None:
    """Fork, and supervise the child; `place`: the user's file.

    Does nothing if the process has several threads or an open database: SQLite's locks do not survive a fork.
    """
    global _started
    database = sys.modules.get("gameplay.store.database")
    if not _allowed or _started or threading.active_count() > 1 or (database and database.connections):
        return
    _started = True
    shared = Heartbeat(memoryview(mmap.mmap(-1, 8 * Heartbeat.SIZE)).cast("d"))
    shared.beat()
    traceback_file = _traceback_file()
    sys.stdout.flush()
    sys.stderr.flush()
    modes = _terminal_modes()
    forwarded = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, forwarded | {signal.SIGCHLD})
    child = os.fork()
    if child:
        signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        _supervise(child, shared, place, traceback_file, modes, forwarded)
    _die_with_supervisor()
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if traceback_file is not None:
        import faulthandler

        faulthandler.register(signal.SIGUSR2, traceback_file, all_threads=True)
    shared.begin()


def _die_with_supervisor() -> None:
    """Have the system kill this process when its supervisor dies (Linux)."""
    with suppress(Exception):
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


# -- the supervisor ---------------------------------------------------------------------------------


def _supervise(
    child: int, shared: "Heartbeat", place: str, traceback_file: Any, modes: Any, forwarded: set[Any]
) -> NoReturn:
    last = polled = time.monotonic()
    signalled, number = 0.0, 0  # time and number of the last signal
    while True:
        received = signal.sigtimedwait(forwarded | {signal.SIGCHLD}, BEAT)
        now = time.monotonic()
        if now - polled > 10 * BEAT:  # this process was stopped itself, or the machine slept
            last = now
            signalled = now if signalled else 0.0
        polled = now
        last = max(last, shared.last)
        ended, status = os.waitpid(child, os.WNOHANG | os.WUNTRACED)
        if ended and os.WIFSTOPPED(status):
            os.kill(os.getpid(), signal.SIGSTOP)  # the shell sees this process alone
            os.kill(child, signal.SIGCONT)
            last = time.monotonic()
        elif ended:
            _end(status, place, number, modes)
        if received is not None and received.si_signo != signal.SIGCHLD:
            signalled, number = now, received.si_signo
            if received.si_code <= 0:  # sent to this process alone; one of a terminal goes to both
                with suppress(OSError):
                    os.kill(child, number)
        silent = now - max(last, signalled)
        if (signalled and last < signalled and silent > STOP_GRACE) or shared.overdue(last):
            where = _locate(child, traceback_file, place)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            _restore(modes)
            _print(
                f"gameplay: {place}{where} has not returned for {now - last:.0f} s, and cannot be interrupted"
            )
            os._exit(128 + number if signalled and last < signalled else STATUS)


def _end(status: int, place: str, number: int, modes: Any) -> NoReturn:
    """Exit as the child did."""
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


def _terminal_modes() -> Any:
    """The modes of the terminal; None without one."""
    try:
        import termios

        return termios.tcgetattr(0)
    except Exception:
        return None


def _restore(modes: Any) -> None:
    """Restore the terminal."""
    if modes is None:
        return
    import termios

    with suppress(Exception):
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTTOU])
        termios.tcsetattr(0, termios.TCSANOW, modes)
        if os.isatty(1):
            os.write(1, LEAVE_FULL_SCREEN.encode())


def _traceback_file() -> Any:
    """An in-memory file for the traceback of a hung process; None if unsupported."""
    try:
        return open(os.memfd_create("traceback"), "w+")
    except (AttributeError, OSError):
        return None


def _locate(child: int, traceback_file: Any, place: str) -> str:
    """The child's place in the user's file: ` (line 12)`; "" if unknown."""
    if traceback_file is None:
        return ""
    with suppress(OSError):
        os.kill(child, signal.SIGUSR2)
        time.sleep(DUMP)
        for line in os.pread(traceback_file.fileno(), 65536, 0).decode(errors="replace").splitlines():
            if f'File "{place}", line ' in line:
                return f" (line {line.split('line ')[1].split()[0]})"
    return ""


# -- workers ----------------------------------------------------------------------------------------


class Heartbeat:
    """The heartbeat of a process that runs user code, in memory shared with its parent."""

    SIZE = 3  # time of the last heartbeat; seat from 1, and end of the search; 0: none

    def __init__(self, shared: Any) -> None:
        self.shared = shared

    @classmethod
    def memory(cls, context: Any) -> Any:
        """Shared memory for a worker that is about to be started."""
        return context.RawArray("d", cls.SIZE)

    def begin(self) -> None:
        """In the worker: start sending heartbeats."""
        global heartbeat
        heartbeat = self
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
        """Time of the last heartbeat; 0.0 before the first."""
        return float(self.shared[0])

    def overdue(self, last: float) -> bool:
        """True if the interpreter has been held since `last` for longer than the running code may take."""
        now, until = time.monotonic(), self.shared[2]
        return now - last > (
            HELD_AFTER if until and now > until else MAX_SILENCE if not until else float("inf")
        )

    @property
    def is_hung(self) -> bool:
        """True if the process has started and exceeds its time without a heartbeat."""
        return bool(self.last) and self.overdue(self.last)

    @property
    def seat(self) -> int | None:
        """The seat whose user code runs; None if none does."""
        return int(self.shared[1]) - 1 if self.shared[1] else None


heartbeat: Heartbeat | None = None  # of this process
_deadlines: list[float] = []  # ends of the searches in progress, grace periods included


@contextmanager
def allow_seconds(seconds: float) -> Iterator[None]:
    """Allow the search of a user engine `seconds`, grace period included."""
    end = time.monotonic() + seconds
    _deadlines.append(end)
    _publish_deadline()
    try:
        yield
    finally:
        _deadlines.remove(end)
        _publish_deadline()


def _publish_deadline() -> None:
    """Publish the latest end of the searches in progress to the parent process."""
    if heartbeat is not None:
        heartbeat.shared[2] = max(_deadlines, default=0.0)


def set_running_seat(seat: int | None) -> None:
    """In a worker: set the seat whose user engine runs; None: none."""
    if heartbeat is not None:
        heartbeat.shared[1] = 0 if seat is None else seat + 1
