"""Recordings of the terminal as asciicast files, version 2, which asciinema plays.

The program continues in a child process on a pseudo-terminal. The parent copies input to it and its output to
the real terminal, and writes the output with its time into the file: a line of JSON with the size, then one
for each piece of output ("o") and each new size ("r"). Of the input only the echo is recorded.
"""

import codecs
import json
import os
import select
import signal
import sys
import time
from pathlib import Path
from typing import IO, Any

from gameplay import file_io
from gameplay.errors import TryLater, Usage

CHUNK = 65536  # bytes read at once


def record(path: Path, title: str) -> int | None:
    """Record the rest of this program into a new file: None in the child, its exit status in the parent.

    Raises Usage without a terminal or for a file that exists or cannot be written, TryLater if writing fails.
    """
    if not hasattr(os, "fork"):
        raise Usage("--record requires Linux, macOS or another POSIX system. Try: leave --record out")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Usage("--record requires a terminal, and there is none here. Try: leave --record out")
    import pty

    size = os.get_terminal_size(1)
    recording = Recording(_create(path), size, title)
    child, terminal = pty.fork()
    if not child:
        recording.file.close()
        _resize(0, size)
        return None
    try:
        recording.relay(terminal, child)
    finally:
        os.close(terminal)  # a running child receives SIGHUP
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        recording.file.close()
    if recording.failure is not None:
        raise TryLater(f"--record {path}: {recording.failure.strerror}: the recording is incomplete")
    return status if status >= 0 else 128 - status


def _create(path: Path) -> IO[str]:
    try:
        return open(path, "x", encoding="utf-8")
    except FileExistsError:
        raise Usage(f"--record {path}: the file exists. Try: another name") from None
    except OSError as error:
        kind = TryLater if error.errno in file_io.FULL else Usage
        raise kind(f"--record {path}: {error.strerror}. Try: another folder") from None


class Recording:
    """A recording in progress. size: columns and lines of the terminal."""

    def __init__(self, file: IO[str], size: os.terminal_size, title: str) -> None:
        self.file = file
        self.start_time = time.monotonic()
        self.failure: OSError | None = None  # once set, nothing more is written; the game continues
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        term = os.environ.get("TERM", "")
        self._write(
            {
                "version": 2,
                "width": size.columns,
                "height": size.lines,
                "timestamp": int(time.time()),
                "title": title,
                "env": {"TERM": term},
            }
        )

    def event(self, kind: str, text: str) -> None:
        """Write an event with the current time: "o" for output, "r" for a new size."""
        if text:
            self._write([round(time.monotonic() - self.start_time, 3), kind, text])

    def relay(self, terminal: int, child: int) -> None:
        """Copy between the terminal and the child until the child has ended; forwards SIGTERM to it."""
        import termios
        import tty

        modes = termios.tcgetattr(0)
        handlers: dict[int, Any] = {
            signal.SIGWINCH: lambda *_: self._on_resize(terminal),
            signal.SIGTERM: lambda *_: os.kill(child, signal.SIGTERM),  # the child restores the screen
        }
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        try:
            tty.setraw(0)
            sources = [0, terminal]
            while True:
                ready, _, _ = select.select(sources, [], [])
                if terminal in ready:
                    try:
                        piece = os.read(terminal, CHUNK)
                    except OSError:  # Linux: the child has closed it
                        return
                    if not piece:
                        return
                    _write_all(1, piece)
                    self.event("o", self._decoder.decode(piece))
                if 0 in ready:
                    typed = os.read(0, CHUNK)
                    if typed:
                        _write_all(terminal, typed)
                    else:
                        sources.remove(0)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            termios.tcsetattr(0, termios.TCSADRAIN, modes)

    def _on_resize(self, terminal: int) -> None:
        size = os.get_terminal_size(1)
        _resize(terminal, size)
        self.event("r", f"{size.columns}x{size.lines}")

    def _write(self, row: Any) -> None:
        if self.failure is None:
            try:
                self.file.write(json.dumps(row, ensure_ascii=False) + "\n")
                self.file.flush()
            except OSError as error:
                self.failure = error


def _resize(terminal: int, size: os.terminal_size) -> None:
    import fcntl
    import struct
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size.lines, size.columns, 0, 0))


def _write_all(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]
