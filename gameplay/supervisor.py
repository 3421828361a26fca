"""Keeps a program responsive while user code runs in it, even in a C call that holds the interpreter.

A catastrophic regular expression holds the interpreter lock: no thread runs, no signal handler, no timeout.
So the process forks before the first user file is loaded (`start`). The child goes on as the program and
sends a heartbeat from a thread; the parent waits for it, forwards signals, and ends with its status. It kills
a child that has sent no heartbeat

    GRACE seconds after Ctrl-C or a request to end (SIGINT, SIGTERM, SIGHUP): status 128 + the signal
    HELD seconds in any case: status 5, with one line that names the file and the line where it is

restores the terminal, and reports a child that died by a signal in the same way.

`Pulse` is the same heartbeat for workers of `gameplay.runs.pool`, in memory that parent and worker share.
"""

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import Any, NoReturn

BEAT = 0.2  # seconds between two heartbeats
GRACE = 2.0  # seconds without one after a signal that ends the program
HELD = 12.0  # seconds without one in any case: what a call into a game may take, and a grace period
DUMP = 0.3  # seconds to say where it is
STATUS = 5  # of a program that user code ended, see `errors.STATUS`
LEAVE = "\x1b[?1049l\x1b[?25h\x1b[?2004l\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[0m\r\n"  # a full screen

_allowed = False
_started = False


def allow() -> None:
    """From now on `start` may fork: this process is a command's, and has no other purpose."""
    global _allowed
    _allowed = hasattr(os, "fork") and hasattr(signal, "sigtimedwait") and hasattr(os, "WUNTRACED")


def start(place: str) -> None:
    """Supervise this process from another one from now on; `place`: the user's file.

    Does nothing in a process that has more threads already, or an open database.
    """
    global _started
    if not _allowed or _started or threading.active_count() > 1 or "sqlite3" in sys.modules:
        return
    _started = True
    beat, heart = os.pipe()
    spot = _spot()
    sys.stdout.flush()
    sys.stderr.flush()
    modes = _modes()
    forwarded = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, forwarded | {signal.SIGCHLD})
    child = os.fork()
    if child:
        os.close(heart)
        signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        _supervise(child, beat, place, spot, modes, forwarded)
    os.close(beat)
    _follow()
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if spot is not None:
        import faulthandler

        faulthandler.register(signal.SIGUSR2, spot, all_threads=True)
    threading.Thread(target=_beat, args=(heart,), name="heartbeat", daemon=True).start()


def _follow() -> None:
    """Be killed with the supervisor (Linux)."""
    with suppress(Exception):
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _beat(heart: int) -> None:
    while True:
        with suppress(OSError):
            os.write(heart, b".")
        time.sleep(BEAT)


# -- the supervisor ---------------------------------------------------------------------------------


def _supervise(child: int, beat: int, place: str, spot: Any, modes: Any, forwarded: set[Any]) -> NoReturn:
    os.set_blocking(beat, False)
    last = looked = time.monotonic()
    asked, number = 0.0, 0  # when a signal came, and which
    while True:
        found = signal.sigtimedwait(forwarded | {signal.SIGCHLD}, BEAT)
        now = time.monotonic()
        if now - looked > 10 * BEAT:  # this process was stopped itself, or the machine slept
            last = now
            asked = now if asked else 0.0
        looked = now
        with suppress(OSError):
            if os.read(beat, 65536):
                last = now
        ended, status = os.waitpid(child, os.WNOHANG | os.WUNTRACED)
        if ended and os.WIFSTOPPED(status):
            os.kill(os.getpid(), signal.SIGSTOP)  # the shell sees this process alone
            os.kill(child, signal.SIGCONT)
            last = time.monotonic()
        elif ended:
            _end(status, place, number, modes)
        if found is not None and found.si_signo != signal.SIGCHLD:
            asked, number = now, found.si_signo
            if found.si_code <= 0:  # sent to this process alone; one of a terminal goes to both
                with suppress(OSError):
                    os.kill(child, number)
        silent = now - max(last, asked)
        if (asked and last < asked and silent > GRACE) or now - last > HELD:
            where = _where(child, spot, place)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            _restore(modes)
            _say(
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
    _say(f"gameplay: the process that ran {place} ended by signal {by}, {signal.strsignal(by)}")
    os._exit(STATUS)


def _say(text: str) -> None:
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
            os.write(1, LEAVE.encode())


def _spot() -> Any:
    """A file in memory for the traceback of a process that hangs; None where the system has none."""
    try:
        return open(os.memfd_create("traceback"), "w+")
    except (AttributeError, OSError):
        return None


def _where(child: int, spot: Any, place: str) -> str:
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
    """The heartbeat of a worker, in memory shared with its parent; and which seat's user code it runs."""

    def __init__(self, shared: Any) -> None:
        self.shared = shared  # the time of the last heartbeat, and the seat, from 1; 0: none

    @staticmethod
    def memory(context: Any) -> Any:
        """What both sides share, for a worker that is about to be started."""
        return context.RawArray("d", 2)

    def begin(self) -> None:
        """In the worker: send heartbeats from now on."""
        threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()

    def _beat(self) -> None:
        while True:
            self.shared[0] = time.monotonic()
            time.sleep(BEAT)

    @property
    def held(self) -> bool:
        """True if the worker has begun, and has sent no heartbeat for HELD seconds."""
        return bool(self.shared[0]) and time.monotonic() - self.shared[0] > HELD

    @property
    def seat(self) -> int | None:
        """The seat whose user code runs; None where there is none."""
        return int(self.shared[1]) - 1 if self.shared[1] else None


pulse: Pulse | None = None  # of this worker


def running(seat: int | None) -> None:
    """In a worker: the code of the user engine on this seat runs from now on; None: none does."""
    if pulse is not None:
        pulse.shared[1] = 0 if seat is None else seat + 1
