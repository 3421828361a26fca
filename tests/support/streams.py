"""Streams that record their use."""

from io import StringIO
from typing import Any

import pytest


class FlushCounter(StringIO):
    """Records the text written, and the number of flushes."""

    flushes = 0

    def flush(self) -> None:
        self.flushes += 1


class Tty(StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


class Output(StringIO):
    """Standard output for a test: a terminal or not, with an encoding."""

    def __init__(self, terminal: bool = True, encoding: str | None = "utf-8") -> None:
        super().__init__()
        self.terminal = terminal
        self.coding = encoding

    def isatty(self) -> bool:
        return self.terminal

    @property
    def encoding(self) -> Any:
        return self.coding


def set_input(monkeypatch: pytest.MonkeyPatch, *lines: object) -> None:
    """Set these lines as the input."""
    monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in lines)))
