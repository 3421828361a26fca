"""A subprocess with line-based input and output, with a deadline on every wait and limited buffering.

The process runs in a separate session, so that Ctrl-C does not reach it and one signal reaches all its
children. Output is read only during a wait: a program that floods its output blocks on its own full pipe.
On Linux the kernel kills the process when we exit; elsewhere, and when started from a thread other than the
main one, the process must exit at the end of its input.
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

MAX_LINE = 64 * 1024  # maximum bytes of a line, in most protocols
MAX_UNREAD = 1024 * 1024  # maximum bytes received while sending
PIPE_SIZE = 1024 * 1024  # bytes that a program may write while pondering
MAX_ANSWER = 64 * 1024 * 1024  # maximum bytes of one answer
STDERR_LINES = 50  # maximum lines of standard error that are stored
POLL = 0.1  # seconds between checks for exit, in case a grandchild keeps the pipe open
QUIT_TIMEOUT = 0.5  # seconds to exit after the quit command
TERMINATE_TIMEOUT = 2.0  # seconds to exit after SIGTERM
EXIT_TIMEOUT = 2.0  # seconds to exit after closing a pipe; the exit status then explains the failure


class Broken(Exception):
    """The connection failed; `kind`: crash, hang or protocol_error."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Channel:
    """Starts `command` and exchanges lines of at most `max_line` bytes with it.

    Raises OSError if it cannot be started.
    """

    def __init__(self, command: Sequence[str], max_line: int = MAX_LINE) -> None:
        if os.name != "posix":
            raise Usage("engines in processes of their own need Linux, macOS or another POSIX system")
        self.process = subprocess.Popen(
            [*_die_with_parent(), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._reaper = weakref.finalize(self, _kill, self.process, os.getpid())
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.input = self.process.stdin.fileno()
        self.selector = selectors.DefaultSelector()
        for stream, read in (
            (self.process.stdout, self._receive_output),
            (self.process.stderr, self._receive_errors),
        ):
            os.set_blocking(stream.fileno(), False)
            self.selector.register(stream.fileno(), selectors.EVENT_READ, read)
        os.set_blocking(self.input, False)
        self.max_line = max_line
        self.lines: deque[bytes] = deque()
        self.rest = b""  # of an incomplete line
        self.unread = 0
        self.answer_size = 0
        self.output_closed = False  # the process closed its output
        self.tail: deque[str] = deque(maxlen=STDERR_LINES)
        self.error_rest = b""

    # -- lines -----------------------------------------------------------------------------------

    def send(self, line: str, deadline: float) -> None:
        """Send a line. Raises Broken if the process has ended or does not read it."""
        data = line.encode() + b"\n"
        while True:
            try:
                data = data[os.write(self.input, data) :]
            except BlockingIOError:
                pass
            except OSError:
                raise self._broken_by_exit("closed its input") from None
            if not data:
                return
            if time.monotonic() > deadline:
                raise Broken("hang", "does not read its input")
            if self.unread > MAX_UNREAD:
                raise Broken("protocol_error", "does not read its input while writing output")
            if self.exited():
                raise self._broken_by_exit("closed its input")
            self._pump(0.01)

    def receive(self, deadline: float) -> str | None:
        """The next line; None if none arrives by `deadline` (on the monotonic clock).

        Raises Broken if the process has ended or its output exceeds the limits.
        """
        while not self.lines:
            if self.output_closed:
                raise self._broken_by_exit("closed its output")
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return None
            self._pump(min(remaining, POLL))
            if not self.lines and self.exited():
                while self._pump(0) and not self.lines:
                    pass
                if not self.lines:
                    raise self._broken_by_exit("is gone")
        line = self.lines.popleft()
        self.unread -= len(line)
        return line.decode("utf-8", "replace").strip()

    def put_back(self, line: str) -> None:
        """Have `receive` return this line next."""
        data = line.encode()
        self.lines.appendleft(data)
        self.unread += len(data)

    def enlarge_pipe(self) -> None:
        """Enlarge the pipe to PIPE bytes, if the system supports it, so that unread output does not block."""
        if sys.platform == "linux" and self.process.stdout is not None:
            with suppress(ImportError, OSError):
                import fcntl

                fcntl.fcntl(self.process.stdout.fileno(), fcntl.F_SETPIPE_SZ, PIPE_SIZE)

    def interrupt(self) -> None:
        """Send SIGINT, which some protocols use to request attention."""
        if not self.exited():
            _send_signal(self.process, signal.SIGINT)

    def reset_answer_size(self) -> None:
        """Begin a new answer: its length is limited to MAX_ANSWER bytes."""
        self.answer_size = 0

    def exited(self) -> bool:
        """True if the process itself has ended, even if its children have not."""
        if self.process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            return self.process.poll() is not None
        # inspected but not reaped: its PID cannot be reused while we send signals to it
        return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    # -- ending ----------------------------------------------------------------------------------

    def close(self, quit_command: str = "") -> None:
        """End the process and its children: by `quit_command` if given, then SIGTERM, then SIGKILL."""
        if not self._reaper.alive:
            return
        if quit_command and not self.exited():
            with suppress(Broken):
                self.send(quit_command, time.monotonic() + POLL)
                self._wait(QUIT_TIMEOUT)
        if not self.exited():
            _send_signal(self.process, signal.SIGTERM)
            self._wait(TERMINATE_TIMEOUT)
        with suppress(Broken):
            self._pump(0)
        self._reaper()
        self.selector.close()

    def _wait(self, seconds: float) -> None:
        """Wait up to `seconds` for the process to end, discarding its output."""
        ends = time.monotonic() + seconds
        while not self.exited() and time.monotonic() < ends:
            with suppress(Broken):
                self._pump(0.01)
            self.lines.clear()
            self.rest, self.unread, self.answer_size = b"", 0, 0
            if self.output_closed:
                time.sleep(0.005)

    # -- inside ----------------------------------------------------------------------------------

    def _pump(self, seconds: float) -> bool:
        """Read output for up to `seconds`; false if there was none."""
        received = False
        for key, _ in self.selector.select(seconds):
            try:
                data = os.read(key.fd, MAX_LINE)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if not data:
                self.selector.unregister(key.fd)
                self.output_closed = self.output_closed or key.data == self._receive_output
            else:
                received = True
                key.data(data)
        return received

    def _receive_output(self, data: bytes) -> None:
        self.answer_size += len(data)
        self.unread += len(data)
        *lines, self.rest = (self.rest + data).split(b"\n")
        self.unread -= len(lines)
        self.lines.extend(lines)
        if len(self.rest) > self.max_line or any(len(line) > self.max_line for line in lines):
            raise Broken("protocol_error", f"sent a line of more than {self.max_line // 1024} KiB")
        if self.answer_size > MAX_ANSWER:
            raise Broken("protocol_error", f"sent more than {MAX_ANSWER // 1024**2} MiB for one answer")

    def _receive_errors(self, data: bytes) -> None:
        *lines, rest = (self.error_rest + data).split(b"\n")
        self.error_rest = rest[-MAX_LINE:]
        self.tail.extend(line.decode("utf-8", "replace").rstrip()[:500] for line in lines[-STDERR_LINES:])

    def _broken_by_exit(self, otherwise: str) -> Broken:
        """A Broken that describes how the process ended; `otherwise` if it is still running."""
        ends = time.monotonic() + EXIT_TIMEOUT
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


def _die_with_parent() -> list[str]:
    """The command prefix that makes the kernel kill the process when this one dies.

    Only for the main thread: the signal is sent when the starting thread exits.
    """
    if not sys.platform.startswith("linux") or threading.current_thread() is not threading.main_thread():
        return []
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", "--"] if setpriv else []


def _send_signal(process: "subprocess.Popen[Any]", number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _kill(process: "subprocess.Popen[Any]", owner: int) -> None:
    """Kill the process and its remaining children. Also runs at interpreter exit."""
    if os.getpid() != owner:  # in a fork: not its child process
        return
    if process.returncode is None:
        _send_signal(process, signal.SIGKILL)
        process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
