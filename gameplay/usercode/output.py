"""Reserves standard output for the program; output of user code goes to standard error.

A line that a game prints, or that a C library writes to descriptor 1, would corrupt JSON and protocols. So
at the start of a command `reserve` duplicates the program's output to another descriptor and redirects
descriptor 1 to standard error. `sys.stdout` writes to the new descriptor, except in calls from user code.
Terminals and the null device are not redirected.
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
        if fence.called_by_user_code():
            return sys.stderr.write(text)
        return super().write(text)

    def writelines(self, lines: Any, /) -> None:
        """Write texts."""
        for line in lines:
            self.write(line)

    @property
    def buffer(self) -> Any:
        """The binary stream; standard error for user code."""
        return sys.stderr.buffer if fence.called_by_user_code() else super().buffer

    def fileno(self) -> int:
        """The descriptor, which for user code is 1."""
        return 1 if fence.called_by_user_code() else super().fileno()


def reserve() -> None:
    """Redirect descriptor 1 to standard error; `sys.stdout` keeps the program's output."""
    stream = sys.stdout
    try:
        if isinstance(stream, ProgramOutput) or stream.fileno() != 1 or stream.isatty():
            return
        if os.path.samestat(os.fstat(1), os.stat(os.devnull)):
            return
        stream.flush()
        output = os.dup(1)
    except (AttributeError, OSError, ValueError):  # closed, or a test's
        return
    try:
        os.dup2(2, 1)
    except OSError:  # standard error is closed
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)
    raw = os.fdopen(output, "wb")
    sys.stdout = ProgramOutput(raw, encoding=stream.encoding, errors=stream.errors)
