"""A process and the lines of its output, with a deadline on every wait and a limit on what is buffered.

The process runs in a separate session, so that Ctrl-C does not reach it and one signal reaches all its
children. Output is read only during a wait: a program that floods its output blocks on its own full pipe.
On Linux the kernel ends the process when we exit; elsewhere, and in threads other than the main one, the
process ends at the end of its input.
"""

import os
import selectors
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from gameplay.errors import Usage

LINE = 64 * 1024  # bytes of a line at most, in most protocols
UNREAD = 1024 * 1024  # bytes that may come while we want to send
PIPE = 1024 * 1024  # bytes that a program may write while it ponders
FLOOD = 64 * 1024 * 1024  # bytes between two questions
TAIL = 50  # lines of complaint that are kept
POLL = 0.1  # seconds until a death is noticed where a grandchild keeps the pipe open
ASKED = 0.5  # seconds to leave when asked to
TERMINATED = 2.0  # seconds to leave on SIGTERM


class Broken(Exception):
    """The connection failed; `kind`: crash, hang or protocol_error."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Channel:
    """Starts `command` and talks with it, in lines of `longest` bytes at most.

    Raises OSError where it cannot be started.
    """

    def __init__(self, command: Sequence[str], longest: int = LINE) -> None:
        if os.name != "posix":
            raise Usage("engines in processes of their own need Linux, macOS or another POSIX system")
        self.process = subprocess.Popen(
            [*_leash(), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._reaper = weakref.finalize(self, _reap, self.process, os.getpid())
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.input = self.process.stdin.fileno()
        self.selector = selectors.DefaultSelector()
        for stream, read in ((self.process.stdout, self._hear), (self.process.stderr, self._overhear)):
            os.set_blocking(stream.fileno(), False)
            self.selector.register(stream.fileno(), selectors.EVENT_READ, read)
        os.set_blocking(self.input, False)
        self.longest = longest
        self.lines: deque[bytes] = deque()
        self.rest = b""  # of a line that is not finished
        self.unread = 0
        self.heard = 0
        self.silent = False  # the process closed its output
        self.tail: deque[str] = deque(maxlen=TAIL)
        self.complaint = b""

    # -- talking ---------------------------------------------------------------------------------

    def send(self, line: str, deadline: float) -> None:
        """Send a line. Raises Broken if the process is gone or does not take it."""
        data = line.encode() + b"\n"
        while True:
            try:
                data = data[os.write(self.input, data) :]
            except BlockingIOError:
                pass
            except OSError:
                raise self._gone("closed its input") from None
            if not data:
                return
            if time.monotonic() > deadline:
                raise Broken("hang", "does not read its input")
            if self.unread > UNREAD:
                raise Broken("protocol_error", "does not read its input while writing output")
            if self.exited():
                raise self._gone("closed its input")
            self._pump(0.01)

    def receive(self, deadline: float) -> str | None:
        """The next line; None if there is none by `deadline` (on the monotonic clock).

        Raises Broken if the process is gone, or sends what cannot be kept.
        """
        while not self.lines:
            if self.silent:
                raise self._gone("closed its output")
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return None
            self._pump(min(remaining, POLL))
            if not self.lines and self.exited():
                while self._pump(0) and not self.lines:
                    pass
                if not self.lines:
                    raise self._gone("is gone")
        line = self.lines.popleft()
        self.unread -= len(line)
        return line.decode("utf-8", "replace").strip()

    def put_back(self, line: str) -> None:
        """Have `receive` return this line next."""
        data = line.encode()
        self.lines.appendleft(data)
        self.unread += len(data)

    def widen(self) -> None:
        """Let the program write PIPE bytes that are not read, where the system can: it need not wait then."""
        if sys.platform == "linux" and self.process.stdout is not None:
            with suppress(ImportError, OSError):
                import fcntl

                fcntl.fcntl(self.process.stdout.fileno(), fcntl.F_SETPIPE_SZ, PIPE)

    def interrupt(self) -> None:
        """Send the program SIGINT: some protocols ask for its attention so."""
        if not self.exited():
            _signal(self.process, signal.SIGINT)

    def listen_anew(self) -> None:
        """Reset the limit on the length of an answer."""
        self.heard = 0

    def exited(self) -> bool:
        """True if the process itself has ended, even if its children have not."""
        if self.process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            return self.process.poll() is not None
        # inspected but not reaped: its PID cannot be reused while we send signals to it
        return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    # -- ending ----------------------------------------------------------------------------------

    def close(self, farewell: str = "") -> None:
        """End the process and all it started: by `farewell` if there is one, by SIGTERM, by SIGKILL."""
        if not self._reaper.alive:
            return
        if farewell and not self.exited():
            with suppress(Broken):
                self.send(farewell, time.monotonic() + POLL)
                self._wait(ASKED)
        if not self.exited():
            _signal(self.process, signal.SIGTERM)
            self._wait(TERMINATED)
        with suppress(Broken):
            self._pump(0)
        self._reaper()
        self.selector.close()

    def _wait(self, seconds: float) -> None:
        """Wait until the process has ended, but no longer than that; its output is discarded."""
        ends = time.monotonic() + seconds
        while not self.exited() and time.monotonic() < ends:
            with suppress(Broken):
                self._pump(0.01)
            self.lines.clear()
            self.rest, self.unread, self.heard = b"", 0, 0
            if self.silent:
                time.sleep(0.005)

    # -- inside ----------------------------------------------------------------------------------

    def _pump(self, seconds: float) -> bool:
        """Read output for so long; false if there was none."""
        received = False
        for key, _ in self.selector.select(seconds):
            try:
                data = os.read(key.fd, LINE)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if not data:
                self.selector.unregister(key.fd)
                self.silent = self.silent or key.data == self._hear
            else:
                received = True
                key.data(data)
        return received

    def _hear(self, data: bytes) -> None:
        self.heard += len(data)
        self.unread += len(data)
        *lines, self.rest = (self.rest + data).split(b"\n")
        self.unread -= len(lines)
        self.lines.extend(lines)
        if len(self.rest) > self.longest or any(len(line) > self.longest for line in lines):
            raise Broken("protocol_error", f"sent a line of more than {self.longest // 1024} KiB")
        if self.heard > FLOOD:
            raise Broken("protocol_error", f"sent more than {FLOOD // 1024**2} MiB for one answer")

    def _overhear(self, data: bytes) -> None:
        *lines, rest = (self.complaint + data).split(b"\n")
        self.complaint = rest[-LINE:]
        self.tail.extend(line.decode("utf-8", "replace").rstrip()[:500] for line in lines[-TAIL:])

    def _gone(self, otherwise: str) -> Broken:
        """A Broken for how the process ended; `otherwise` if it still runs."""
        ends = time.monotonic() + ASKED
        while not self.exited() and time.monotonic() < ends:
            time.sleep(0.005)
        with suppress(Broken):
            while self._pump(0):
                self.lines.clear()
        if not self.exited():
            return Broken("crash", otherwise)
        code = self.process.returncode
        if code is None:
            status = os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            assert status is not None
            code = status.si_status if status.si_code == os.CLD_EXITED else -status.si_status
        if code >= 0:
            return Broken("crash", f"exited with status {code}")
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return Broken("crash", f"was killed by {name}")


def _leash() -> list[str]:
    """The prefix of a command that makes the kernel end it when this process dies.

    Only from the main thread: the kernel looks at the thread that started the process.
    """
    if not sys.platform.startswith("linux") or threading.current_thread() is not threading.main_thread():
        return []
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", "--"] if setpriv else []


def _signal(process: "subprocess.Popen[Any]", number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _reap(process: "subprocess.Popen[Any]", owner: int) -> None:
    """Kill whatever is left of the process and those it started. Also runs when Python ends."""
    if os.getpid() != owner:  # a fork of ours: the process is not its own
        return
    if process.returncode is None:
        _signal(process, signal.SIGKILL)
        process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
