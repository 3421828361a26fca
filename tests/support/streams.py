"""Streams that record how they are used."""

from io import StringIO

import pytest


class Flushed(StringIO):
    """What was written, and how often it was flushed."""

    flushes = 0

    def flush(self) -> None:
        self.flushes += 1


class Tty(StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def answers(monkeypatch: pytest.MonkeyPatch, *lines: object) -> None:
    """Have these lines as the input."""
    monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in lines)))
