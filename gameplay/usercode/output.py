"""Keeps standard output for the program: what user code writes goes to standard error instead.

A line that a game prints, or that a C library writes to descriptor 1, would corrupt JSON and protocols. So
when a command begins `reserve` moves the program's output to another descriptor and makes descriptor 1 a
second name of standard error. `sys.stdout` still writes the output, except for calls from user code.
A terminal and the null device are left as they are.
"""

import io
import os
import sys
from typing import Any

from gameplay.usercode import fence


class ProgramOutput(io.TextIOWrapper):
    """`sys.stdout` of the program; user code that writes to it writes to standard error."""

    def write(self, text: str, /) -> int:
        """Write a text."""
        if fence.foreign():
            return sys.stderr.write(text)
        return super().write(text)

    def writelines(self, lines: Any, /) -> None:
        """Write texts."""
        for line in lines:
            self.write(line)

    @property
    def buffer(self) -> Any:
        """The stream of bytes below."""
        return sys.stderr.buffer if fence.foreign() else super().buffer

    def fileno(self) -> int:
        """The descriptor, which for user code is 1."""
        return 1 if fence.foreign() else super().fileno()


def reserve() -> None:
    """From now on descriptor 1 is standard error, and `sys.stdout` the program's output."""
    stream = sys.stdout
    try:
        if isinstance(stream, ProgramOutput) or stream.fileno() != 1 or stream.isatty():
            return
        if os.path.samestat(os.fstat(1), os.stat(os.devnull)):
            return
        stream.flush()
        kept = os.dup(1)
    except (AttributeError, OSError, ValueError):  # closed, or a test's
        return
    try:
        os.dup2(2, 1)
    except OSError:  # standard error is closed
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)
    raw = os.fdopen(kept, "wb")
    sys.stdout = ProgramOutput(raw, encoding=stream.encoding, errors=stream.errors)
