"""Streams that record how they are used."""

from io import StringIO


class Flushed(StringIO):
    """What was written, and how often it was flushed."""

    flushes = 0

    def flush(self) -> None:
        self.flushes += 1


class Tty(StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True
